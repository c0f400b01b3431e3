"""What a graph query says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphNode, GraphQuery
    from recombine.kb.profiles.profile import Profile


def pattern_of_graph(query: GraphQuery, profile: Profile) -> Pattern:
    """The pattern of a graph query, its nodes and edges in their order.

    The class of an entity or a literal is for people, and no condition. A further class of a node is an edge of the
    profile's predicate of classes to a node that names it.
    """
    pattern = Pattern([_node(node) for node in query.nodes], asked=query.asked)
    pattern.count = query.nodes[query.asked].function == COUNT
    pattern.edges = [PatternEdge(edge.start, edge.end, edge.relation) for edge in query.edges]
    return _with_classes(pattern, profile)


def _node(node: GraphNode) -> PatternNode:
    if node.function in (ARGMAX, ARGMIN):
        return PatternNode(extreme=node.function)
    if node.value is None:
        return PatternNode()
    if node.function in COMPARISONS:
        return PatternNode(comparisons=[(node.function, node.value)])
    return PatternNode(classes=[node.value]) if node.kind == "class" else PatternNode(constants=[node.value])


def _with_classes(pattern: Pattern, profile: Profile) -> Pattern:
    """The pattern with names at the end of a predicate of classes as classes."""
    predicates = frozenset(profile.predicates("type"))
    said = [
        edge
        for edge in pattern.edges
        if edge.relation in predicates and edge.end != pattern.asked and _names_class(pattern, edge.end, profile)
    ]
    if not said:
        return pattern
    for edge in said:
        pattern.nodes[edge.start].classes.append(pattern.nodes[edge.end].constants[0])
    gone = {edge.end for edge in said}
    places = {old: new for new, old in enumerate(place for place in range(len(pattern.nodes)) if place not in gone)}
    pattern.edges = [
        PatternEdge(places[edge.start], places[edge.end], edge.relation)
        for edge in pattern.edges
        if edge.end not in gone
    ]
    pattern.nodes = [node for place, node in enumerate(pattern.nodes) if place not in gone]
    pattern.asked = places[pattern.asked]
    return pattern


def _names_class(pattern: Pattern, place: int, profile: Profile) -> bool:
    node = pattern.nodes[place]
    if not node.grounded or node.constants[0].kind == LITERAL or len(pattern.edges_at(place)) > 1:
        return False
    return not (profile.tells_entities and profile.is_entity(node.constants[0]))
