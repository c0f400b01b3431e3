"""A graph query as the JSON that GrailQA writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.kb.forms.form import ARGMAX, ARGMIN, GraphNode, GraphQuery
from recombine.kb.forms.sexpression_words import write_word

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

_NO_LITERAL = "0^^http://www.w3.org/2001/XMLSchema#int"
"""What GrailQA writes for the literal of a superlative."""


def write_graph(query: GraphQuery, profile: Profile) -> dict[str, Any]:
    """The JSON object of a graph query; nodes are numbered by their places."""
    return {
        "nodes": [_node(query, place, profile) for place in range(len(query.nodes))],
        "edges": [
            {
                "start": edge.start,
                "end": edge.end,
                "relation": write_word(edge.relation, profile),
                "friendly_name": edge.name,
            }
            for edge in query.edges
        ],
    }


def _node(query: GraphQuery, place: int, profile: Profile) -> dict[str, Any]:
    node: GraphNode = query.nodes[place]
    of_class = node.value if node.kind == "class" else node.of_class
    return {
        "nid": place,
        "node_type": node.kind,
        "id": _NO_LITERAL if node.function in (ARGMAX, ARGMIN) else _word(node.value, profile),
        "class": _word(of_class, profile),
        "friendly_name": node.name,
        "question_node": int(place == query.asked),
        "function": node.function,
    }


def _word(term: Term | None, profile: Profile) -> str | None:
    return None if term is None else write_word(term, profile)
