"""Pairs of a simple sub-graph and a picture, drawn from annotated scenes (COVR, 2.2 and App. B).

A positive is a simple sub-graph with the picture whose annotation holds it, a negative the same with a picture that
distracts from it. What a negative lacks is known from its annotation alone, and so may be there all the same: that is
what the verifier is to find. Simple sub-graphs with a modifier get the distractors of the sub-graph that has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.related.exclusion import DoesNotExclude
from recombine.scenes.related.kinds import changes_of
from recombine.scenes.subgraph import Subgraph, SubRelation
from recombine.scenes.subgraphs.instances import MODIFIER_MARK, holds
from recombine.scenes.subgraphs.shape import NodeType

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recombine.scenes.related.related_images import RelatedImages

TYPES = (NodeType.NOUN, NodeType.RELATION, NodeType.ATTRIBUTE)
"""The types of changed nodes, from the lowest threshold to the highest."""


class Candidate(NamedTuple):
    """A picture by the place of its scene, a simple sub-graph that it may lack, and the type of the changed node."""

    place: int
    simple: Subgraph
    type: NodeType


class CandidatePairs:
    """Draws pairs from the scenes of related images."""

    def __init__(self, related: RelatedImages) -> None:
        self._related = related
        self._fits = DoesNotExclude(related.exclusion)
        self._known: dict[Subgraph, list[tuple[NodeType, NDArray[np.int32]]]] = {}

    def of_scene(self, place: int) -> list[Subgraph]:
        """The sub-graphs of a scene that are simple, or have one modifier and else nothing."""
        return [graph for graph in self._related.subgraphs(place) if simple_of(graph) is not None]

    def negative(self, graph: Subgraph, draws: np.random.Generator) -> Candidate | None:
        """A picture that distracts from a sub-graph, of a kind drawn first; none where there is none."""
        kinds = self._distractors(graph)
        if not kinds:
            return None
        kind, places = kinds[int(draws.integers(len(kinds)))]
        place = int(places[int(draws.integers(len(places)))])
        simple = simple_of(graph)
        if simple is None or (graph != simple and holds(self._related.scenes[place], simple, fits=self._fits)):
            return None
        return Candidate(place, simple, kind)

    def _distractors(self, graph: Subgraph) -> list[tuple[NodeType, NDArray[np.int32]]]:
        """The places of distractors by kind, with the changed type whose threshold is the highest."""
        if graph not in self._known:
            self._known[graph] = [
                (max((change.type for change in changes_of(name)), key=TYPES.index), some.places)
                for name, some in self._related.distractors(graph).items()
            ]
        return self._known[graph]


def simple_of(graph: Subgraph) -> Subgraph | None:
    """The simple sub-graph that is judged for a sub-graph: itself, or its modifier's; none where it is larger."""
    if not graph.relations:
        return graph
    if len(graph.relations) > 1:
        return None
    relation = graph.relations[0]
    if relation.child.relations or len(relation.mods) > 1:
        return None
    if not relation.mods:
        return graph if graph.attribute is None or relation.child.attribute is None else None
    tool = relation.mods[0].child
    if relation.child.attribute is not None or tool.relations or (graph.attribute and tool.attribute):
        return None
    name = relation.name + MODIFIER_MARK + relation.mods[0].name
    return Subgraph(graph.name, graph.attribute, (SubRelation(name, tool),))
