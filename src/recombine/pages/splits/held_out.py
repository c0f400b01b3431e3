"""The heaviest held-out compounds: what test asks for and train shows too rarely, or never.

Held out are compounds that train lacks or shows at most half as often as test. They are ranked by what they add to the
compound divergence (`pages.splits.frequencies`). A ranking alone would show one missing combination in a hundred
guises: whatever contains `twice(1:around)` is missing where that is. So a compound is left out when it contains one
already chosen that train lacks, or when it shares more than half of its test examples with one already chosen. What
those that contain a chosen one add is its family's share of the divergence.

Beside each compound are the shortest test examples that hold it and the nearest train examples: those that hold the
compound itself where train has it, else its largest part that train has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.pages.drawing.graph import Graph, NameReader
from recombine.structures.atom_definition import AtomDefinition
from recombine.structures.dataset_features import extract_atoms
from recombine.structures.features import Features
from recombine.structures.kinds import STRUCTURE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.pages.splits.frequencies import Frequencies
    from recombine.records.dataset import Dataset
    from recombine.structures.dataset_features import DatasetFeatures

CANDIDATES = 5000
OVERLAP = 0.5
RATIO = 2
"""How many times as frequent in test as in train a compound must be, where train has it."""
LEAST = 0.0005
"""The least share of the divergence that a compound must add."""
FAMILIES = 50_000
"""Compounds that train lacks are looked through for families up to this number, the heaviest first."""
_NODES = ("rules", "symbols")
"""The kinds of atoms that are the nodes of graphs, each node of any kind."""


@dataclass(frozen=True)
class Known:
    """The largest part of a compound that train has, and how it is shown there."""

    name: str
    nodes: frozenset[int]
    """The nodes of the part in the compound's graph."""
    joined: bool
    """Whether train has these nodes as one piece; single rules are known, but not joined."""
    count: int
    """Train entries that hold the part; where it is not one piece, those that hold any of its rules."""
    examples: tuple[int, ...]


@dataclass(frozen=True)
class HeldOutCompound:
    """One compound with its numbers and with examples of both sides, given by position in the data."""

    name: str
    graph: Graph | None
    contribution: float
    share: float
    """The contribution as a share of the divergence."""
    family: float
    """The same for all compounds together that contain this one and that train lacks too; 0 where train has it."""
    train_count: int
    test_count: int
    train: float
    test: float
    test_examples: tuple[int, ...]
    known: Known


class Holders:
    """Which examples hold a structure."""

    def __init__(self, features: Features) -> None:
        self.names = features.names
        self.starts = np.concatenate(([0], np.cumsum(np.bincount(features.indices, minlength=len(features.names)))))
        rows = np.repeat(np.arange(features.shape[0], dtype=np.int32), np.diff(features.indptr))
        self.rows = rows[np.argsort(features.indices, kind="stable")]

    @cached_property
    def column(self) -> dict[str, int]:
        """The column of each name."""
        return {name: number for number, name in enumerate(self.names)}

    def of(self, column: int) -> NDArray[np.int64]:
        """The rows of a column, ascending."""
        return self.rows[self.starts[column] : self.starts[column + 1]].astype(np.int64)


@dataclass(frozen=True)
class HeldOutCompounds:
    """The chosen compounds of a split, and the share of the divergence that their families make together."""

    chosen: tuple[HeldOutCompound, ...]
    families: float
    whole: bool
    """Whether every compound that train lacks was looked at; where not, shares of families are lower bounds."""


@dataclass(frozen=True)
class HeldOutFinder:
    """Finds held-out compounds of any number of splits of one data set."""

    dataset: Dataset
    features: DatasetFeatures

    @cached_property
    def compounds(self) -> Holders:
        """Which examples hold a compound."""
        return Holders(self.features.compounds)

    @cached_property
    def atoms(self) -> Holders:
        """Which examples hold an atom."""
        return Holders(self.features.atoms)

    @cached_property
    def reader(self) -> NameReader:
        """Reads compounds' names."""
        return NameReader({*self.features.atoms.names, *(self.graphs.names if self.graphs is not None else ())})

    @cached_property
    def graphs(self) -> Holders | None:
        """Which examples have a rule in their derivation, or a symbol in their program, where there are graphs."""
        make = STRUCTURE_KINDS.find(self.features.structures.compounds.kind).graphs
        if make is None:
            return None
        wanted = next((kind for kind in _NODES if STRUCTURE_KINDS.find(kind).graphs is make), None)
        if wanted is None:
            return Holders(Features.from_rows([dict.fromkeys(graph.rules, 1.0) for graph in make(self.dataset)]))
        definition = AtomDefinition(kind=wanted)
        if definition == self.features.structures.atoms:
            return self.atoms
        return Holders(extract_atoms(self.dataset, definition))

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """The number of words of each source."""
        return np.array([len(text.split()) for text in self.dataset.texts("source")], np.int64)

    def find(
        self, frequencies: Frequencies, train: Sequence[int], test: Sequence[int], *, count: int, examples: int
    ) -> HeldOutCompounds:
        """At most `count` held-out compounds of one split, the heaviest first, with at most `examples` of each side."""
        in_train, in_test = (np.bincount(rows, minlength=len(self.dataset)) for rows in (train, test))
        chosen: list[HeldOutCompound] = []
        held: list[NDArray[np.int64]] = []
        for place in _ranked(frequencies):
            if len(chosen) == count:
                break
            graph = self.reader.read(frequencies.names[place])
            rows = self.compounds.of(int(frequencies.columns[place]))
            rows = rows[in_test[rows] > 0]
            if not _redundant(graph, rows, chosen, held):
                held.append(rows)
                known = self._known(frequencies.names[place], graph, in_train, examples)
                chosen.append(_held_out(frequencies, place, graph, known, self._shortest(rows, (), examples)))
        return self._with_families(chosen, frequencies)

    def _with_families(self, chosen: Sequence[HeldOutCompound], frequencies: Frequencies) -> HeldOutCompounds:
        """The chosen compounds with what all that contain them add to the divergence."""
        lacking = np.flatnonzero(frequencies.train_counts == 0)
        lacking = lacking[np.lexsort((frequencies.columns[lacking], -frequencies.contributions[lacking]))]
        absent = [(at, held.graph) for at, held in enumerate(chosen) if not held.train_count and held.graph]
        sums, together = [0.0] * len(chosen), 0.0
        for place in lacking[:FAMILIES] if absent else ():
            graph = self.reader.read(frequencies.names[int(place)])
            inside = [at for at, part in absent if graph is not None and graph.contains(part)]
            added = float(frequencies.contributions[place])
            together += added if inside else 0.0
            for at in inside:
                sums[at] += added
        total = frequencies.divergence if frequencies.divergence > 0 else 1.0
        with_sums = tuple(replace(held, family=added / total) for held, added in zip(chosen, sums, strict=True))
        return HeldOutCompounds(with_sums, together / total, len(lacking) <= FAMILIES)

    def _known(self, name: str, graph: Graph | None, entries: NDArray[np.int64], examples: int) -> Known:
        """The largest part that train has; of several as large, the most frequent there."""
        rows = self._in_train(self.compounds, name, entries)
        if len(rows) or graph is None:
            nodes = frozenset(range(len(graph.rules))) if graph else frozenset()
            return Known(name, nodes, True, int(entries[rows].sum()), self._shortest(rows, (), examples))
        for level in graph.iter_parts():
            if len(level[0]) == 1:
                break
            named = {graph.part(nodes).name: nodes for nodes in reversed(level)}
            counts = {part: int(entries[self._in_train(self.compounds, part, entries)].sum()) for part in sorted(named)}
            best = max(counts, key=lambda part: counts[part])
            if counts[best]:
                rows = self._in_train(self.compounds, best, entries)
                return Known(best, named[best], True, counts[best], self._shortest(rows, graph.rules, examples))
        return self._rules_alone(graph, entries, examples)

    def _rules_alone(self, graph: Graph, entries: NDArray[np.int64], examples: int) -> Known:
        """What train shows of a compound none of whose pieces it has: its rules, one by one."""
        by_rule = {rule: self._in_train(self.atoms, rule, entries) for rule in sorted(set(graph.rules))}
        nodes = frozenset(node for node, rule in enumerate(graph.rules) if len(by_rule[rule]))
        rows = np.unique(np.concatenate(list(by_rule.values())))
        seen = ", ".join(rule for rule, holders in by_rule.items() if len(holders))
        return Known(seen, nodes, False, int(entries[rows].sum()), self._shortest(rows, graph.rules, examples))

    @staticmethod
    def _in_train(holders: Holders, name: str, entries: NDArray[np.int64]) -> NDArray[np.int64]:
        column = holders.column.get(name)
        rows = np.zeros(0, np.int64) if column is None else holders.of(column)
        return rows[entries[rows] > 0]

    def _shortest(self, rows: NDArray[np.int64], wanted: Iterable[str], count: int) -> tuple[int, ...]:
        """Of these rows, those with the most of the wanted rules, then the fewest words, then the first."""
        have = np.zeros(len(rows), np.int64)
        for rule in set(wanted):
            holds = np.zeros(len(self.dataset), np.bool_)
            for holders in (self.atoms, self.graphs):
                if holders is not None and rule in holders.column:
                    holds[holders.of(holders.column[rule])] = True
            have += holds[rows]
        order = np.lexsort((rows, self.words[rows], -have))
        return tuple(rows[order[:count]].tolist())


def _ranked(frequencies: Frequencies) -> list[int]:
    """Places of the heaviest compounds; contributions are rounded first, as their last bits depend on the sum."""
    rounded = np.round(frequencies.contributions, 12)
    order = np.lexsort((frequencies.columns, -rounded))
    fits = (rounded > max(0.0, LEAST * frequencies.divergence)) & (frequencies.test >= RATIO * frequencies.train)
    return [int(place) for place in order[fits[order]][:CANDIDATES]]


def _held_out(
    frequencies: Frequencies, place: int, graph: Graph | None, known: Known, rows: tuple[int, ...]
) -> HeldOutCompound:
    added = float(frequencies.contributions[place])
    return HeldOutCompound(
        name=frequencies.names[place],
        graph=graph,
        contribution=added,
        share=added / frequencies.divergence if frequencies.divergence > 0 else 0.0,
        family=0.0,
        train_count=int(frequencies.train_counts[place]),
        test_count=int(frequencies.test_counts[place]),
        train=float(frequencies.train[place]),
        test=float(frequencies.test[place]),
        test_examples=rows,
        known=known,
    )


def _redundant(
    graph: Graph | None, rows: NDArray[np.int64], chosen: Sequence[HeldOutCompound], held: Sequence[NDArray[np.int64]]
) -> bool:
    """Whether a compound says nothing beyond those already chosen."""
    for earlier, others in zip(chosen, held, strict=True):
        shared = len(np.intersect1d(rows, others, assume_unique=True))
        if shared > OVERLAP * (len(rows) + len(others) - shared):
            return True
        if shared < len(rows) or earlier.train_count or graph is None or earlier.graph is None:
            continue
        if graph.contains(earlier.graph):
            return True
    return False
