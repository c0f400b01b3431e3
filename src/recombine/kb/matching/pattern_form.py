"""The canonical form of a pattern, which graph queries and SPARQL are read into.

It is that of the S-expression that says the same. What no S-expression says has a text all the same: the value of a
superlative whose path shares a node with another condition is marked where it stands, `(JOIN film.film.year (ARGMAX))`,
and what is no tree is a list of facts about variables, whose names do not count (see `certificate`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import COMPARISONS
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.matching.certificate import certificate
from recombine.kb.matching.condition_set import ANYTHING, ConditionSet, SetTexts
from recombine.kb.matching.schema_tables import NOTHING
from recombine.kb.matching.words import constant_text, name_text
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
    from recombine.kb.matching.schema_tables import SchemaTables, Step

    Gone = tuple[PatternEdge, int]
    """An edge, and the place of the node that it is gone from."""


GRAPH = "GRAPH"
"""The label of a pattern that is no tree."""


class PatternForms:
    """Canonical forms of patterns."""

    def __init__(self, tables: SchemaTables) -> None:
        self._tables, self._sets = tables, SetTexts(tables)

    def text(self, pattern: Pattern) -> str:
        """The canonical form of a pattern, whether it is a tree or not."""
        try:
            tree = _Tree(one_tree(pattern))
        except FormError:
            return certificate(self._graph(pattern))
        return self._sets.text(self._question(tree))

    def _question(self, tree: _Tree) -> ConditionSet:
        """The set that a pattern asks for."""
        pattern = tree.pattern
        path = self._bare_path(tree)
        members = self._set(tree, pattern.asked, None, without=path[0][0] if path else None)
        if path:
            function = tree.node(_other(*path[-1])).extreme.upper()
            members = self._sets.superlative(function, members, [self.step(*gone) for gone in path])
        return ConditionSet.of(f"(COUNT {self._sets.text(members)})") if pattern.count else members

    def conditions(self, node: PatternNode) -> ConditionSet:
        """What is said of a node by itself."""
        conditions = {constant_text(term) for term in node.constants}
        conditions.update(f"({COMPARISONS[sign]} {constant_text(value)})" for sign, value in node.comparisons)
        if node.extreme:
            conditions.add(f"({node.extreme.upper()})")
        members = ConditionSet(frozenset(conditions), self._classes(node))
        for inner in node.inner:
            members = members.both(self._question(_Tree(one_tree(inner))))
        return members

    def step(self, edge: PatternEdge, place: int) -> Step:
        """The step along an edge from one of its ends."""
        return self._tables.step(name_text(edge.relation), inverse=edge.start != place)

    def _set(
        self, tree: _Tree, place: int, before: PatternEdge | None, depth: int = 0, *, without: PatternEdge | None = None
    ) -> ConditionSet:
        """What a pattern says of a node, apart from the edge that leads to it and one that is left out."""
        if depth >= MAX_DEPTH:
            raise FormError(f"more than {MAX_DEPTH} facts one after the other", "shorten it")
        parts = [self.conditions(tree.node(place))]
        for edge in tree.edges(place):
            if edge is not before and edge is not without:
                end = self._set(tree, _other(edge, place), edge, depth + 1)
                parts.append(self._sets.led([self.step(edge, place)], end))
        conditions, classes, implied = (NOTHING.union(*sides) for sides in zip(*parts, strict=True))
        return ConditionSet(conditions, classes, implied)

    def _graph(self, pattern: Pattern) -> Tree:
        """A pattern that is no tree as facts about variables, without what the facts imply and without repeats."""
        implied: dict[int, frozenset[str]] = {}
        facts = {Tree("COUNT" if pattern.count else "asked", (Tree(f"?{pattern.asked}"),))}
        for edge in pattern.edges:
            along, back = self.step(edge, edge.start), self._tables.step(name_text(edge.relation), inverse=True)
            implied[edge.start] = implied.get(edge.start, NOTHING) | along.here
            implied[edge.end] = implied.get(edge.end, NOTHING) | along.there
            sides: tuple[Tree, ...] = Tree(f"?{edge.start}"), Tree(f"?{edge.end}")
            if along.text == back.text:
                sides = (Tree("~ends", sides),)
            elif along.text.startswith("("):
                along, sides = back, sides[::-1]
            facts.add(Tree("fact", (Tree(along.text), *sides)))
        for place, node in enumerate(pattern.nodes):
            conditions, classes, also = self.conditions(node)
            text = self._sets.text(ConditionSet(conditions, classes, also | implied.get(place, NOTHING)))
            if text != ANYTHING:
                facts.add(Tree("is", (Tree(f"?{place}"), Tree(text))))
        return Tree(GRAPH, (Tree("~all", tuple(facts)),))

    def _classes(self, node: PatternNode) -> frozenset[str]:
        return frozenset(self._tables.one_class.get(name, name) for name in map(name_text, node.classes))

    def _bare_path(self, tree: _Tree) -> list[Gone]:
        """The way to the value of a superlative, where nothing on it says more than an S-expression can."""
        place = tree.pattern.extreme
        if place is None:
            return []
        way: list[Gone] = []
        leaving = NOTHING
        while place != tree.pattern.asked:
            node = tree.node(place)
            edges = [edge for edge in tree.edges(place) if not way or edge is not way[-1][0]]
            if len(edges) != 1 or node.constants or node.comparisons or node.inner:
                return []
            before = _other(edges[0], place)
            step = self.step(edges[0], before)
            if self._classes(node) - step.there - leaving:
                return []
            way.append((edges[0], before))
            leaving, place = step.here, before
        return way[::-1]


class _Tree:
    """A pattern with the edges at each of its nodes."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._edges: dict[int, list[PatternEdge]] = {}
        for edge in pattern.edges:
            self._edges.setdefault(edge.start, []).append(edge)
            self._edges.setdefault(edge.end, []).append(edge)

    def node(self, place: int) -> PatternNode:
        """The node at a place."""
        return self.pattern.nodes[place]

    def edges(self, place: int) -> list[PatternEdge]:
        """The edges that begin or end at a node."""
        return self._edges.get(place, [])


def _other(edge: PatternEdge, place: int) -> int:
    return edge.end if edge.start == place else edge.start
