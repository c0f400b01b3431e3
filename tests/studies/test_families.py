"""Models that studies can name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from recombine.errors import OptionError, RecombineError
from recombine.studies import nqg_family
from recombine.studies.families import Task, TaskCell, find_family
from recombine.studies.nqg_family import parser_family

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
    one, none = family.train(Task("t", "memory", {"upper": True}, PAIRS, cells, tmp_path))
    assert one.outputs == ("A", "")
    assert none.error == "cell none: nothing to learn from; give pairs"


def test_nqg_is_a_preset_with_its_parser_or_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_family("nqg").name == "nqg"
    monkeypatch.setattr(nqg_family, "PARSER", "recombine.models.nqg.not_there")
    with pytest.raises(RecombineError, match="this version has no parser 'nqg'"):
        find_family("nqg").check()
