"""A pattern as a graph query, which has one class or name at a node, and one function at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import COUNT, NONE, GraphEdge, GraphNode, GraphQuery
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern, PatternNode
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

_STAYS = "keep it as an S-expression or SPARQL"


def graph_of_pattern(pattern: Pattern, profile: Profile) -> GraphQuery:
    """The graph query of a pattern; what it has no place for is refused.

    A second class of a node, and a class beside a name, is an edge of the profile's predicate of classes.
    """
    functions = _functions(pattern)
    if len(functions) > 1:
        raise FormError(f"it has two functions, {functions[0]} and {functions[1]}; a graph query has one", _STAYS)
    if any(node.inner for node in pattern.nodes):
        raise FormError(f"{functions[0]} is of a set within the form; that of a graph query is of all", _STAYS)
    if len(pattern.reached()) < len(pattern.nodes):
        raise FormError("a part of it is not connected with what is asked for", "connect it, or leave it out")
    nodes: list[GraphNode] = []
    beside: list[tuple[int, Term]] = []
    for place, node in enumerate(pattern.nodes):
        count = pattern.count and place == pattern.asked
        nodes.append(_node(node, COUNT if count else NONE))
        if place == pattern.asked and nodes[place].kind == "literal":
            raise FormError("a literal is asked for; a graph query asks for things of a class", _STAYS)
        beside += [(place, name) for name in node.classes[0 if node.constants else 1 :]]
    edges = [GraphEdge(edge.start, edge.end, edge.relation) for edge in pattern.edges]
    for edge in edges:
        if nodes[edge.start].kind == "literal":
            raise FormError("a fact begins at a literal", _STAYS)
    for place, name in beside:
        predicates = profile.predicates("type")
        if not predicates:
            raise FormError(f"the profile {profile.name!r} has no predicate of classes", 'give it type = ["…"]')
        edges.append(GraphEdge(place, len(nodes), predicates[0]))
        nodes.append(GraphNode("entity", name))
    return GraphQuery(tuple(nodes), tuple(edges), pattern.asked)


def _functions(pattern: Pattern) -> list[str]:
    functions = ["COUNT"] if pattern.count else []
    for node in pattern.nodes:
        if node.extreme:
            functions.append(node.extreme.upper())
        functions += [sign for sign, _ in node.comparisons]
        for inner in node.inner:
            functions += _functions(inner)
    return functions


def _node(node: PatternNode, function: str) -> GraphNode:
    if node.extreme or node.comparisons:
        if node.constants or node.classes or function != NONE:
            raise FormError("a value that is compared has conditions of its own", _STAYS)
        if node.extreme:
            return GraphNode("literal", None, function=node.extreme)
        sign, value = node.comparisons[0]
        return GraphNode("literal", value, function=sign)
    if len(node.constants) > 1:
        raise FormError("one node is two things by their names", _STAYS)
    if node.constants:
        constant = node.constants[0]
        if function != NONE:
            raise FormError("an entity is counted; a graph query counts things of a class", _STAYS)
        return GraphNode("literal" if constant.kind == LITERAL else "entity", constant)
    return GraphNode("class", node.classes[0] if node.classes else None, function=function)
