"""The atoms and compounds of a whole data set, as sparse rows under one definition."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.structures.counted_typing import counts_kinds
from recombine.structures.features import Features
from recombine.structures.joined_definition import JoinedDefinition, definition_parts
from recombine.structures.kinds import STRUCTURE_KINDS
from recombine.structures.read_once import ReadOnce

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.structures.definition import Structures
    from recombine.structures.kinds import Definition


@dataclass(frozen=True, repr=False)
class DatasetFeatures:
    """The atoms and compounds of a data set under one definition; made once, used for many splits."""

    structures: Structures
    rules: str
    """How many rules the derivations use, and a digest of their names, for the signature."""
    atoms: Features
    compounds: Features

    def by_kind(self) -> tuple[DatasetFeatures, ...]:
        """The same for each kind of compounds alone; itself where they are of one."""
        parts = definition_parts(self.structures.compounds)
        if len(parts) == 1:
            return (self,)
        return tuple(
            replace(self, structures=replace(self.structures, compounds=part), compounds=self.compounds.kind(number))
            for number, part in enumerate(parts)
        )

    def __repr__(self) -> str:
        atoms, compounds = len(self.atoms.names), len(self.compounds.names)
        return f"<DatasetFeatures: {self.structures}: {atoms:,} atoms, {compounds:,} compounds>"


def extract_features(dataset: Dataset, structures: Structures) -> DatasetFeatures:
    """The features of all examples, each half by its kind; graphs that both need are made once."""
    return extract_with_vocabulary(dataset, structures)[0]


def extract_with_vocabulary(dataset: Dataset, structures: Structures) -> tuple[DatasetFeatures, set[str]]:
    """The same, and the names that atoms are chosen from; features of several data sets have those of all of them."""
    read = ReadOnce(dataset)
    atoms = _extract(read, structures.atoms)
    names = _vocabulary(read, structures.atoms, atoms)
    made = DatasetFeatures(structures.with_atoms(), rules_digest(names), atoms, _extract(read, structures.compounds))
    return made, names


def extract_atoms(dataset: Dataset, definition: Definition) -> Features:
    """The atoms of all examples alone."""
    return _extract(ReadOnce(dataset), definition)


def _extract(read: ReadOnce, definition: Definition) -> Features:
    if isinstance(definition, JoinedDefinition):
        return Features.side_by_side([_extract(read, part) for part in definition.parts])
    return STRUCTURE_KINDS.find(definition.kind).extract(read, definition)


def _vocabulary(read: ReadOnce, definition: Definition, atoms: Features) -> set[str]:
    """The names that atoms are chosen from: those of the graphs, or else of the atoms themselves."""
    kind = STRUCTURE_KINDS.find(definition.kind)
    if kind.vocabulary is not None and not counts_kinds(definition):
        return kind.vocabulary(read)
    if kind.graphs is None or counts_kinds(definition):
        return set(atoms.names)
    return {rule for graph in read.graphs(kind.graphs) for rule in graph.rules}


def rules_digest(names: set[str]) -> str:
    """How many names there are, and a digest of them."""
    digest = hashlib.blake2b("\n".join(sorted(names)).encode(), digest_size=4).hexdigest()
    return f"{len(names)}@{digest}"
