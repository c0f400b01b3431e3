"""Links of a file, and of a linker over a file of names, are handed on as what the data says."""

from __future__ import annotations

from pathlib import Path

import pytest
from town import entity, question, town

from recombine.errors import RecordError
from recombine.models.kbqa.link_file import read_link_nodes
from recombine.models.kbqa.linked_examples import linked_examples
from recombine.records.example import Example


def names(examples: list[Example]) -> list[list[str]]:
    return [[node["id"] for node in each.context["graph_query"]["nodes"]] for each in examples]


def test_links_of_a_file_are_those_of_the_data(tmp_path: Path) -> None:
    first, second = question(0), question(1)
    (tmp_path / "l.jsonl").write_text(
        f'{{"id": "{first.id}", "links": [{{"text": "Ada", "linked": ["{entity("Ada_Berg")}", "1999^^xsd:gYear"]}}]}}\n'
    )
    made, way = linked_examples([first, second], str(tmp_path / "l.jsonl"), town())
    assert (names(list(made)), way) == ([[entity("Ada_Berg"), "1999^^xsd:gYear"], []], "gold")
    node = made[0].context["graph_query"]["nodes"][0]
    assert (node["node_type"], node["friendly_name"]) == ("entity", "Ada")
    assert made[0].context["graph_query"]["nodes"][1]["node_type"] == "literal"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a"}', "does not say the links of a question"),
        ('{"id": 3, "entities": []}', "does not say the links of a question"),
        ('{"id": "a", "entities": [3]}', "does not say the links of a question"),
        ('{"id": "a", "entities": []}\n{"id": "a", "entities": []}', "line 2: the question 'a' is there before"),
    ],
)
def test_what_is_no_file_of_links_is_refused(line: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "l.jsonl").write_text(line + "\n")
    with pytest.raises(RecordError, match=told):
        read_link_nodes(tmp_path / "l.jsonl")


def test_a_linker_over_names_of_a_file_finds_what_they_name(tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(f"{entity('Ada_Berg')}\tThe_Sailor\n<http://example.org/nobody>\tThe Cook\n")
    asked = [Example.of("what did The Sailor write?", "x"), Example.of("what did The Cook write?", "x")]
    made, way = linked_examples(asked, "linker", town(), str(tmp_path / "names.tsv"))
    assert (names(list(made)), way) == ([[entity("Ada_Berg")], []], "gold")
    (tmp_path / "names.tsv").write_text("<http://example.org/nobody>\tThe Cook\n")
    assert linked_examples(asked, "linker", town(), str(tmp_path / "names.tsv")) == (asked, "linker")
    assert linked_examples(asked, "gold", town(), str(tmp_path / "names.tsv")) == (asked, "gold")
