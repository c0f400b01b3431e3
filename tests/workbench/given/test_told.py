"""What parsers are told and learn: answers in place of targets, and fields behind the source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.models.family import Family
from recombine.models.known import MODELS
from recombine.workbench.given.told import Told

ROWS: list[dict[str, Any]] = [
    {"source": "Is it red?", "target": "verify ( red )", "answer": True, "images": ["a"], "kind": "yes no"},
    {"source": "Is it red?", "target": "verify ( red )", "answer": False, "images": ["a", "b"], "kind": "yes no"},
    {"source": "How many?", "target": "count ( it )", "answer": 2, "images": ["a", "b"], "kind": "open"},
    {"source": "What is it?", "target": "query ( it )", "answer": ["a cup", "cup"], "images": [], "kind": "open"},
]


class Remembers:
    """Knows the targets of sources it has seen."""

    def fit(self, pairs: list[tuple[str, str]]) -> Remembers:
        self.pairs = list(pairs)
        return self

    def predict(self, sources: list[str]) -> list[str | None]:
        return [dict(self.pairs).get(source) for source in sources]


@pytest.fixture
def remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS._things, "remembers", Family(name="remembers", make=lambda *_: Remembers()))


def data() -> Any:
    return recombine.load(ROWS)


def test_an_answer_is_learned_and_the_number_of_images_told(remembers: None) -> None:
    trained = recombine.train(data(), model="remembers", on="answer", tell="count:images")
    assert trained.parser.pairs == [
        ("Is it red? | images 1", "true"),
        ("Is it red? | images 2", "false"),
        ("How many? | images 2", "2"),
        ("What is it? | images 0", "a cup"),
    ]
    assert "|on:answer|tell:count:images|" in trained.signature


def test_who_was_told_is_asked_the_same_way_and_scored_by_answers(remembers: None) -> None:
    trained = recombine.train(data(), model="remembers", on="answer", tell="count:images")
    found = recombine.predict(trained, data(), "all")
    assert list(found.outputs.values()) == ["true", "false", "2", "a cup"]
    assert (found["accuracy"], "exact_match" in found) == (1.0, False)
    # Without the number both questions of one wording get one answer.
    blind = recombine.predict(recombine.train(data(), model="remembers", on="answer"), data(), "all")
    assert blind["accuracy"] == 0.75


def test_targets_with_fields_told(remembers: None) -> None:
    trained = recombine.train(data(), model="remembers", tell=["kind", "count:images"])
    assert trained.parser.pairs[2] == ("How many? | kind open | images 2", "count ( it )")
    assert recombine.predict(trained, data(), "all")["exact_match"] == 1.0
    assert "|tell:kind,count:images|" in trained.signature
    assert "|on:" not in trained.signature


def test_nothing_changes_where_nothing_is_asked(remembers: None) -> None:
    trained = recombine.train(data(), model="remembers")
    assert trained.parser.pairs[0] == ("Is it red?", "verify ( red )")
    assert "tell" not in trained.signature
    example = data()[0]
    assert Told().taught(data(), example) is example


def test_a_network_is_kept_with_what_it_was_told(tmp_path: Path) -> None:
    settings = {"width": 16, "heads": 2, "filter_width": 16, "layers": 1, "steps": 2}
    trained = recombine.train(
        data(), model="cfq:transformer", on="answer", tell="count:images", set=settings, device="cpu"
    )
    assert {"|", "images", "0", "true", "cup"} <= set(trained.parser.vocabulary)
    assert not {"verify", "count", "query", "("} & set(trained.parser.vocabulary)
    trained.write(tmp_path / "model")
    again = recombine.predict(tmp_path / "model", data(), "all", device="cpu")
    assert again.outputs == recombine.predict(trained, data(), "all", device="cpu").outputs
    assert again["coverage"] == 1.0


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"on": "anser"}, UnknownNameError, "'anser'; did you mean 'answer'"),
        ({"tell": "count:"}, OptionError, "'count:' names no field"),
        ({"tell": "a,b"}, OptionError, "'a,b' names no field"),
        ({"tell": "colour"}, RecordError, "its field 'colour' is no value of one line"),
        ({"tell": "images"}, RecordError, "its field 'images' is no value of one line"),
        ({"tell": "count:kind"}, RecordError, "its field 'kind' is no list"),
    ],
)
def test_what_cannot_be_told_is_refused(
    remembers: None, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        recombine.train(data(), model="remembers", **options)


def test_an_example_without_an_answer_is_named(remembers: None) -> None:
    with pytest.raises(RecordError, match="has no field 'answer'"):
        recombine.train([("jump", "J")], model="remembers", on="answer")
