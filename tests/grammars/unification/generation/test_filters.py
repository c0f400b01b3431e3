"""Filters of what questions may not hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recombine.errors import RecordError
from recombine.grammars.unification.generation.question_maker import QuestionMaker

SOUPS = {
    *("Name cook", "Name cooks", "Name soup", "Name soups"),
    *("Which cook makes M0", "Which cooks make M0", "Which cook makes some soups", "Which cooks make some soups"),
    *("Which cook makes some soups with M0", "Which cooks make some soups with M0"),
}


def made(recipes: Path, text: str) -> tuple[set[str], dict[str, int]]:
    (recipes / "filters.toml").write_text(text, encoding="utf-8")
    maker = QuestionMaker(str(recipes), max_level=7)
    questions, rejected = maker.lot(1, 0, 50)
    return {question.pattern for question in questions}, rejected


def test_without_filters_nothing_is_dropped(recipes: Path) -> None:
    assert made(recipes, "")[0] == SOUPS


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("rule = 'NOUN=COOKS'", {q for q in SOUPS if "cooks" in q}),
        ("rule = 'S=*'\nholds = 'THING=*'", {q for q in SOUPS if "make" in q}),
        ("rule = 'S=*'\nholds = 'THING=*'\nmore_than = 1", {q for q in SOUPS if "with" in q}),
        ("rule = 'S=*'\nholds = 'NOUN=*'\nthrough = 'KIND=*'", SOUPS),
        ("rule = 'S=*'\nholds = 'NOUN=SOUPS'\nthrough = 'THING=*'", {q for q in SOUPS if "some" in q}),
        ("rule = 'S=*'\nholds = 'NOUN=SOUPS'\nthrough = 'COOK=*'", set()),
        ("rule = 'S=*'\nparts.1 = { rule = 'KIND=NOUN', parts.1.rule = 'NOUN=SOUP' }", {"Name soup"}),
        ("text = 'soups$'", {q for q in SOUPS if q.endswith("soups")}),
        (r"clause = 'kitchen\.has M\d'", {q for q in SOUPS if "with" in q}),
        ("text = 'cooks'\nclause = 'kitchen.has'", {"Which cooks make some soups with M0"}),
    ],
)
def test_what_a_filter_drops(recipes: Path, text: str, dropped: set[str]) -> None:
    left, rejected = made(recipes, f"[[filter]]\nname = 'mine'\n{text}\n")
    assert left == SOUPS - dropped
    assert set(rejected) <= {"filtered:mine", "same_pattern"}
    if not left:
        assert rejected["filtered:mine"] > 0


def test_the_same_thing_twice(recipes: Path) -> None:
    filters = "[[filter]]\nname = 'twice'\nrule = 'S=*'\nholds = 'NOUN=*'\nsame = true\n"
    (recipes / "filters.toml").write_text(filters, encoding="utf-8")
    questions = QuestionMaker(str(recipes), max_level=9).lot(1, 0, 50).questions
    assert {q.pattern for q in questions} == SOUPS


def test_the_same_clause_twice(recipes: Path) -> None:
    rules = (recipes / "recipes.rules").read_text(encoding="utf-8")
    rules = rules.replace(
        "%resolution", "S=TWICE:\n    S/_noun ⊓ _other → 'both' KIND/_noun 'and' KIND/_other\n%resolution"
    )
    rules = rules.replace("say($X, $V) ' . ' say($Y, $V)", "say($X, $V) ' . ' again($Y, $V)")
    rules = rules.replace(
        "SAY_TYPE:",
        "AGAIN:\n    Type($X, $T): again($X, $V) → $V ' a ' $T\nAGAIN_ENTITY:\n"
        "    Property($R, $P): again(∃$R.Entity($W), $V) → $V $P $W\nSAY_TYPE:",
    )
    (recipes / "recipes.rules").write_text(rules, encoding="utf-8")
    (recipes / "weights.toml").write_text("max_level = 6\n[rules]\n'THING=SOME*' = 0\n'NOUN=*S' = 0", encoding="utf-8")
    everything = {q.pattern for q in QuestionMaker(str(recipes)).lot(1, 0, 50).questions}
    assert {"Both cook and cook", "Both cook and soup"} <= everything
    (recipes / "filters.toml").write_text("[[filter]]\nname = 'clause'\nsame_clause = true\n", encoding="utf-8")
    left = QuestionMaker(str(recipes)).lot(1, 0, 50)
    assert everything - {q.pattern for q in left.questions} == {"Both cook and cook", "Both soup and soup"}
    assert left.rejected["filtered:clause"] == 2


def test_a_phrase_is_drawn_again_with_its_size() -> None:
    maker = QuestionMaker("cfq", max_level=26)
    questions = maker.lot(1, 0, 300).questions
    twice = re.compile(r"(?<!art )director and director\b|\b(\w+), \1 ,|\bmale female\b|\bfemale male\b")
    lists = [q.pattern for q in questions if twice.search(q.pattern)]
    assert lists == []
    assert {q.level for q in questions} >= set(range(12, 27))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rule = 'S=*'", "filter 1: a filter has a name"),
        ("name = 'x'\nrule = 'S=X'", "filter 1 (x): unknown rule 'S=X'"),
        ("name = 'x'\nrules = 'S=*'", "a filter has no 'rules'; it may have: name, rule"),
        ("name = 'x'\nrule = 'S=*'\ntext = 'a'", "a filter is of rules, or of texts and clauses; make two"),
        ("name = 'x'", "a filter is of rules, or of texts and clauses"),
        ("name = 'x'\nrule = 'S=*'\nsame = true", "nothing is named that must stand below; give holds"),
        ("name = 'x'\nholds = 'S=*'", "no rule is named at which it is looked for; give rule"),
        ("name = 'x'\nrule = 'S=*'\nholds = 'S=*'\nmore_than = -1", "more_than is -1"),
        ("name = 'x'\nrule = 'S=*'\nholds = 'S=*'\nsame = 'yes'", "same is 'yes'; give true or false"),
        ("name = 'x'\nrule = 'S=*'\nparts.a.rule = 'S=*'", "'a' is no part; count parts from 1"),
        ("name = 'x'\nrule = []", "[] is no list of rules"),
        ("name = 'x'\ntext = '('", "text is no regular expression"),
    ],
)
def test_a_filter_that_cannot_be_read(recipes: Path, text: str, problem: str) -> None:
    file = recipes / "mine.toml"
    file.write_text(f"[[filter]]\n{text}\n", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        QuestionMaker(str(recipes), filters=file)
    assert problem in str(caught.value)
    assert "mine.toml" in str(caught.value)
