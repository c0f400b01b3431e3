"""What a parser is asked of an example: the question, and where its links are those of the data, these too.

A query has no target and no tags. Of what the data says, the entities and literals that a question mentions are handed
over as the nodes of a graph query without edges: nothing of the form that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.models.kbqa.kbqa_settings import GOLD
from recombine.records.example import frozen_context

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.records.example import Example, Query
    from recombine.records.world import World

_KEPT = ("node_type", "id", "class", "friendly_name", "function")


def asked_query(parser: Any, example: Example, language: str, world: World | None) -> Query:
    """The query of an example for a parser whose `settings.links` say where links come from."""
    query = example.query
    if parser.settings.links != GOLD:
        return query
    nodes = mentioned_nodes(example, language, getattr(world, "profile", None))
    return replace(query, context=frozen_context({"graph_query": {"nodes": nodes}}))


def mentioned_nodes(example: Example, language: str, profile: Profile | None) -> list[dict[str, Any]]:
    """The entities and literals that a question mentions, as nodes; none where the data does not tell."""
    beside: dict[str, Any] = {**example.tags, **example.context}
    graph = beside.get("graph_query")
    nodes = graph.get("nodes") if isinstance(graph, Mapping) else None
    if isinstance(nodes, list | tuple):
        mentioned = [node for node in nodes if isinstance(node, Mapping)]
        return [
            {name: node[name] for name in _KEPT if name in node}
            for node in mentioned
            if node.get("node_type") in ("entity", "literal")
        ]
    return [] if profile is None else _nodes_of_target(example, language, profile)


def _nodes_of_target(example: Example, language: str, profile: Profile) -> list[dict[str, Any]]:
    """What topics, or else the target, name; nothing where it cannot be read, as for other ways of linking."""
    from recombine.kb.linking.gold_links import iter_mentioned

    try:
        mentioned = list(iter_mentioned(example, language or None, profile))
    except RecombineError:
        return []
    return [
        {"node_type": "literal", "id": f"{term.text}^^{term.datatype}", "friendly_name": name}
        if term.kind == '"'
        else {"node_type": "entity", "id": profile.show(term), "friendly_name": name}
        for term, name in mentioned
    ]
