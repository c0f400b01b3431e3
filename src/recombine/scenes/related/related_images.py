"""The images related to a sub-graph: positives, relaxed positives and distractors of every kind (COVR, 2.2).

A positive holds the sub-graph. A relaxed positive holds it when names stand for all that does not exclude them. A
distractor holds one that differs in one or two nodes, by names that exclude those asked for, and is no relaxed
positive; where a verifier judges images, it is also none of which every simple sub-graph scores above the threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from recombine.scenes.related.exclusion import DoesNotExclude, Exclusion
from recombine.scenes.related.kinds import ONCE, Kind, kinds_of
from recombine.scenes.related.scene_index import RELATIONS, SceneIndex
from recombine.scenes.related.shape_table import WILD
from recombine.scenes.related.verifier import BatchVerifier, Thresholds, Verifier
from recombine.scenes.subgraphs.instances import holds, instances
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import Flat, NodeType, flatten, nodes_of, unflatten
from recombine.scenes.subgraphs.simple_subgraphs import simple_subgraphs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.scenes.related.shape_table import ShapeTable
    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraph import Subgraph

NAMES_OVERLAP = "names do not exclude each other"
RELAXED = "holds the sub-graph by other names"
VERIFIED = "holds the sub-graph by the verifier"
NOT_ASKED = "about what is not asked"


class Related(NamedTuple):
    """An image by the place of its scene, and the sub-graph of it that is like the one asked for, node by node."""

    place: int
    graph: Subgraph


@dataclass(frozen=True, eq=False)
class Candidates(Sequence[Related]):
    """Images of one kind, in the order of scenes; sub-graphs are made when they are looked at."""

    source: SceneIndex
    table: ShapeTable
    rows: NDArray[np.int32]

    @property
    def places(self) -> NDArray[np.int32]:
        """The places of the scenes; one that has several such sub-graphs stands there several times."""
        return self.table.scenes[self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Related: ...
    @overload
    def __getitem__(self, at: slice) -> list[Related]: ...
    def __getitem__(self, at: int | slice) -> Related | list[Related]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        row = int(self.rows[at])
        names = self.source.words(self.table.shape, (int(column[row]) for column in self.table.columns))
        return Related(int(self.table.scenes[row]), unflatten(self.table.shape, names))

    def __iter__(self) -> Iterator[Related]:
        return (self[at] for at in range(len(self)))


class RelatedImages:
    """The related images of sub-graphs of a collection of scenes."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        exclusion: Exclusion,
        *,
        verifier: Verifier | None = None,
        limits: Limits | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self.scenes, self.exclusion, self.verifier = scenes, exclusion, verifier
        self.limits = limits or Limits()
        self.thresholds = thresholds or Thresholds()
        self.index = SceneIndex(scenes, self.limits)
        self.refused: Counter[str] = Counter()
        """How many candidates were refused so far, by the reason; one that is of several kinds counts in each."""
        self._by_level: dict[tuple[NodeType, str], NDArray[np.int8]] = {}
        self._is_cut: NDArray[np.bool_] = np.zeros(len(scenes), dtype=bool)
        self._is_cut[self.cut] = True
        self._fitting: dict[tuple[NodeType, str], NDArray[np.bool_]] = {}

    @property
    def cut(self) -> list[int]:
        """The places of scenes of which not all sub-graphs are enumerated; they are looked through one by one."""
        return self.index.cut

    def subgraphs(self, place: int) -> list[Subgraph]:
        """The sub-graphs of a scene that may be asked about, by size, in canonical form."""
        return [unflatten(*flat) for flat in self.index.of_scene(place)]

    def instances(self, place: int, graph: Subgraph) -> list[str]:
        """The ids of the objects of a scene that a sub-graph refers to."""
        return instances(self.scenes[place], graph)

    def positives(self, graph: Subgraph) -> NDArray[np.int32]:
        """The places of scenes that hold a sub-graph."""
        return self.counts(graph)[0]

    def counts(self, graph: Subgraph) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The places of scenes that hold a sub-graph, and how many objects it refers to in each."""
        flat = flatten(graph)
        table = self.index.tables.get(flat.shape)
        places, roots = _NO_PLACES, _NO_PLACES
        if table is not None:
            rows = table.select(self.index.numbers(flat))
            places, roots = table.scenes[rows], table.roots[rows]
        if self.cut:
            whole = ~self._is_cut[places]
            more = [(place, len(instances(self.index.seen[place], graph))) for place in self._cut_with(flat)]
            more = [(place, count) for place, count in more if count]
            places = np.concatenate([places[whole], np.array([place for place, _ in more], dtype=np.int32)])
            roots = np.concatenate([roots[whole], np.array([count for _, count in more], dtype=np.int32)])
            order = np.argsort(places, kind="stable")
            places, roots = places[order], roots[order]
        return places, roots

    def _cut_with(self, flat: Flat) -> list[int]:
        """The cut scenes that have all nouns of a sub-graph."""
        walked = self._is_cut.copy()
        for node, name in zip(nodes_of(flat.shape), flat.names, strict=True):
            if node.type is NodeType.NOUN:
                walked &= self.index.with_nouns(self._names_by_level(NodeType.NOUN, name) == _SAME)
        return list(np.flatnonzero(walked).tolist())

    def relaxed(self, graph: Subgraph) -> NDArray[np.int32]:
        """The places of scenes that hold a sub-graph, or one whose names do not exclude its own."""
        return np.flatnonzero(self._relaxed(graph, flatten(graph))).astype(np.int32)

    def distractors(self, graph: Subgraph, *, once: bool = False) -> dict[str, Candidates]:
        """The distractors by their kind, without kinds that have none; with `once`, what holds the sub-graph once too.

        An image can be of several kinds. Numbers of objects in kinds are those of the sub-graph as it is given. Of a
        scene that is cut only the enumerated sub-graphs serve, and it is never said to hold one once.
        """
        flat = flatten(graph)
        table = self.index.tables.get(flat.shape)
        if table is None:
            return {}
        numbers, relaxed = self.index.numbers(flat), self._relaxed(graph, flat)
        rows = {kind: self._rows(table, flat, numbers, kind) for kind in kinds_of(flat.shape)}
        rows = {kind: self._not_relaxed(table, some, relaxed) for kind, some in rows.items()}
        if self.verifier is not None:
            rows = self._verified(table, rows, simple_subgraphs(graph))
        found = {kind.name: Candidates(self.index, table, some) for kind, some in rows.items() if len(some)}
        if once:
            held = table.select(numbers)
            held = held[(table.roots[held] == 1) & ~self._is_cut[table.scenes[held]]]
            if len(held):
                found[ONCE] = Candidates(self.index, table, held)
        return found

    def _rows(self, table: ShapeTable, flat: Flat, numbers: list[int], kind: Kind) -> NDArray[np.int32]:
        """The rows that differ in the nodes of a kind by excluding names."""
        pattern = list(numbers)
        for place in kind.places:
            pattern[place] = WILD
        rows = table.select(pattern)
        levels = self._levels(table, flat, rows, kind.places[0])
        for place in kind.places[1:]:
            levels = np.minimum(levels, self._levels(table, flat, rows, place))
        self.refused[NAMES_OVERLAP] += int(np.count_nonzero(levels == _OVERLAPS))
        rows = rows[levels == _EXCLUDES]
        if kind.seen_with and len(rows):
            names = [flat.names[place] for place in kind.seen_with]
            last = kind.places[-1]
            key = (RELATIONS, *names) if table.nodes[last].type is NodeType.RELATION else tuple(names)
            rows = rows[self.index.seen_with(*key)[table.columns[last][rows]]]
        if len(table.orders) > 1 and len(rows):
            rows = np.sort(rows[table.distances(rows, numbers) == len(kind.places)])
            rows = rows[np.unique(table.graphs[rows], return_index=True)[1]]
        if table.all_asked:
            return rows
        kept = table.asked[rows]
        self.refused[NOT_ASKED] += len(rows) - int(kept.sum())
        return rows[kept]

    def _levels(self, table: ShapeTable, flat: Flat, rows: NDArray[np.int32], place: int) -> NDArray[np.int8]:
        """Whether rows have at a place the same name, another that overlaps with it, or one that excludes it."""
        return self._names_by_level(table.nodes[place].type, flat.names[place])[table.columns[place][rows]]

    def _not_relaxed(self, table: ShapeTable, rows: NDArray[np.int32], relaxed: NDArray[np.bool_]) -> NDArray[np.int32]:
        kept = rows[~relaxed[table.scenes[rows]]]
        self.refused[RELAXED] += len(rows) - len(kept)
        return kept

    def _verified(
        self, table: ShapeTable, rows: dict[Kind, NDArray[np.int32]], simple: Sequence[Subgraph]
    ) -> dict[Kind, NDArray[np.int32]]:
        """The rows of images of which some simple sub-graph does not score above the threshold."""
        least = self._least_scores(np.unique(table.scenes[np.concatenate(list(rows.values()))]), simple)
        verified = {}
        for kind, some in rows.items():
            kept = some[least[table.scenes[some]] <= self.thresholds.of(kind.changes)]
            self.refused[VERIFIED] += len(some) - len(kept)
            verified[kind] = kept
        return verified

    def _least_scores(self, places: NDArray[np.int32], simple: Sequence[Subgraph]) -> NDArray[np.float64]:
        """The least score of simple sub-graphs for some scenes; one below all thresholds is looked at no further."""
        least = np.ones(len(self.scenes))
        enough = self.thresholds.least
        # what says most is denied first
        for each in sorted(simple, key=lambda graph: (-graph.size, graph.attribute is None)):
            if not len(places):
                break
            least[places] = np.minimum(least[places], self._scores(places, each))
            places = places[least[places] > enough]
        return least

    def _scores(self, places: NDArray[np.int32], simple: Subgraph) -> Sequence[float] | NDArray[np.float64]:
        assert self.verifier is not None  # noqa: S101  # asked for only where there is one
        ids = [self.scenes[place].id for place in places.tolist()]
        if isinstance(self.verifier, BatchVerifier):
            return self.verifier.scores(ids, simple)
        return [self.verifier.score(each, simple) for each in ids]

    def _relaxed(self, graph: Subgraph, flat: Flat) -> NDArray[np.bool_]:
        """Which scenes are relaxed positives."""
        held = np.zeros(len(self.scenes), dtype=bool)
        table = self.index.tables.get(flat.shape)
        if table is not None:
            allowed = [
                self._fitting_names(node.type, name)
                for node, name in zip(nodes_of(flat.shape), flat.names, strict=True)
            ]
            held[table.scenes[table.select_among(allowed)]] = True
        fits = DoesNotExclude(self.exclusion)
        for place in self._to_walk(flat, held):
            held[place] = holds(self.index.seen[place], graph, fits=fits)
        return held

    def _to_walk(self, flat: Flat, held: NDArray[np.bool_]) -> list[int]:
        """The scenes of which the tables do not say whether they are relaxed positives.

        They are those that are cut and, where one name fits two objects of the sub-graph, all that have names for each:
        `child next to child` is in no table of sub-graphs with distinct names, but may be a boy and a girl.
        """
        nouns = [
            name for node, name in zip(nodes_of(flat.shape), flat.names, strict=True) if node.type is NodeType.NOUN
        ]
        masks = [self._fitting_names(NodeType.NOUN, name) for name in nouns]
        one_fits_two = any((first & second).any() for first, second in combinations(masks, 2))
        if not one_fits_two and not self.cut:
            return []
        walked = ~held if one_fits_two else ~held & self._is_cut
        for mask in masks:
            walked &= self.index.with_nouns(mask)
        return list(np.flatnonzero(walked).tolist())

    def _names_by_level(self, kind: NodeType, name: str) -> NDArray[np.int8]:
        """For each name of a type, whether it is one that is asked for, overlaps with it, or excludes it."""
        key = (kind, name)
        if key not in self._by_level:
            # a modifier is told apart from others as a relation is
            ask = getattr(self.exclusion, NodeType.RELATION if kind is NodeType.MODIFIER else kind)
            levels = [
                _SAME if seen == name else _EXCLUDES if ask(name, seen) else _OVERLAPS
                for seen in self.index.names[kind]
            ]
            self._by_level[key] = np.array(levels, dtype=np.int8)
        return self._by_level[key]

    def _fitting_names(self, kind: NodeType, name: str) -> NDArray[np.bool_]:
        key = (kind, name)
        if key not in self._fitting:
            self._fitting[key] = self._names_by_level(kind, name) != _EXCLUDES
        return self._fitting[key]


_SAME, _OVERLAPS, _EXCLUDES = 0, 1, 2
_NO_PLACES = np.zeros(0, dtype=np.int32)
