"""A graph query as SPARQL in the way of GrailQA's published queries, which say more than its S-expression.

Nodes in the middle have their classes; all nodes are different from each other; a date is one of the time zone -08:00;
the largest value is the one of a sub-select that repeats the whole graph. Names are whole IRIs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.forms.queries.sets_query import type_triple
from recombine.kb.forms.queries.sparql_leaves import XSD, leaf_of_term
from recombine.kb.term import LITERAL, Term
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphNode, GraphQuery
    from recombine.kb.profiles.profile import Profile

ZONE = "-08:00"
_ZONED = tuple(XSD + name for name in ("date", "gYear", "gYearMonth"))
_ZONE_SAID = re.compile(r".*(?:Z|[+-]\d\d:\d\d)")


def published_query(query: GraphQuery, profile: Profile) -> Tree:
    """The tree of the query."""
    asked = Tree(f"?x{query.asked}")
    inner = _select("select_distinct", asked, _where(query, profile, "x"))
    counted = query.nodes[query.asked].function == COUNT
    return _select("select", Tree("as", (Tree("COUNT", (asked,)) if counted else asked, Tree("?value"))), [inner])


def zoned(term: Term) -> Term:
    """A date in the time zone that published queries give it."""
    if term.kind != LITERAL or term.datatype not in _ZONED or _ZONE_SAID.fullmatch(term.text):
        return term
    return Term.literal(term.text + ZONE, datatype=term.datatype)


def without_zone(term: Term) -> Term:
    """A date without the time zone that published queries give it."""
    if term.kind != LITERAL or term.datatype not in _ZONED or not term.text.endswith(ZONE):
        return term
    return Term.literal(term.text.removesuffix(ZONE), datatype=term.datatype)


def _where(query: GraphQuery, profile: Profile, letter: str) -> list[Tree]:
    leaves = [Tree(f"?{letter}{place}") for place in range(len(query.nodes))]
    elements = []
    for node, leaf in zip(query.nodes, leaves, strict=True):
        if node.function in (ARGMAX, ARGMIN):
            if letter == "x":
                elements.append(_extreme(query, profile, node.function, leaf))
        elif node.value is not None:
            elements.append(_said(node, node.value, leaf, profile))
    for edge in query.edges:
        relation = leaf_of_term(edge.relation, profile)
        elements.append(Tree("triple", (leaves[edge.start], relation, leaves[edge.end])))
    apart = _apart(query, leaves)
    if apart:
        elements.append(Tree("filter", (apart[0] if len(apart) == 1 else Tree("&&", tuple(apart)),)))
    return elements


def _said(node: GraphNode, term: Term, leaf: Tree, profile: Profile) -> Tree:
    if node.kind == "class":
        return type_triple(leaf, leaf_of_term(term, profile), profile)
    value = leaf_of_term(zoned(term), profile)
    if node.function in COMPARISONS:
        return Tree("filter", (Tree(node.function, (leaf, value)),))
    return Tree("values", (Tree("variables", (leaf,)), Tree("row", (value,))))


def _extreme(query: GraphQuery, profile: Profile, function: str, leaf: Tree) -> Tree:
    most = Tree("MAX" if function == ARGMAX else "MIN", (Tree(leaf.label.replace("?x", "?y")),))
    return _select("select", Tree("as", (most, leaf)), _where(query, profile, "y"))


def _apart(query: GraphQuery, leaves: list[Tree]) -> list[Tree]:
    """That nodes are different, save two that are named by one name."""
    names = [node.value if node.kind != "class" and node.function not in COMPARISONS else None for node in query.nodes]
    places = range(len(leaves))
    return [
        Tree("!=", (leaves[one], leaves[other]))
        for one in places
        for other in places[one + 1 :]
        if names[one] is None or names[one] != names[other]
    ]


def _select(label: str, projected: Tree, elements: list[Tree]) -> Tree:
    return Tree(label, (Tree("project", (projected,)), Tree("where", tuple(elements))))
