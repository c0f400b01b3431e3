"""A graph query executed on an embedded index: its nodes as sets of ids, from the leaves to the node asked for.

Every edge is a fact, every node with a class is of that class, and different nodes may be the same. A superlative is of
the whole graph: its value is the largest that the literal takes with all other conditions. A graph without circles is
answered exactly by narrowing the sets from the leaves on; one with a circle is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import FormError
from recombine.kb.embedded.form_sets import NOTHING
from recombine.kb.embedded.sexpression_answers import Members
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.store import Step

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.form_sets import FormSets
    from recombine.kb.forms.form import GraphQuery

    Ids = npt.NDArray[np.int32]

_SIGNS = {ARGMAX: 1, ARGMIN: -1}


def graph_answers(sets: FormSets, graph: GraphQuery) -> Members | int:
    """The members of what a graph query asks for; a number where it counts them."""
    walk = _Walk(sets, graph)
    superlatives = [place for place, node in enumerate(graph.nodes) if node.function in _SIGNS]
    if len(superlatives) > 1:
        raise FormError("a graph query with two superlatives", "ask for one")
    for place in superlatives:
        reached = walk.members(place)
        walk.known[place] = sets.extreme_literals(reached, _SIGNS[graph.nodes[place].function])
    members = walk.asked()
    return len(members) if graph.nodes[graph.asked].function == COUNT else members


class _Walk:
    """The sets of a graph's nodes, each narrowed by what lies behind it."""

    def __init__(self, sets: FormSets, graph: GraphQuery) -> None:
        self.sets, self.graph = sets, graph
        self.known: dict[int, Ids] = {}
        self._beside: list[list[tuple[int, Step]]] = [[] for _ in graph.nodes]
        for edge in graph.edges:
            self._beside[edge.start].append((edge.end, Step(edge.relation)))
            self._beside[edge.end].append((edge.start, Step(edge.relation, True)))
        self._check_tree()

    def _check_tree(self) -> None:
        reached, waiting = {self.graph.asked}, [self.graph.asked]
        while waiting:
            for place, _ in self._beside[waiting.pop()]:
                if place not in reached:
                    reached.add(place)
                    waiting.append(place)
        if len(reached) < len(self.graph.nodes):
            raise FormError("a graph query of several parts", "join them by edges")
        if len(self.graph.edges) >= len(self.graph.nodes):
            raise FormError("a graph query with a circle", "write it as SPARQL, and ask that")
        if self._is_compared(self.graph.asked):
            raise FormError("a graph query that asks for a literal that compares", "ask for another node")

    def asked(self) -> Members:
        """The members of the node that is asked for."""
        node = self.graph.nodes[self.graph.asked]
        alone = node.kind == "entity" and not self.graph.edges
        if alone and node.value is not None and self.sets.store.id(node.value) < 0:
            return Members(NOTHING, frozenset([node.value]))
        return Members(self.members(self.graph.asked))

    def members(self, place: int) -> Ids:
        """The ids that a node can be, with all that hangs on it."""
        found = self._narrowed(place, None)
        if found is None:
            raise FormError("a graph query that asks for anything", "say a class, an entity or a fact")
        return found

    def _narrowed(self, place: int, from_: int | None) -> Ids | None:
        """What a node can be, given what lies behind it as it is come to from another; none is anything."""
        node = self.graph.nodes[place]
        found = self.known.get(place)
        if found is None and node.kind == "entity" and node.value is not None:
            number = self.sets.store.id(node.value)
            found = np.array([number], np.int32) if number >= 0 else NOTHING
        elif found is None and node.kind == "literal" and node.value is not None and node.function in ("none", COUNT):
            found = self.sets.equal(node.value)
        late: list[tuple[int, Step]] = []
        for other, step in self._beside[place]:
            if other == from_:
                continue
            behind = None if self._is_compared(other) else self._narrowed(other, place)
            if behind is None:
                late.append((other, step))
            else:
                reached = self.sets.against(behind, [step])
                found = reached if found is None else self.sets.store.intersection(found, reached)
        if node.kind == "class" and node.value is not None:
            found = self.sets.of_class(node.value, found)
        for other, step in late:
            found = self._asked_of(other, step, found)
        return found

    def _is_compared(self, place: int) -> bool:
        """Whether a node is a leaf that compares."""
        return self.graph.nodes[place].function in COMPARISONS

    def _asked_of(self, place: int, step: Step, among: Ids | None) -> Ids:
        """Those from which a step leads to a value that compares, or to anything."""
        node = self.graph.nodes[place]
        if node.function not in COMPARISONS:
            return self.sets.having(step, among)
        if len(self._beside[place]) > 1:
            raise FormError("a comparison of a literal with several facts", "give each its own literal")
        if node.value is None:
            raise FormError("a comparison with nothing", "give the literal a value")
        return self.sets.compared([step], node.function, node.value, among)  # type: ignore[arg-type]
