"""What data says that its questions mention."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.errors import RecombineError
from recombine.kb.linking.find_literals import XSD
from recombine.kb.linking.gold_links import GoldLinks, gold_links
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.records.example import Example

FREEBASE, PLAIN = find_profile("freebase"), find_profile("plain")
NODES = [
    {"node_type": "class", "id": "film.film", "friendly_name": "Film", "function": "none"},
    {"node_type": "entity", "id": "m.01", "friendly_name": "Jaws", "function": "none"},
    {"node_type": "literal", "id": f"1975^^{XSD}integer", "friendly_name": "1975", "function": ">="},
    {"node_type": "literal", "id": f"0^^{XSD}int", "friendly_name": "0", "function": "argmax"},
]


def gold(source: str, target: str = "…", language: str | None = None, **tags: object) -> GoldLinks:
    return gold_links(Example.of(source, target, tags=tags), language, FREEBASE)  # type: ignore[arg-type]


def test_a_graph_query() -> None:
    found = gold("the longest film like jaws from 1975", graph_query={"nodes": NODES})
    assert found.entities == {Term.name("m.01")}
    assert found.literals == {Term.literal("1975", datatype=XSD + "integer")}, "not that of the superlative"
    assert (found.spans, found.unplaced) == (((4, 5),), 0)


def test_topics_where_there_is_no_graph() -> None:
    found = gold("is kindle books like Jaws?", topic_entity={"m.01": "Jaws", "m.02": "Amazon Kindle"})
    assert found.entities == {Term.name("m.01"), Term.name("m.02")}
    assert (found.spans, found.unplaced) == (((4, 5),), 1)


def test_what_a_program_names() -> None:
    found = gold("who made it", "(AND film.film (JOIN film.film.directed_by m.03))", "sexpression")
    assert (found.entities, found.unplaced) == (frozenset([Term.name("m.03")]), 1)


def test_brackets_give_nothing_away() -> None:
    tags: Any = {"topic": "Tom Cullen", "answers": ["Weekend"]}
    example = Example.of("what does [Tom Cullen] act in", "Weekend", tags=tags)
    found = gold_links(example, None, PLAIN)
    assert found.text == "what does Tom Cullen act in"
    assert found.entities == {Term.name("Tom Cullen")}, "answers are not mentioned"
    assert found.spans == ((2, 4),)


def test_data_that_says_nothing() -> None:
    with pytest.raises(RecombineError, match="what it names cannot be told"):
        gold("who made it", answers=["m.01"])
    with pytest.raises(RecombineError, match="node 0 of the graph query has no id"):
        gold("who", graph_query={"nodes": [{"node_type": "entity"}]})
    assert gold("how many films?", graph_query={"nodes": NODES[:1]}).entities == frozenset()
