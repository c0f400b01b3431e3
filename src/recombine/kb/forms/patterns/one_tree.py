"""A pattern as a tree from the asked-for node, where it is one."""

from __future__ import annotations

from copy import copy

from recombine.errors import FormError
from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
from recombine.tree import MAX_DEPTH


def one_tree(pattern: Pattern) -> Pattern:
    """The pattern with an entity that closes a cycle named anew at each of its facts; another cycle is refused."""
    split = _split(pattern)
    if len(split.reached()) < len(split.nodes):
        raise FormError("a part of it is not connected with what is asked for", "connect it, or leave it out")
    if len(split.edges) >= len(split.nodes):
        raise FormError("it is cyclic: two paths lead from what is asked for to one node", "keep it as SPARQL")
    if split.depth(split.asked) > MAX_DEPTH:
        raise FormError(f"it is deeper than {MAX_DEPTH} levels as an S-expression", "keep it as it is")
    return split


def _split(pattern: Pattern) -> Pattern:
    if len(pattern.edges) < len(pattern.nodes):
        return pattern
    split = copy(pattern)
    split.nodes, split.edges = list(pattern.nodes), list(pattern.edges)
    for place, node in enumerate(pattern.nodes):
        if place == pattern.asked or not node.grounded:
            continue
        near = split.reached(without=place)
        closing = [n for n, edge in enumerate(split.edges) if _other_end(edge, place) in near]
        for number in closing[1:]:
            edge = split.edges[number]
            other = split.add(PatternNode(constants=list(node.constants)))
            start, end = (other, edge.end) if edge.start == place else (edge.start, other)
            split.edges[number] = PatternEdge(start, end, edge.relation)
    return split


def _other_end(edge: PatternEdge, place: int) -> int | None:
    if place not in (edge.start, edge.end) or edge.start == edge.end:
        return None
    return edge.end if edge.start == place else edge.start
