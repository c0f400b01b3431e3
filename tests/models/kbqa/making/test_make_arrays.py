"""Arrays of a data set in one call: by gold links, by a linker, and by a file of links."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recombine.errors import OptionError, RecordError
from recombine.kb.open_store import open_store
from recombine.languages.known import find_language
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.making.make_arrays import make_arrays
from recombine.records.dataset import Dataset
from recombine.records.example import Example

EXAMPLES = (
    Example(id="a", source="what did Ann Other direct?", target="(AND Film (JOIN directed_by Ann_Other))"),
    Example(id="b", source="who made [Tin Boat]?", target="(JOIN (R directed_by) Tin_Boat)"),
    Example(id="c", source="which films are there?", target="(ARGMAX Film released)"),
)


def data(*, with_store: bool = True) -> Dataset:
    """The examples over the films."""
    world = open_store("docs/examples/films.ttl") if with_store else None
    return Dataset.of("films", EXAMPLES, language=find_language("sexpression"), world=world)


@pytest.mark.parametrize("links", ["gold", "linker", "FILE"])
def test_each_way_of_linking(links: str, tmp_path: Path) -> None:
    path = tmp_path / "links.jsonl"
    lines = [
        {"id": "a", "entities": ["Ann_Other"]},
        {"id": "b", "links": [{"text": "Tin Boat", "linked": ["Tin_Boat"]}]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = make_arrays(data(), EXAMPLES, str(path) if links == "FILE" else links, KbqaSettings())
    questions = made.questions
    assert questions.texts[1] == "who made Tin Boat?"
    assert questions.link_words == ("Ann_Other", "Tin_Boat")
    assert [questions.text(row, questions.targets[row], made.schema) for row in range(3)] == [
        "(AND Film (JOIN directed_by Ann_Other))",
        "(AND Person (JOIN (R directed_by) Tin_Boat))",
        "(ARGMAX Film released)",
    ]
    assert made.counts.to_dict()["outcomes"] == {"covered": 2, "a function": 1}
    assert made.counts.without_link == made.counts.without_candidates == 1


def test_settings_say_what_candidates_there_are() -> None:
    beyond = KbqaSettings(beyond="superlatives, comparatives", hops=1, answer_class=False)
    made = make_arrays(data(), EXAMPLES, "gold", beyond)
    assert made.counts.to_dict()["outcomes"] == {"covered": 3}
    assert made.questions.text(0, made.questions.targets[0], made.schema) == "(JOIN directed_by Ann_Other)"
    plain = make_arrays(data(), EXAMPLES, "gold", KbqaSettings(), schema=made.schema, with_targets=False)
    assert (plain.questions.targets.sizes.tolist(), plain.schema) == ([0, 0, 0], made.schema)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no knowledge base to link to"):
        make_arrays(data(with_store=False), EXAMPLES, "linker", KbqaSettings())
    with pytest.raises(OptionError, match="has no links"):
        make_arrays(data(with_store=False), EXAMPLES, "none", KbqaSettings())
    path = tmp_path / "links.jsonl"
    path.write_text('{"id": "z", "entities": []}\n')
    with pytest.raises(RecordError, match="no question 'z'"):
        make_arrays(data(), EXAMPLES, str(path), KbqaSettings())
