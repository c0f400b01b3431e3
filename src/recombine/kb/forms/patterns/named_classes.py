"""Classes that are said by facts: what a predicate of classes leads to by name is a class, and no node of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.pattern import PatternEdge
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.profiles.profile import Profile


def named_classes(pattern: Pattern, profile: Profile) -> Pattern:
    """The pattern with each such class said of the node, and its own node gone."""
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
