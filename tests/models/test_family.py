"""Families of models: their settings, and the cells of a study that they train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import OptionError, RecombineError
from recombine.models.family import Family
from recombine.models.known import find_family
from recombine.models.task import Task, TaskCell
from recombine.options import Option
from recombine.records.example import Example, FrozenMapping, Query
from recombine.records.world import WORLDS, WorldKind, WorldReference, make_reference

EXAMPLES = [Example.of("a", "A"), Example.of("b", "B")]
UPPER = Option("upper", bool, True, "Whether to answer in capitals.")


class Memory:
    """Answers what it has seen."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.upper, self.seen = settings["upper"], dict[str, str]()

    def fit(self, pairs: Sequence[tuple[str, str]]) -> Memory:
        if not pairs:
            raise OptionError("nothing to learn from", "give pairs")
        self.seen = dict(pairs)
        return self

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        return [self.seen.get(source) for source in sources]


def test_a_parser_is_a_family(tmp_path: Path) -> None:
    family = Family(name="memory", options=(UPPER,), make=lambda settings, *_: Memory(settings))
    assert family.names() == ["memory"]
    assert family.settings("memory", {"upper": False}) == {"upper": False}
    assert family.read_setting("memory", "upper=no") == ("upper", False)
    for told, wrong in (
        ("unknown setting 'uper'; did you mean 'upper'", lambda: family.settings("memory", {"uper": True})),
        ("unknown setting 'uper'; did you mean 'upper'", lambda: family.read_setting("memory", "uper=1")),
        ("upper is 'maybe'; give true or false", lambda: family.read_setting("memory", "upper=maybe")),
        ("the setting 'upper' has no value; write KEY=VALUE", lambda: family.read_setting("memory", "upper")),
    ):
        with pytest.raises(RecombineError, match=told):
            wrong()
    cells = (TaskCell("one", (0,), (0, 1), 3), TaskCell("none", (), (0,), 3))
    one, none = family.train_cells(Task("t", "memory", {"upper": True}, EXAMPLES, cells, tmp_path))
    assert one.outputs == ("A", "")
    assert none.error == "cell none: nothing to learn from; give pairs"


class Facts:
    """A world of facts by name."""

    kind = "facts"

    def __init__(self, path: Path, digest: str) -> None:
        self.facts, self.digest = dict(line.split("=") for line in path.read_text().split()), digest


class Asker:
    """Answers a question on the item of its context with the fact of the world."""

    def fit(self, examples: Sequence[Example], world: Any) -> Asker:
        assert all(world.facts[example.context["item"]] == example.target for example in examples)
        return self

    def predict(self, queries: Sequence[Query], world: Any) -> list[str | None]:
        return [world.facts.get(query.context["item"]) for query in queries]


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorldReference:
    monkeypatch.setitem(WORLDS._things, "facts", WorldKind("facts", Facts))
    (tmp_path / "facts.txt").write_text("x=red y=blue z=green")
    return make_reference(tmp_path / "facts.txt", "facts")


def test_a_family_of_examples_gets_queries_and_the_world(tmp_path: Path, facts: WorldReference) -> None:
    family = Family(name="asker", make=lambda *_: Asker(), texts_alone=False)
    examples = [
        Example(str(number), "what colour is it", target, context=FrozenMapping({"item": item}))
        for number, (item, target) in enumerate([("x", "red"), ("y", "blue"), ("z", "green")])
    ]
    task = Task("t", "asker", {}, examples, (TaskCell("one", (0,), (1, 2), 0),), tmp_path, world=facts)
    # The two questions have one text: an answer for each source would be one answer.
    assert family.train_cells(task)[0].outputs == ("blue", "green")
    (tmp_path / "facts.txt").write_text("x=red y=blue z=grey")
    assert "the facts there has the digest" in family.train_cells(task)[0].error
    (tmp_path / "facts.txt").unlink()
    assert "there is no such world" in family.train_cells(task)[0].error


def test_nqg_is_a_family_with_its_presets() -> None:
    family = find_family("nqg")
    assert family.name == find_family("nqg:geoquery").name == "nqg"
    assert family.settings("nqg:scan", {})["terminal_bits"] == 32.0
    assert family.settings("nqg", {"restarts": 5, "terminal_bits": 4})["restarts"] == 5
    for changes, told in (
        ({"restart": 5}, "unknown setting 'restart'; did you mean 'restarts'"),
        ({"restarts": "5"}, "the setting restarts is '5'; give a value like"),
        ({"strict": 1}, "the setting strict is 1"),
        ({"restarts": 0}, "restarts is 0; give 1 or more"),
        ({"scorer": "guess"}, "unknown kind of scorer 'guess'"),
        ({"targets": "all"}, "unknown targets 'all'"),
        ({"neural_width": 32}, "neural_width is for the neural scorer; set scorer to neural"),
        ({"grammar": "rules.txt", "restarts": 2}, "restarts is for an induction, but there is a grammar"),
        ({"grammar": "rules.txt"}, "rules.txt: no such file"),
        ({"target_grammar": "targets.txt", "targets": "any"}, "a target_grammar is given, and targets = any"),
        ({"language": "funql"}, "unknown setting 'language'"),
    ):
        with pytest.raises(RecombineError, match=told):
            family.settings("nqg", changes)


VERBS = [("jump", "J"), ("walk", "W"), ("look", "L")]
TALK = [
    Example.of(*pair) for pair in [*VERBS, *((f"{verb} twice", f"{act} {act}") for verb, act in VERBS), ("hop", "H")]
]


def nqg_task(work: Path, language: str = "", **changes: Any) -> Task:
    settings = find_family("nqg").settings("nqg", changes)
    return Task("t", "nqg", settings, TALK, (TaskCell("one", (0, 1, 2, 3, 4), (5, 6), 3),), work, language=language)


def test_nqg_is_trained(tmp_path: Path) -> None:
    (found,) = find_family("nqg").train_cells(nqg_task(tmp_path))
    assert (found.outputs, found.error) == (("L L", ""), "")


def test_valid_targets_are_those_of_the_data_s_language_unless_any_will_do(tmp_path: Path) -> None:
    # `L L` is no expression in brackets.
    train = find_family("nqg").train_cells
    assert train(nqg_task(tmp_path, "sexpression"))[0].outputs == ("", "")
    assert train(nqg_task(tmp_path, "sexpression", targets="any"))[0].outputs == ("L L", "")
    assert train(nqg_task(tmp_path, "klingon"))[0].error.startswith("cell one: unknown language 'klingon'")


def test_a_grammar_among_the_settings_is_that_of_its_digest(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("look ### L\nNT_1 twice ### NT_1 NT_1 NT_1\n")
    task = nqg_task(tmp_path, grammar=str(rules))
    assert find_family("nqg").train_cells(task)[0].outputs == ("L L L", "")
    rules.write_text("look ### L\n")
    assert "rules.txt: is not the file of the digest" in find_family("nqg").train_cells(task)[0].error
    assert nqg_task(tmp_path, grammar=str(rules)).settings != task.settings
