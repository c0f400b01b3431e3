"""The atoms and compounds of a whole data set, as sparse rows under one definition."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.records.derivation import Derivation
from recombine.structures.atoms import atoms
from recombine.structures.graphs.compounds import compounds
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_tokens import program_tokens

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.structures.definition import AtomDefinition, Structures
    from recombine.structures.features import Features


@dataclass(frozen=True)
class DatasetFeatures:
    """The atoms and compounds of a data set under one definition; made once, used for many splits."""

    structures: Structures
    rules: str
    """How many rules the derivations use, and a digest of their names, for the signature."""
    atoms: Features
    compounds: Features


def extract_features(dataset: Dataset, structures: Structures) -> DatasetFeatures:
    """The features of all examples; each needs a derivation, or a program of a known language."""
    graphs = _graphs(dataset, structures.atoms.of)
    of = "rules" if structures.compounds.over == "dag" else "symbols"
    others = graphs if structures.atoms.of == of else _graphs(dataset, of)
    names = sorted({rule for graph in graphs for rule in graph.rules})
    digest = hashlib.blake2b("\n".join(names).encode(), digest_size=4).hexdigest()
    return DatasetFeatures(
        structures,
        f"{len(names)}@{digest}",
        atoms(graphs, structures.atoms),
        compounds(others, structures.compounds),
    )


def extract_atoms(dataset: Dataset, definition: AtomDefinition) -> Features:
    """The atoms of all examples alone."""
    return atoms(_graphs(dataset, definition.of), definition)


def _graphs(dataset: Dataset, of: str) -> list[Derivation]:
    if of == "tokens":
        return [Derivation(tuple(program_tokens(example.target)), ()) for example in dataset]
    return _derivations(dataset) if of == "rules" else program_graphs(dataset)


def _derivations(dataset: Dataset) -> list[Derivation]:
    derivations = []
    for example in dataset:
        if example.derivation is None:
            raise DerivationError(
                f"the example {example.id} of {dataset.name} has no derivation, so it has no compounds",
                "use data made by `recombine generate`, or name the language of the targets with --language",
            )
        derivations.append(example.derivation)
    return derivations
