"""Questions with slots in place of what they name."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.evaluation.groups.paraphrases import slotted_question
from recombine.records.example import Example


def slotted(question: str, *literals: str, **tags: Any) -> tuple[str, int, int]:
    slots = slotted_question(Example.of(question, "…", tags=tags), literals)
    assert slots.entities <= slots.named
    return slots.text, slots.named, slots.standing


GRAPH = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "film.film", "friendly_name": "Film", "function": "none"},
        {"nid": 1, "node_type": "entity", "id": "m.0", "friendly_name": "Ang Lee", "function": "none"},
        {"nid": 2, "node_type": "literal", "id": "5^^int", "friendly_name": "5", "function": "<"},
        {"nid": 3, "node_type": "literal", "id": "0^^int", "friendly_name": "0", "function": "argmax"},
    ]
}


def test_names_by_entity() -> None:
    tags = {"topic_entity": {"m.0": "Ang Lee", "m.1": "Ang"}}
    assert slotted("Which film did ang  lee make with Ang?", **tags) == ("which film did [] make with []?", 2, 2)


def test_friendly_names_of_a_graph_query() -> None:
    """The class stays, and so does the literal that a superlative's graph has and no question says."""
    assert slotted("which film of Ang Lee took less than 5 years", graph_query=GRAPH) == (
        *("which film of [] took less than [] years", 2, 2),
    )


def test_one_entity_may_have_two_names() -> None:
    tags = {"topic_entity": {"m.0": "A. Lee"}, "graph_query": GRAPH}
    assert slotted("what took a. lee less than 5 years", **tags) == ("what took [] less than [] years", 2, 2)


@pytest.mark.parametrize("tags", [{"topic": "Ann"}, {"topic_name": "Ann"}, {"entities": ["Ann"]}])
def test_names_alone(tags: dict[str, Any]) -> None:
    assert slotted("who knows ann?", **tags) == ("who knows []?", 1, 1)
    assert slotted("who knows joanna?", **tags) == ("who knows joanna?", 1, 0)


def test_values_of_the_program() -> None:
    assert slotted("who led in 1990?", "1990") == ("who led in []?", 1, 1)
    assert slotted_question(Example.of("who led in 1990?", "…"), ["1990"]).entities == 0
    assert slotted("who led in 19905?", "1990") == ("who led in 19905?", 1, 0)
    assert slotted("who led in 1990?", "1990", graph_query=GRAPH)[1] == 2


def test_names_of_the_context() -> None:
    example = Example.of("who knows Ann?", "…", context={"entities": {"Q1": "Ann"}})
    assert slotted_question(example).text == "who knows []?"


def test_no_names() -> None:
    assert slotted("who knows Ann?") == ("who knows ann?", 0, 0)
    assert slotted("who knows Ann?", graph_query="broken", topic=5, entities={"Q1": None}) == ("who knows ann?", 0, 0)


def test_signs_in_names_are_no_patterns() -> None:
    assert slotted("who wrote c++ (1st)?", topic="C++ (1st)") == ("who wrote []?", 1, 1)
