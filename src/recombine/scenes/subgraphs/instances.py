"""The objects of a scene that a sub-graph refers to, found by walking through the scene.

A sub-graph is read as its program is executed: `with_relation` asks for any object that fits, so that two nodes may be
the same object. A modifier belongs to the relation that it is on: both lead from one relation of the scene. A relation
named `pulling:_with` leads to what something is pulled with, as programs write modifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject
    from recombine.scenes.subgraph import Subgraph, SubRelation

MODIFIER_MARK = ":_"


class Fits(Protocol):
    """Whether a name that a scene has is one that is asked for."""

    def noun(self, asked: str, seen: str) -> bool:
        """Whether an object of one name is asked for by another."""
        ...

    def attribute(self, asked: str, seen: str) -> bool:
        """The same of attributes."""
        ...

    def relation(self, asked: str, seen: str) -> bool:
        """The same of relations, and of modifiers."""
        ...


@dataclass(frozen=True)
class SameName:
    """Only the name itself fits."""

    def noun(self, asked: str, seen: str) -> bool:
        """Whether the names are equal."""
        return asked == seen

    attribute = relation = noun


SAME_NAME = SameName()


def instances(scene: Scene, graph: Subgraph, *, fits: Fits = SAME_NAME) -> list[str]:
    """The ids of the objects that a sub-graph refers to, in the order of the scene."""
    match = _Match(scene, fits)
    return [each.id for each in scene.objects if match.holds(each, graph)]


def holds(scene: Scene, graph: Subgraph, *, fits: Fits = SAME_NAME) -> bool:
    """Whether a scene has an object that a sub-graph refers to."""
    match = _Match(scene, fits)
    return any(match.holds(each, graph) for each in scene.objects)


class _Match:
    """What holds of which object; each pair is looked at once, so that cycles of a scene cost nothing."""

    def __init__(self, scene: Scene, fits: Fits) -> None:
        self._by_id, self._fits = scene.by_id, fits
        self._known: dict[tuple[str, int], bool] = {}

    def holds(self, each: SceneObject, graph: Subgraph) -> bool:
        if not self._fits.noun(graph.name, each.name):
            return False
        # the sub-graph lives as long as this, so that its identity is its own
        key = (each.id, id(graph))
        if key not in self._known:
            self._known[key] = self._has_attribute(each, graph) and all(
                any(self._leads(relation, edge) for edge in each.relations) for relation in graph.relations
            )
        return self._known[key]

    def _has_attribute(self, each: SceneObject, graph: Subgraph) -> bool:
        asked = graph.attribute
        return asked is None or any(self._fits.attribute(asked, seen) for seen in each.attributes)

    def _leads(self, asked: SubRelation, edge: Relation) -> bool:
        verb, mark, modifier = asked.name.partition(MODIFIER_MARK)
        if not self._fits.relation(verb, edge.name):
            return False
        if mark:
            return any(self.holds(end, asked.child) for end in self._ends(edge, modifier))
        return self.holds(self._by_id[edge.object], asked.child) and all(
            any(self.holds(end, mod.child) for end in self._ends(edge, mod.name)) for mod in asked.mods
        )

    def _ends(self, edge: Relation, modifier: str) -> Iterator[SceneObject]:
        fitting: Iterator[Modifier] = (mod for mod in edge.mods if self._fits.relation(modifier, mod.name))
        return (self._by_id[mod.object] for mod in fitting)
