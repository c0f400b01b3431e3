"""Answers are kept by all that decides them, whole, and asked again where they are damaged, old or were not whole."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from recombine.data_cache import cache_folder, clear_cache, stored_files
from recombine.errors import AnswerError, InputWarning
from recombine.kb.answers.kept_answers import kept_answer
from recombine.kb.store import Table
from recombine.kb.term import Term

TABLE = Table(
    ("x", "truth"),
    [
        (Term.name('quote " {}\n\\'), None),
        (Term.literal("1", datatype="http://d"), Term.literal("x\0y", language="en")),
        (Term.blank("b"), Term.iri("http://x/é")),
    ],
)
QUERY = "SELECT * { ?s ?p ?o }"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))


class Asked:
    """Gives an answer, and counts how often it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.times = answer, 0

    def __call__(self) -> Any:
        self.times += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [TABLE, Table((), [(), (), ()]), Table((), []), Table(("x",), []), Table(("x",), [(None,)]), True, False],
)
def test_an_answer_comes_back_as_it_was(answer: Any) -> None:
    asked = Asked(answer)
    assert [kept_answer(["kb"], QUERY, asked) for _ in range(3)] == [answer] * 3
    assert asked.times == 1
    kept = kept_answer(["kb"], QUERY, asked)
    assert type(kept) is type(answer)


def test_what_decides_the_answer() -> None:
    asked = Asked(TABLE)
    for parts, query in [
        (("a",), QUERY),
        (("b",), QUERY),
        (("a", ""), QUERY),
        (("a",), f"{QUERY} "),
        (("aS",), "ELECT"),
    ]:
        kept_answer(parts, query, asked)
    assert asked.times == 5


def test_an_error_is_not_kept() -> None:
    for _ in range(2):
        with pytest.raises(AnswerError):
            kept_answer(["kb"], QUERY, Asked(AnswerError("it is cut")))
    assert stored_files() == []
    assert kept_answer(["kb"], QUERY, Asked(True)) is True


@pytest.mark.parametrize("call", ["RAND()", "now()", "UUID()", "STRUUID()", "BNODE()"])
def test_what_changes_by_itself_is_not_kept(call: str) -> None:
    asked = Asked(True)
    for _ in range(2):
        kept_answer(["kb"], f"ASK {{ BIND({call} AS ?x) }}", asked)
    assert asked.times == 2
    kept_answer(["kb"], 'ASK { ?s ?p "RAND()" }', asked)
    kept_answer(["kb"], 'ASK { ?s ?p "RAND()" }', asked)
    assert asked.times == 3


@pytest.mark.parametrize("damage", [lambda content: content[:-5], lambda content: content[:70] + b"x" + content[71:]])
def test_a_damaged_answer_is_asked_again(damage: Any) -> None:
    asked = Asked(TABLE)
    kept_answer(["kb"], QUERY, asked)
    (file,) = stored_files()
    file.path.write_bytes(damage(file.path.read_bytes()))
    with pytest.warns(InputWarning, match="is damaged"):
        assert kept_answer(["kb"], QUERY, asked) == TABLE
    assert kept_answer(["kb"], QUERY, asked) == TABLE
    assert asked.times == 2


def test_age_and_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(TABLE)
    kept_answer(["kb"], QUERY, asked, if_slower=5.0)
    kept_answer(["kb"], QUERY, asked, prepare=lambda: time.sleep(0.5), if_slower=0.4)
    assert stored_files() == []
    kept_answer(["kb"], QUERY, asked)
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 100)
    kept_answer(["kb"], QUERY, asked, max_age=1000)
    assert asked.times == 3
    kept_answer(["kb"], QUERY, asked, max_age=50)
    assert asked.times == 4


def test_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    asked = Asked(TABLE)
    for _ in range(2):
        kept_answer(["kb"], QUERY, asked)
    assert asked.times == 2


def test_the_cache_has_a_cap_and_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Table(("x",), [(Term.name(f"n{number}"),) for number in range(500)])
    monkeypatch.setenv("RECOMBINE_DATA_CACHE_SIZE", "50K")
    for number in range(20):
        kept_answer(["kb"], f"{QUERY} LIMIT {number}", Asked(rows))
    assert 1 < len(stored_files()) < 20
    assert sum(file.size for file in stored_files()) <= 50_000
    clear_cache()
    folder = cache_folder()
    assert folder is not None
    assert list(folder.iterdir()) == []
