"""What a graph query says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
from recombine.kb.forms.patterns.named_classes import named_classes

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
    return named_classes(pattern, profile)


def _node(node: GraphNode) -> PatternNode:
    if node.function in (ARGMAX, ARGMIN):
        return PatternNode(extreme=node.function)
    if node.value is None:
        return PatternNode()
    if node.function in COMPARISONS:
        return PatternNode(comparisons=[(node.function, node.value)])
    return PatternNode(classes=[node.value]) if node.kind == "class" else PatternNode(constants=[node.value])
