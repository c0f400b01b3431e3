"""Compounds as graphs: read back from their names, compared, and taken apart.

A name (`structures.canonical`) is read with the list of known rules, since a rule's own name may hold spaces, brackets
and commas. A name that cannot be read this way gives no graph, and the report then shows it as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.structures.graphs.canonical import canonical_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Edge = tuple[int, int, int]
_Tree = tuple[str, tuple[tuple[int, "_Tree"], ...]]
_SLOT = re.compile(r"([0-9]+):")
_ARC = re.compile(r"([0-9]+)\.([0-9]+)>([0-9]+)")


@dataclass(frozen=True)
class Graph:
    """Rules by node, and edges `(parent, child, slot)`."""

    rules: tuple[str, ...]
    edges: tuple[Edge, ...]

    @cached_property
    def name(self) -> str:
        """The canonical text."""
        return canonical_text(self.rules, self.edges)

    def part(self, nodes: Iterable[int]) -> Graph:
        """The sub-graph of these nodes with all edges between them."""
        keep = sorted(nodes)
        number = {node: place for place, node in enumerate(keep)}
        edges = ((number[p], number[c], slot) for p, c, slot in self.edges if p in number and c in number)
        return Graph(tuple(self.rules[node] for node in keep), tuple(edges))

    def contains(self, other: Graph) -> bool:
        """Whether the other graph is a sub-graph of this one, with all edges between its nodes.

        >>> whole = Graph(("twice", "around", "act"), ((0, 1, 1), (1, 2, 1)))
        >>> whole.contains(whole.part([0, 1])), whole.part([0, 1]).contains(whole)
        (True, False)
        """
        if not set(other.rules) <= set(self.rules):
            return False
        own_edges, other_edges = set(self.edges), set(other.edges)
        return any(
            {(p, c, s) for p, c, s in own_edges if p in image and c in image}
            == {(chosen[p], chosen[c], s) for p, c, s in other_edges}
            for chosen in self._choices(other, ())
            for image in (set(chosen),)
        )

    def _choices(self, other: Graph, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Nodes of this graph for the nodes of the other, with the same rules and no edge missing so far."""
        here = len(chosen)
        if here == len(other.rules):
            yield chosen
            return
        for node, rule in enumerate(self.rules):
            if rule != other.rules[here] or node in chosen:
                continue
            extended = (*chosen, node)
            needed = ((extended[p], extended[c], s) for p, c, s in other.edges if max(p, c) == here)
            if all(edge in self.edges for edge in needed):
                yield from self._choices(other, extended)

    def iter_parts(self, limit: int = 2000) -> Iterator[list[frozenset[int]]]:
        """The connected sets of nodes, one node fewer each time, down to single nodes; at most `limit` of a size."""
        near: list[set[int]] = [set() for _ in self.rules]
        for parent, child, _ in self.edges:
            near[parent].add(child)
            near[child].add(parent)
        level = [frozenset(range(len(self.rules)))]
        while len(level[0]) > 1:
            smaller = {nodes - {node} for nodes in level for node in nodes}
            level = sorted((nodes for nodes in smaller if _connected(nodes, near)), key=sorted)[:limit]
            yield level


def _connected(nodes: frozenset[int], near: Sequence[set[int]]) -> bool:
    reached, waiting = set[int](), [min(nodes)]
    while waiting:
        node = waiting.pop()
        reached.add(node)
        waiting += (near[node] & nodes) - reached
    return reached == nodes


class NameReader:
    """Reads names of compounds over known rules.

    >>> reader = NameReader(["and", "[[V twice]]", "jump"])
    >>> reader.read("and(1:[[V twice]](1:jump), 2:jump)").edges
    ((0, 1, 1), (1, 2, 1), (0, 3, 2))
    """

    def __init__(self, rules: Iterable[str]) -> None:
        self.starting: dict[str, list[str]] = {}
        # Longer names first: of "S" and "S and S" the longer one is tried before the shorter.
        for rule in sorted(set(rules) - {""}, key=lambda rule: (-len(rule), rule)):
            self.starting.setdefault(rule[0], []).append(rule)

    def read(self, name: str) -> Graph | None:
        """The graph of a name; none where the name is not one over these rules."""
        for tree, end in self._trees(name, 0):
            if end == len(name):
                return _flat(tree)
        return self._read_graph(name)

    def _rules_at(self, text: str, at: int) -> list[str]:
        return [rule for rule in self.starting.get(text[at : at + 1], ()) if text.startswith(rule, at)]

    def _trees(self, text: str, at: int) -> Iterator[tuple[_Tree, int]]:
        for rule in self._rules_at(text, at):
            end = at + len(rule)
            yield (rule, ()), end
            if text.startswith("(", end):
                for children, stop in self._children(text, end + 1):
                    yield (rule, children), stop

    def _children(self, text: str, at: int) -> Iterator[tuple[tuple[tuple[int, _Tree], ...], int]]:
        slot = _SLOT.match(text, at)
        if slot is None:
            return
        for tree, end in self._trees(text, slot.end()):
            first = (int(slot[1]), tree)
            if text.startswith(")", end):
                yield (first,), end + 1
            elif text.startswith(", ", end):
                for rest, stop in self._children(text, end + 2):
                    yield (first, *rest), stop

    def _read_graph(self, name: str) -> Graph | None:
        if not (name.startswith("{") and name.endswith("}")):
            return None
        head, _, tail = name[1:-1].rpartition("; ")
        arcs = [_ARC.fullmatch(arc) for arc in tail.split(" ")]
        edges = [(int(arc[1]), int(arc[3]), int(arc[2])) for arc in arcs if arc]
        if len(edges) != len(arcs):
            return None
        # A compound is connected, so every node is in an edge and the largest number gives their count.
        size = 1 + max(max(parent, child) for parent, child, _ in edges)
        for rules in self._sequences(head, 0, size):
            return Graph(rules, tuple(edges))
        return None

    def _sequences(self, text: str, at: int, size: int) -> Iterator[tuple[str, ...]]:
        for rule in self._rules_at(text, at):
            end = at + len(rule)
            if size == 1 and end == len(text):
                yield (rule,)
            elif size > 1 and text.startswith(" ", end):
                for rest in self._sequences(text, end + 1, size - 1):
                    yield (rule, *rest)


def _flat(tree: _Tree) -> Graph:
    rules: list[str] = []
    edges: list[Edge] = []

    def visit(node: _Tree) -> None:
        here = len(rules)
        rules.append(node[0])
        for slot, child in node[1]:
            edges.append((here, len(rules), slot))
            visit(child)

    visit(tree)
    return Graph(tuple(rules), tuple(edges))
