"""What a parser is asked: with gold links the entities and literals of the question, and nothing of its form."""

from __future__ import annotations

import json
from types import SimpleNamespace

from town import ONTO, entity, question, town

from recombine.models.kbqa.asked_query import asked_query
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.records.example import Example, thawed


def asker(links: str) -> SimpleNamespace:
    return SimpleNamespace(settings=KbqaSettings(links=links))


def test_gold_links_are_nodes_without_edges_or_classes() -> None:
    example = question(0)
    query = asked_query(asker("gold"), example, "sexpression", None)
    assert thawed(query.context) == {
        "graph_query": {
            "nodes": [
                {
                    "node_type": "entity",
                    "id": entity("Ada_Berg"),
                    "friendly_name": "Ada Berg",
                    "function": "none",
                }
            ]
        }
    }
    assert "author" not in json.dumps(thawed(query.context))
    assert (query.id, query.source) == (example.id, example.source)


def test_without_gold_links_a_query_is_as_ever() -> None:
    assert asked_query(asker("linker"), question(0), "sexpression", None) == question(0).query


def test_where_the_data_has_no_nodes_the_target_tells_what_is_mentioned() -> None:
    plain = Example.of("who wrote it?", f"(JOIN <{ONTO}library/author> {entity('Ada_Berg')})")
    nodes = thawed(asked_query(asker("gold"), plain, "sexpression", town()).context)["graph_query"]["nodes"]
    assert [(node["node_type"], node["id"]) for node in nodes] == [("entity", entity("Ada_Berg"))]
    unreadable = Example.of("who wrote it?", "(JOIN")
    assert thawed(asked_query(asker("gold"), unreadable, "sexpression", town()).context)["graph_query"]["nodes"] == []
