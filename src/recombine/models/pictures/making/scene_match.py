"""Which objects of a scene each node of a sub-graph means, as bits of one number.

A node means the objects that stand at its place in some way that the whole sub-graph holds; where it does not hold,
none. What holds is as in `scenes.subgraphs.instances`, of which this is the quick form for scenes of few objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraph import Subgraph, SubRelation


class _Edge(NamedTuple):
    subject: int
    target: int
    mods: tuple[tuple[str, int], ...]


class SceneMatch:
    """Looks sub-graphs up in one scene; `fits` says which names of the scene one that is asked for stands for."""

    def __init__(self, scene: Scene, fits: Widely | None = None) -> None:
        self._fits = fits
        self._nouns: dict[str, int] = {}
        self._attributes: dict[str, int] = {}
        self._edges: dict[str, list[_Edge]] = {}
        places = {each.id: place for place, each in enumerate(scene.objects)}
        for place, each in enumerate(scene.objects):
            self._nouns[each.name] = self._nouns.get(each.name, 0) | 1 << place
            for attribute in each.attributes:
                self._attributes[attribute] = self._attributes.get(attribute, 0) | 1 << place
            for relation in each.relations:
                mods = tuple((mod.name, places[mod.object]) for mod in relation.mods)
                self._edges.setdefault(relation.name, []).append(_Edge(place, places[relation.object], mods))

    def meant(self, graph: Subgraph) -> list[int]:
        """The objects that each node means, as bits by place; nodes from the root on, a child before modifiers."""
        root = self._holding(graph)
        if not root:
            return [0] * _count(graph)
        found: list[int] = []
        self._down(graph, root, found)
        return found

    def holds(self, graph: Subgraph) -> bool:
        """Whether some object is the root of the sub-graph."""
        return self._holding(graph) != 0

    def _holding(self, graph: Subgraph) -> int:
        """The objects of which the sub-graph from here down holds."""
        mask = self._mask(self._nouns, "noun", graph.name)
        if mask and graph.attribute is not None:
            mask &= self._mask(self._attributes, "attribute", graph.attribute)
        for relation in graph.relations:
            if not mask:
                return 0
            subjects = 0
            for edge in self._leading(relation):
                subjects |= 1 << edge.subject
            mask &= subjects
        return mask

    def _leading(self, relation: SubRelation) -> list[_Edge]:
        """The relations of the scene that hold as this one does, with all that is below it."""
        edges = self._named(relation.name)
        if not edges:
            return []
        child = self._holding(relation.child)
        edges = [edge for edge in edges if child >> edge.target & 1]
        for mod in relation.mods:
            if not edges:
                break
            end = self._holding(mod.child)
            edges = [
                edge
                for edge in edges
                if any(end >> target & 1 and self._same("relation", mod.name, name) for name, target in edge.mods)
            ]
        return edges

    def _down(self, graph: Subgraph, mask: int, found: list[int]) -> None:
        """Add what each node means, where the root of this part means a mask."""
        found.append(mask)
        for relation in graph.relations:
            edges = [edge for edge in self._leading(relation) if mask >> edge.subject & 1]
            targets = 0
            for edge in edges:
                targets |= 1 << edge.target
            self._down(relation.child, targets, found)
            for mod in relation.mods:
                held, ends = self._holding(mod.child), 0
                for edge in edges:
                    for name, target in edge.mods:
                        if held >> target & 1 and self._same("relation", mod.name, name):
                            ends |= 1 << target
                self._down(mod.child, ends, found)

    def _mask(self, table: dict[str, int], kind: str, name: str) -> int:
        if self._fits is None:
            return table.get(name, 0)
        mask = 0
        for seen, objects in table.items():
            if self._fits.fits(kind, name, seen):
                mask |= objects
        return mask

    def _named(self, name: str) -> list[_Edge]:
        if self._fits is None:
            return self._edges.get(name, [])
        return [
            edge for seen, edges in self._edges.items() if self._fits.fits("relation", name, seen) for edge in edges
        ]

    def _same(self, kind: str, asked: str, seen: str) -> bool:
        return asked == seen if self._fits is None else self._fits.fits(kind, asked, seen)


class Widely:
    """What fits in the wide sense, each pair asked once."""

    def __init__(self, fits: object) -> None:
        self._fits = fits
        self._known: dict[tuple[str, str, str], bool] = {}

    def fits(self, kind: str, asked: str, seen: str) -> bool:
        """Whether a name of a type may stand for one that is seen."""
        key = (kind, asked, seen)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = bool(getattr(self._fits, kind)(asked, seen))
        return known


def _count(graph: Subgraph) -> int:
    """How many objects a sub-graph has."""
    return 1 + sum(_count(each.child) + sum(_count(mod.child) for mod in each.mods) for each in graph.relations)
