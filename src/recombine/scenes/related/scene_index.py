"""All sub-graphs of all scenes as integer tables, one for each shape, with what is seen with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.scenes.related.shape_table import UNKNOWN, ShapeTable
from recombine.scenes.subgraphs.enumerate_subgraphs import by_size, enumerate_subgraphs
from recombine.scenes.subgraphs.seen_part import seen_part
from recombine.scenes.subgraphs.shape import Flat, Names, NodeType, Shape, nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraphs.limits import Limits


class SceneIndex:
    """The tables of a collection; names are numbered in the order of the alphabet, by their type."""

    def __init__(self, scenes: Sequence[Scene], limits: Limits) -> None:
        self.limits = limits
        self.seen = [seen_part(scene, limits) for scene in scenes]
        self.names = _names(self.seen)
        self._numbers = {kind: {name: at for at, name in enumerate(names)} for kind, names in self.names.items()}
        self.cut: list[int] = []
        """The places of scenes whose sub-graphs are not all here."""
        self.tables: Mapping[Shape, ShapeTable] = self._tables()
        self._together = _together(self.seen)
        self._nouns = self._noun_table()
        self._masks: dict[tuple[str, ...], NDArray[np.bool_]] = {}

    def numbers(self, flat: Flat) -> list[int]:
        """The numbers of names, UNKNOWN for those that no scene has."""
        return [
            self._numbers[node.type].get(name, UNKNOWN)
            for node, name in zip(nodes_of(flat.shape), flat.names, strict=True)
        ]

    def words(self, shape: Shape, numbers: Iterable[int]) -> Names:
        """The names of numbers."""
        return tuple(self.names[node.type][number] for node, number in zip(nodes_of(shape), numbers, strict=True))

    def of_scene(self, place: int) -> list[Flat]:
        """The sub-graphs of a scene that may be asked about, by size, then shape, then names."""
        listed = [
            Flat(shape, self.words(shape, (int(column[row]) for column in table.columns)))
            for shape, table in self.tables.items()
            for row in table.of_scene(place)
            if table.asked[row]
        ]
        return sorted(listed, key=by_size)

    def seen_with(self, *names: str) -> NDArray[np.bool_]:
        """Which nouns are seen with a subject, a relation and perhaps a modifier; which relations with two nouns.

        The last is asked for as `seen_with(RELATIONS, subject, object)`.
        """
        if names not in self._masks:
            self._masks[names] = self._mask(names)
        return self._masks[names]

    def _mask(self, names: tuple[str, ...]) -> NDArray[np.bool_]:
        kind = NodeType.RELATION if names[0] == RELATIONS else NodeType.NOUN
        mask = np.zeros(len(self.names[kind]), dtype=bool)
        numbers = self._numbers[kind]
        mask[[numbers[each] for each in self._together.get(names, ())]] = True
        return mask

    def with_nouns(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which scenes have an object of one of some nouns."""
        held: NDArray[np.bool_] = np.zeros(len(self.seen), dtype=bool)
        held[self._nouns[1][mask[self._nouns[0]]]] = True
        return held

    @property
    def rows(self) -> int:
        """How many sub-graphs of scenes there are."""
        return sum(int(table.graphs[-1]) + 1 for table in self.tables.values())

    @property
    def nbytes(self) -> int:
        """The memory of all tables and posting lists."""
        return sum(table.nbytes for table in self.tables.values())

    def _noun_table(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The nouns of all scenes, each with the place of its scene."""
        numbers = self._numbers[NodeType.NOUN]
        pairs = [
            (number, place)
            for place, scene in enumerate(self.seen)
            for number in sorted({numbers[each.name] for each in scene.objects})
        ]
        table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])

    def _tables(self) -> dict[Shape, ShapeTable]:
        rows: dict[Shape, list[list[int]]] = {}
        others: dict[Shape, list[tuple[int, int, bool]]] = {}
        for place, scene in enumerate(self.seen):
            listed = enumerate_subgraphs(scene, self.limits)
            if listed.cut:
                self.cut.append(place)
            for flat, roots in listed.roots.items():
                rows.setdefault(flat.shape, []).append(self.numbers(flat))
                asked = listed.asked is None or flat in listed.asked
                others.setdefault(flat.shape, []).append((place, roots, asked))
        return {shape: self._table(shape, rows[shape], others[shape]) for shape in sorted(rows)}

    def _table(self, shape: Shape, rows: list[list[int]], others: list[tuple[int, int, bool]]) -> ShapeTable:
        places, roots, asked = zip(*others, strict=True)
        return ShapeTable(
            shape,
            np.array(rows, dtype=np.int32),
            np.array(places, dtype=np.int32),
            np.array(roots, dtype=np.int32),
            np.array(asked, dtype=bool),
            [len(self.names[node.type]) for node in nodes_of(shape)],
        )


RELATIONS = ""
"""Stands before two nouns, as no name is empty."""


def _names(scenes: Sequence[Scene]) -> dict[NodeType, list[str]]:
    names: dict[NodeType, set[str]] = {kind: set() for kind in NodeType}
    for scene in scenes:
        for each in scene.objects:
            names[NodeType.NOUN].add(each.name)
            names[NodeType.ATTRIBUTE].update(each.attributes)
            for relation in each.relations:
                names[NodeType.RELATION].add(relation.name)
                names[NodeType.MODIFIER].update(mod.name for mod in relation.mods)
    return {kind: sorted(listed) for kind, listed in names.items()}


def _together(scenes: Sequence[Scene]) -> dict[tuple[str, ...], set[str]]:
    """What is seen with what: by subject and relation, by subject, relation and modifier, and by two nouns."""
    together: dict[tuple[str, ...], set[str]] = {}
    for scene in scenes:
        for each in scene.objects:
            for relation in each.relations:
                target = scene.by_id[relation.object].name
                together.setdefault((each.name, relation.name), set()).add(target)
                together.setdefault((RELATIONS, each.name, target), set()).add(relation.name)
                for mod in relation.mods:
                    key = (each.name, relation.name, mod.name)
                    together.setdefault(key, set()).add(scene.by_id[mod.object].name)
    return together
