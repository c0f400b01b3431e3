"""Everything that can be measured about one split, with its signature."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import DerivationError, SplitError
from recombine.measures.divergence import divergence
from recombine.measures.duplicates import duplicates
from recombine.measures.length_ratio import length_ratio
from recombine.measures.no_structures import why_no_structures
from recombine.measures.patterns import pattern_coverage, variety
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.records.derivation import Derivation
from recombine.structures.atoms import atoms
from recombine.structures.definition import ATOM_ALPHA
from recombine.structures.graphs.compounds import compounds
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_tokens import program_tokens

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split
    from recombine.structures.definition import AtomDefinition, Structures
    from recombine.structures.features import Features

SIDES = ("source", "target")


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
    found = []
    for example in dataset:
        if example.derivation is None:
            raise DerivationError(
                f"the example {example.id} of {dataset.name} has no derivation, so it has no compounds",
                "use data made by `recombine generate`, or name the language of the targets with --language",
            )
        found.append(example.derivation)
    return found


def measure_split(
    dataset: Dataset,
    split: Split,
    *,
    features: DatasetFeatures | None,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float | None = None,
    against: str = "test",
) -> dict[str, Any]:
    """The measured values of train against another part, by name. Without features there are no divergences.

    `not_measured` has a sentence for each value that is missing: why, and what would give it.
    The exponent of the compound divergence is that of the definition, unless another is given.
    """
    train_rows, test_rows = split.positions(dataset, "train"), split.positions(dataset, against)
    for name, rows in (("train", train_rows), (against, test_rows)):
        if not rows:
            raise SplitError(f"the {name} part is empty, so there is nothing to measure", "choose another part")
    train, test = [dataset[row] for row in train_rows], [dataset[row] for row in test_rows]
    values: dict[str, Any] = {name: len(ids) for name, ids in split.parts.items()}
    values["against"] = against
    if features is not None:
        compound_alpha = features.structures.compounds.alpha if compound_alpha is None else compound_alpha
        values |= _divergences(features, train_rows, test_rows, atom_alpha, compound_alpha)
    values["pattern_coverage"], values["length_ratio"], values["patterns"] = {}, {}, {}
    for side in SIDES:
        collapse = dataset.pattern(side).collapse
        seen = [collapse(getattr(example, side)) for example in train]
        asked = [collapse(getattr(example, side)) for example in test]
        values["pattern_coverage"][side] = pattern_coverage(seen, asked)
        values["patterns"][side] = asdict(variety(asked))
        values["length_ratio"][side] = length_ratio([getattr(e, side) for e in train], [getattr(e, side) for e in test])
    values["duplicates"] = duplicates(train, test)
    values["not_measured"] = _not_measured(dataset, values, against)
    values["signature"] = str(_signature(dataset, split, features, atom_alpha, compound_alpha, against))
    return values


def _not_measured(dataset: Dataset, values: dict[str, Any], against: str) -> list[str]:
    """A sentence for each value that is missing."""
    sentences = []
    if "compound_divergence" not in values:
        sentences.append(f"D_A, D_C and unseen atoms were not measured: {why_no_structures(dataset)}")
    for side, ratio in values["length_ratio"].items():
        if ratio is None:
            sentences.append(
                f"the length ratio of {side}s was not measured: no {side} of {against} has a word; give some that have"
            )
    return sentences


def _divergences(
    features: DatasetFeatures, train: list[int], test: list[int], atom_alpha: float, compound_alpha: float
) -> dict[str, Any]:
    rows, names = unseen_atoms(features.atoms, train, test)
    return {
        "atom_divergence": divergence(features.atoms, train, test, alpha=atom_alpha),
        "compound_divergence": divergence(features.compounds, train, test, alpha=compound_alpha),
        "unseen_atom_examples": len(rows),
        "unseen_atoms": names,
    }


def _signature(
    dataset: Dataset,
    split: Split,
    features: DatasetFeatures | None,
    atom_alpha: float,
    compound_alpha: float | None,
    against: str,
) -> Signature:
    """How the split was made, then how it was measured."""
    patterns = ",".join(f"{side}={dataset.pattern(side).name}" for side in SIDES)
    how: dict[str, Any] = {"against": against, "patterns": patterns, "lengths": "words", "repeats": "counted"}
    if features is not None:
        how["rules"] = features.rules
        how["structures"] = features.structures
        how["alpha"] = f"atoms={atom_alpha!r},compounds={compound_alpha!r}"
    return split.signature.with_fields(**how)
