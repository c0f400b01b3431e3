"""Where questions name things: by the names that the data gives, by a graph query, by brackets."""

from __future__ import annotations

from recombine.pages.kbqa.mentions import mentioned
from recombine.records.example import Example


def test_names_are_found_whatever_their_case_and_the_longest_first() -> None:
    tags = {"topic_entity": {"m.1": "New York", "m.2": "new york city"}}
    found = mentioned(Example.of("is New York City larger than new  york?", "…", tags=tags))
    assert found.pieces == [
        ("is ", False),
        ("New York City", True),
        (" larger than ", False),
        ("new  york", True),
        ("?", False),
    ]
    assert found.wording == "is [0] larger than [1]?"
    assert found.bare == "is  larger than ?"
    assert found.whole


def test_slots_are_places_of_the_graph_query_so_that_names_can_be_changed() -> None:
    nodes = [
        {"id": "c", "node_type": "class"},
        {"id": "m.1", "node_type": "entity", "friendly_name": "Ann"},
        {"id": "5^^int", "node_type": "literal", "friendly_name": "5", "function": "<"},
    ]
    example = Example.of("fewer than 5 by Ann", "…", tags={"graph_query": {"nodes": nodes, "edges": []}})
    found = mentioned(example)
    assert found.names == {2: "5", 1: "Ann"}
    assert found.renamed({1: "Bo", 2: "7"}) == "fewer than 7 by Bo"
    assert mentioned(example, text="by Ann: 5 or fewer").wording == "by [1]: [2] or fewer"


def test_a_name_within_a_word_is_none_and_what_does_not_stand_there_is_told() -> None:
    found = mentioned(Example.of("who annexed it?", "…", tags={"topic": "Ann"}))
    assert (found.mentions, found.whole) == ((), False)


def test_brackets_are_read_where_the_data_has_no_names() -> None:
    assert mentioned(Example.of("who made [Jaws]?", "…")).bare == "who made []?"
    assert mentioned(Example.of("who made [Jaws]?", "…", tags={"topic": "Jaws"})).names == {0: "Jaws"}
    assert not mentioned(Example.of("who made Jaws?", "…")).whole
