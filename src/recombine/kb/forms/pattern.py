"""What a logical form says, apart from its notation: nodes with conditions, and facts between them.

Every notation is read into a pattern and written from one, so that six conversions are three readers and three
writers. Nodes and edges stand in the order in which the form names them. The answers are what can stand at the node
that is asked for; where a node is marked as an extreme, only matches whose value there is the largest (or smallest) of
all matches count. A set with a function of its own, which is found before all else, is a pattern at a node in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.kb.term import Term


@dataclass(slots=True)
class PatternNode:
    """Anything that meets all of some conditions."""

    constants: list[Term] = field(default_factory=list)
    """Entities or literals that it is."""
    classes: list[Term] = field(default_factory=list)
    comparisons: list[tuple[str, Term]] = field(default_factory=list)
    """Comparisons such as `<=` that it meets, each with its literal."""
    extreme: str = ""
    """`argmax` or `argmin` where its value is the largest or smallest."""
    inner: list[Pattern] = field(default_factory=list)
    """Sets that it is in, each found by itself."""

    @property
    def grounded(self) -> bool:
        """Whether it is one entity or literal, and nothing else is said of it."""
        return len(self.constants) == 1 and not (self.classes or self.comparisons or self.extreme or self.inner)


@dataclass(slots=True)
class PatternEdge:
    """A fact from one node to another, each by its place."""

    start: int
    end: int
    relation: Term


@dataclass(slots=True)
class Pattern:
    """Nodes, edges, and the place of the node that is asked for, or whose things are counted."""

    nodes: list[PatternNode] = field(default_factory=list)
    edges: list[PatternEdge] = field(default_factory=list)
    asked: int = 0
    count: bool = False
    distinct: bool = False
    """Whether all nodes are different from each other."""

    def add(self, node: PatternNode | None = None) -> int:
        """The place of a further node."""
        self.nodes.append(node or PatternNode())
        return len(self.nodes) - 1

    @property
    def extreme(self) -> int | None:
        """The place of the node that is marked as an extreme."""
        return next((place for place, node in enumerate(self.nodes) if node.extreme), None)

    def edges_at(self, place: int) -> list[PatternEdge]:
        """The edges that begin or end at a node, in their order."""
        return [edge for edge in self.edges if place in (edge.start, edge.end)]

    def depth(self, place: int) -> int:
        """The nodes on the longest of the shortest ways from a node."""
        near = self._near()
        level, seen, depth = [place], {place}, 0
        while level:
            level = list(dict.fromkeys(far for node in level for far in near.get(node, ()) if far not in seen))
            seen.update(level)
            depth += 1
        return depth

    def splice(self, place: int, other: Pattern) -> None:
        """Say of a node all that another pattern says of what it asks for."""
        places = {}
        for number, node in enumerate(other.nodes):
            if number != other.asked:
                places[number] = self.add(node)
                continue
            places[number] = place
            mine = self.nodes[place]
            mine.constants += node.constants
            mine.classes += node.classes
            mine.comparisons += node.comparisons
            mine.inner += node.inner
        self.edges += [PatternEdge(places[edge.start], places[edge.end], edge.relation) for edge in other.edges]

    def merge(self, gone: int, kept: int) -> list[int]:
        """Let one node stand for another, which goes; where each node stands after that."""
        places = [place - (place > gone) for place in range(len(self.nodes))]
        places[gone] = places[kept]
        for edge in self.edges:
            edge.start, edge.end = places[edge.start], places[edge.end]
        del self.nodes[gone]
        self.asked = places[self.asked]
        return places

    def reached(self, *, without: int | None = None) -> set[int]:
        """The nodes that edges connect with the asked-for node, when one node is not passed."""
        seen, waiting, near = {self.asked}, [self.asked], self._near()
        while waiting:
            for other in near.get(waiting.pop(), ()):
                if other not in seen and other != without:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def _near(self) -> dict[int, list[int]]:
        near: dict[int, list[int]] = {}
        for edge in self.edges:
            near.setdefault(edge.start, []).append(edge.end)
            near.setdefault(edge.end, []).append(edge.start)
        return near
