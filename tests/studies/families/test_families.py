"""Models that studies can name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from recombine.errors import OptionError, RecombineError
from recombine.records.example import Example
from recombine.studies.families.families import Task, TaskCell, find_family
from recombine.studies.families.nqg_family import parser_family

PAIRS = [("a", "A"), ("b", "B")]


class Memory:
    """Answers what it has seen."""

    def __init__(self, seed: int, upper: bool) -> None:
        self.seed, self.upper, self.seen = seed, upper, dict[str, str]()

    def fit(self, pairs: Sequence[tuple[str, str]]) -> None:
        if not pairs:
            raise OptionError("nothing to learn from", "give pairs")
        self.seen = dict(pairs)

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        return [self.seen.get(source) for source in sources]


def test_a_parser_is_a_family(tmp_path: Path) -> None:
    family = parser_family("memory", Memory, {"upper": True})
    assert family.settings("memory", {"upper": False}) == {"upper": False}
    with pytest.raises(RecombineError, match="unknown setting 'uper'; did you mean 'upper'"):
        family.settings("memory", {"uper": True})
    cells = (TaskCell("one", (0,), (0, 1), 3), TaskCell("none", (), (0,), 3))
    one, none = family.train(
        Task("t", "memory", {"upper": True}, [Example.of(*pair) for pair in PAIRS], cells, tmp_path)
    )
    assert one.outputs == ("A", "")
    assert none.error == "cell none: nothing to learn from; give pairs"


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
        ({"language": "klingon"}, "unknown language 'klingon'"),
    ):
        with pytest.raises(RecombineError, match=told):
            family.settings("nqg", changes)


def test_nqg_is_trained(tmp_path: Path) -> None:
    family = find_family("nqg")
    verbs = [("jump", "J"), ("walk", "W"), ("look", "L")]
    pairs = [*verbs, *((f"{verb} twice", f"{act} {act}") for verb, act in verbs), ("hop", "H")]
    examples = [Example.of(*pair) for pair in pairs]
    task = Task(
        "t", "nqg", family.settings("nqg", {}), examples, (TaskCell("one", (0, 1, 2, 3, 4), (5, 6), 3),), tmp_path
    )
    (found,) = family.train(task)
    assert (found.outputs, found.error) == (("L L", ""), "")
    task = Task("t", "nqg", family.settings("nqg", {"language": "sexpression"}), examples, task.cells, tmp_path)
    assert family.train(task)[0].outputs == ("", "")
