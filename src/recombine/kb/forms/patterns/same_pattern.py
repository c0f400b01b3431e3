"""Whether the sub-select of a superlative repeats the pattern around it, whatever its variables are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern, PatternNode


def same_pattern(one: Pattern, other: Pattern) -> bool:
    """Whether two patterns are the same when edges are taken in order, or as trees from the value that is marked.

    What is asked for is not compared, since a sub-select for a value does not say it.
    """
    if len(one.nodes) != len(other.nodes) or len(one.edges) != len(other.edges):
        return False
    return _same_in_order(one, other) or _same_trees(one, other)


def _same_in_order(one: Pattern, other: Pattern) -> bool:
    places: dict[int, int] = {}
    for edge, repeated in zip(one.edges, other.edges, strict=True):
        if edge.relation != repeated.relation:
            return False
        for place, counterpart in ((edge.start, repeated.start), (edge.end, repeated.end)):
            if places.setdefault(place, counterpart) != counterpart:
                return False
    if len(set(places.values())) < len(places) or len(places) < len(one.nodes):
        return False
    return all(_label(one.nodes[place]) == _label(other.nodes[places[place]]) for place in places)


def _same_trees(one: Pattern, other: Pattern) -> bool:
    starts = (one.extreme, other.extreme)
    if starts[0] is None or starts[1] is None or len(one.edges) != len(one.nodes) - 1:
        return False
    if one.depth(starts[0]) > MAX_DEPTH or other.depth(starts[1]) > MAX_DEPTH:
        return False
    return bool(_tree(one, starts[0], set()) == _tree(other, starts[1], set()))


def _tree(pattern: Pattern, place: int, seen: set[int]) -> Any:
    """A tree from a node as nested values, branches sorted."""
    seen.add(place)
    branches = []
    for edge in pattern.edges_at(place):
        far = edge.start if edge.end == place else edge.end
        if far not in seen:
            branches.append((edge.relation.key, edge.end == place, _tree(pattern, far, seen)))
    return _label(pattern.nodes[place]), tuple(sorted(branches, key=repr))


def _label(node: PatternNode) -> Any:
    inner = tuple(sorted(map(_inner_label, node.inner)))
    return (
        tuple(sorted(term.key for term in node.constants)),
        tuple(sorted(term.key for term in node.classes)),
        tuple(sorted((sign, term.key) for sign, term in node.comparisons)),
        node.extreme,
        inner,
    )


def _inner_label(pattern: Pattern) -> str:
    """A text that tells sets at a node apart; one that is no tree is like no other."""
    if len(pattern.edges) != len(pattern.nodes) - 1 or pattern.depth(pattern.asked) > MAX_DEPTH:
        return f"pattern {id(pattern)}"
    return repr((pattern.count, _tree(pattern, pattern.asked, set())))
