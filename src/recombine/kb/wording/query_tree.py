"""A graph query as a tree under the node that is asked for, each node with its noun and each edge with its words.

A relation that joins two over a node that was left out (`/a/b/c./d/e/f`) becomes two edges with a node between them,
which is called by the name of the first; where both have the same name, it is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import FormError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.kb.forms.form import GraphEdge, GraphQuery
    from recombine.kb.term import Term
    from recombine.kb.wording.relation_words import RelationWords
    from recombine.kb.wording.vocabulary import Vocabulary

DATE, NUMBER, TEXT = "date", "number", "text"
MIDDLE = -1
"""The place of a node that was left out."""


@dataclass(slots=True)
class TreeNode:
    """A node with what hangs on it."""

    place: int
    noun: str
    """The noun of its class; empty where nothing is known of it."""
    kind: str
    function: str
    value: str = ""
    """Of a literal: whether it is a date, a number or a text."""
    person: bool = False
    """Whether it is a person, so that one asks `who`."""
    branches: list[Branch] = field(default_factory=list)

    @property
    def leaf(self) -> bool:
        """Whether it is one entity or value."""
        return self.kind != "class"

    @property
    def depth(self) -> int:
        """How many edges are below it at most."""
        return max((1 + branch.child.depth for branch in self.branches), default=0)

    @property
    def superlative(self) -> bool:
        """Whether a superlative is at it or below it."""
        return self.function in ("argmax", "argmin") or any(each.child.superlative for each in self.branches)


@dataclass(slots=True)
class Branch:
    """An edge to a node below."""

    words: RelationWords
    subject: bool
    """Whether the upper node is what the relation leads from."""
    child: TreeNode
    implied_above: bool
    """Whether the relation says the class of the upper node."""
    implied_below: bool
    reverse: RelationWords | None = None
    """The words of the relation that says the same the other way round."""
    relation: Term | None = None


def query_tree(query: GraphQuery, vocabulary: Vocabulary) -> TreeNode:
    """The tree of a query; one that is no tree is a `FormError`."""
    near: dict[int, list[GraphEdge]] = {place: [] for place in range(len(query.nodes))}
    for edge in query.edges:
        near[edge.start].append(edge)
        near[edge.end].append(edge)
    seen: set[int] = set()

    if query.nodes[query.asked].kind != "class":
        raise FormError(f"a graph query that asks for one {query.nodes[query.asked].kind}", "ask for a class")

    def grow(place: int, come_by: GraphEdge | None) -> TreeNode:
        if place in seen:
            raise FormError(f"a graph query with a ring through its node {place}", "word it by hand: it is no tree")
        seen.add(place)
        node = vocabulary.node(query, place)
        for edge in near[place]:
            if edge is not come_by:
                node.branches.append(_branch(query, place, edge, grow, vocabulary))
        if node.leaf and node.branches:
            problem = f"a graph query whose node {place} is one {node.kind} and leads on"
            raise FormError(problem, "put it at the end of a branch, or leave out what hangs on it")
        node.branches.sort(key=lambda branch: (branch.child.superlative, branch.child.depth))
        return node

    root = grow(query.asked, None)
    if len(seen) < len(query.nodes):
        apart = min(set(near) - seen)
        raise FormError(f"a graph query whose node {apart} nothing connects with the one asked for", "add an edge")
    return root


def _branch(
    query: GraphQuery,
    place: int,
    edge: GraphEdge,
    grow: Callable[[int, GraphEdge], TreeNode],
    vocabulary: Vocabulary,
) -> Branch:
    subject = edge.start == place
    below = edge.end if subject else edge.start
    child = grow(below, edge)
    literal = query.nodes[edge.end].kind == "literal"
    above_known = vocabulary.implied(edge.relation, query.nodes[place], subject=subject)
    below_known = vocabulary.implied(edge.relation, query.nodes[below], subject=not subject)
    joined = vocabulary.joined(edge, literal=literal)
    if joined is None:
        words, reverse = vocabulary.words(edge, literal=literal), vocabulary.reverse_words(edge.relation)
        if vocabulary.is_fact(query.nodes[place]) or vocabulary.is_fact(query.nodes[below]):
            words, reverse = words.without_deeds(), reverse and reverse.without_deeds()
        return Branch(words, subject, child, above_known, below_known, reverse, edge.relation)
    first, second, noun = joined
    upper, lower = (first, second) if subject else (second, first)
    middle = TreeNode(MIDDLE, noun, "class", "none", branches=[Branch(lower, subject, child, True, below_known)])
    return Branch(upper, subject, middle, above_known, True)
