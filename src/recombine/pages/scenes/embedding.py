"""Which objects of a scene a sub-graph, or one that differs in some nodes, is about; and what stands in their place."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.related.kinds import Change, changes_of
from recombine.scenes.subgraphs.shape import NodeType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recombine.scenes.scene import Relation, Scene, SceneObject
    from recombine.scenes.subgraph import Subgraph, SubRelation


class Replaced(NamedTuple):
    """A name of the sub-graph and what the scene has in its place."""

    asked: str
    seen: str


@dataclass(frozen=True)
class Embedding:
    """Objects of a scene by their ids, and the replaced names."""

    objects: tuple[str, ...]
    replaced: tuple[Replaced, ...] = ()


@dataclass
class _State:
    objects: list[str] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)


def embeddings(
    scene: Scene, graph: Subgraph, role: str, attribute_types: Mapping[str, str] = MappingProxyType({})
) -> list[Embedding]:
    """How a scene holds a sub-graph by the role of its image: as it is, or with the nodes changed that the role names.

    There is one for each object that can be the root; none for the role of a random image. In place of an attribute
    stands one of its type, where there is such a one.
    """
    if role == "random":
        return []
    changes = frozenset(changes_of(role))
    for types in (attribute_types, {}) if attribute_types else ({},):
        walk, held = _Walk(scene, changes, types), []
        for each in scene.objects:
            state = walk.match(each, graph, 0, _State())
            if state is not None:
                held.append(Embedding(tuple(dict.fromkeys(state.objects)), tuple(state.replaced)))
        if held:
            return held
    return []


def replaced_text(held: Sequence[Embedding]) -> str:
    """What stands in place of each changed name, in all the ways together: `cup or box in place of ball`."""
    seen: dict[tuple[int, str], dict[str, None]] = {}
    for each in held:
        for place, (asked, name) in enumerate(each.replaced):
            seen.setdefault((place, asked), {})[name] = None
    return "; ".join(f"{' or '.join(names)} in place of {asked}" for (_, asked), names in seen.items())


@dataclass(frozen=True)
class _Walk:
    """The first way in which objects fit, from the root down."""

    scene: Scene
    changes: frozenset[Change]
    attribute_types: Mapping[str, str]

    def match(self, each: SceneObject, graph: Subgraph, number: int, state: _State) -> _State | None:
        if each.id in state.objects:  # a coat is not worn in place of a hat as well
            return None
        state = _State([*state.objects, each.id], list(state.replaced))
        if not self._name(graph.name, each.name, Change(number, NodeType.NOUN), state):
            return None
        if graph.attribute is not None:
            attribute = self._attribute(graph.attribute, each, Change(number, NodeType.ATTRIBUTE), state)
            if not attribute:
                return None
        below = number + 1
        for relation in graph.relations:
            reached = self._relation(each, relation, below, state)
            if reached is None:
                return None
            state = reached
            below += _objects(relation.child) + sum(_objects(mod.child) for mod in relation.mods)
        return state

    def _name(self, asked: str, seen: str, change: Change, state: _State) -> bool:
        if change not in self.changes:
            return asked == seen
        state.replaced.append(Replaced(asked, seen))
        return asked != seen

    def _attribute(self, asked: str, each: SceneObject, change: Change, state: _State) -> bool:
        if change not in self.changes:
            return asked in each.attributes
        kind = self.attribute_types.get(asked)
        others = [seen for seen in each.attributes if kind is None or self.attribute_types.get(seen) == kind]
        if not others or asked in each.attributes:
            return False
        state.replaced.append(Replaced(asked, " and ".join(others)))
        return True

    def _relation(self, each: SceneObject, asked: SubRelation, number: int, state: _State) -> _State | None:
        for edge in each.relations:
            reached = _State(list(state.objects), list(state.replaced))
            if not self._name(asked.name, edge.name, Change(number, NodeType.RELATION), reached):
                continue
            end = self.match(self.scene.by_id[edge.object], asked.child, number, reached)
            end = None if end is None else self._modifiers(edge, asked, number, end)
            if end is not None:
                return end
        return None

    def _modifiers(self, edge: Relation, asked: SubRelation, number: int, state: _State) -> _State | None:
        below = number + _objects(asked.child)
        for mod in asked.mods:
            ends: Iterator[_State | None] = (
                self.match(self.scene.by_id[seen.object], mod.child, below, state)
                for seen in edge.mods
                if seen.name == mod.name
            )
            reached = next((end for end in ends if end is not None), None)
            if reached is None:
                return None
            state, below = reached, below + _objects(mod.child)
        return state


def _objects(graph: Subgraph) -> int:
    """The number of objects of a sub-graph."""
    return 1 + sum(
        _objects(relation.child) + sum(_objects(mod.child) for mod in relation.mods) for relation in graph.relations
    )
