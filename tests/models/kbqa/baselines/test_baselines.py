"""Baselines on three questions whose candidates stand here in full."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recombine.models.kbqa.arrays.candidate_paths import candidate_paths
from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import RELATION, SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries
from recombine.models.kbqa.baselines.form_template import form_template, grounded, slots_of
from recombine.models.kbqa.baselines.frequent_template import FrequentTemplate
from recombine.models.kbqa.baselines.nearest_question import NearestQuestion
from recombine.models.kbqa.baselines.uniform_draw import UniformDraw
from recombine.models.kbqa.baselines.word_overlap import WordOverlap

WORDS = ("film.director", "film.writer", "film.year")
SCHEMA = SchemaArrays(WORDS, ("film director", "film writer", "film year"), np.full(3, RELATION, np.uint8))
LINK = first_link(3)
CODE = {word: len(SYMBOLS) + place for place, word in enumerate(WORDS)} | {
    symbol: place for place, symbol in enumerate(SYMBOLS)
}


def codes(text: str, *links: str) -> list[int]:
    """The codes of a form whose words are divided by blanks; links are numbered from the first."""
    numbers = {link: LINK + place for place, link in enumerate(links)}
    return [CODE[word] if word in CODE else numbers[word] for word in text.split()]


def questions(*rows: tuple[str, list[tuple[str, str, int]], str, list[str]]) -> QuestionArrays:
    """Questions: text, links of word, mention and kind, target, and candidates."""
    links = [link for _, own, _, _ in rows for link in own]
    begins = np.cumsum([0, *(len(own) for _, own, _, _ in rows)])
    words = [[word for word, _, _ in own] for _, own, _, _ in rows]
    return QuestionArrays(
        tuple(f"q{number}" for number in range(len(rows))),
        tuple(text for text, _, _, _ in rows),
        begins.astype(np.int64),
        tuple(word for word, _, _ in links),
        tuple(text for _, text, _ in links),
        np.array([kind for _, _, kind in links], np.uint8),
        Ragged.of([[0, 1, 2]] * len(rows)),
        np.ones(len(rows), bool),
        Ragged.of([codes(target, *own) for (_, _, target, _), own in zip(rows, words, strict=True)]),
        Tries.of(
            [[[*codes(text, *own), 0] for text in forms] for (_, _, _, forms), own in zip(rows, words, strict=True)]
        ),
    )


BO, ANN, YEAR = ("m.1", "Bo Li", ENTITY), ("m.2", "Ann", ENTITY), ("1990", "1990", LITERAL)
TRAIN = questions(
    ("who is the director of Bo Li?", [BO], "( JOIN ( R film.director ) m.1 )", []),
    ("who directed Ann", [ANN], "( JOIN ( R film.director ) m.2 )", []),
    ("who is the writer of Ann?", [ANN], "( JOIN ( R film.writer ) m.2 )", []),
    (
        "which film of Bo Li is of the year 1990",
        [BO, YEAR],
        "( AND ( JOIN film.director m.1 ) ( JOIN film.year 1990 ) )",
        [],
    ),
    ("what is said of Ann", [ANN], "", []),
)
ASKED = questions(
    (
        "who is the writer of Cy Ko?",
        [("m.9", "Cy Ko", ENTITY)],
        "",
        [
            "( JOIN ( R film.director ) m.9 )",
            "( JOIN ( R film.writer ) m.9 )",
            "( COUNT ( JOIN ( R film.writer ) m.9 ) )",
        ],
    ),
    (
        "how many writers does Cy Ko have?",
        [("m.9", "Cy Ko", ENTITY)],
        "",
        ["( JOIN ( R film.writer ) m.9 )", "( COUNT ( JOIN ( R film.writer ) m.9 ) )"],
    ),
    ("who is it?", [], "", []),
    ("of which year is Cy Ko?", [("m.9", "Cy Ko", ENTITY)], "", ["( JOIN ( R film.year ) m.9 )"]),
)


def test_candidates_are_those_of_the_trie() -> None:
    assert [ASKED.text(1, path, SCHEMA) for path in candidate_paths(ASKED.candidates, 1)] == [
        "(JOIN (R film.writer) m.9)",
        "(COUNT (JOIN (R film.writer) m.9))",
    ]


def test_template_and_its_grounding() -> None:
    kinds = [LITERAL, ENTITY, ENTITY]
    template = form_template(
        codes("( AND ( JOIN film.year a ) ( JOIN film.director c ) )", "a", "b", "c"), SCHEMA, kinds
    )
    assert template[5] == "<literal 0>"
    assert template[-3] == "<entity 0>"
    assert slots_of(template) == {ENTITY: 1, LITERAL: 1}
    assert " ".join(grounded(template, [ENTITY, LITERAL], ["m.5", "7"])).count("m.5") == 1


def test_uniform_draw_reaches_all_candidates_and_depends_on_seed_and_id_alone() -> None:
    drawn = {UniformDraw(seed).answer(SCHEMA, ASKED, 0) for seed in range(40)}
    assert drawn == {ASKED.text(0, path, SCHEMA) for path in candidate_paths(ASKED.candidates, 0)}
    assert UniformDraw(3).answer(SCHEMA, ASKED.take([1, 0]), 1) == UniformDraw(3).answer(SCHEMA, ASKED, 0)
    assert UniformDraw(3).answer(SCHEMA, ASKED, 2) == ""


def test_frequent_template_takes_what_train_has_most_of() -> None:
    baseline = FrequentTemplate()
    baseline.fit(SCHEMA, TRAIN)
    assert sorted(baseline.counts.values()) == [1, 1, 2]
    # Two questions of train ask for a director, one for a writer, none for a year.
    assert baseline.answer(SCHEMA, ASKED, 0) == "(JOIN (R film.director) m.9)"
    assert baseline.answer(SCHEMA, ASKED, 1) == "(JOIN (R film.writer) m.9)"
    assert baseline.answer(SCHEMA, ASKED, 3) == ""
    again = FrequentTemplate.from_dict(baseline.to_dict(), 0)
    assert again.counts == baseline.counts


def test_nearest_question_is_grounded_with_the_links_at_hand() -> None:
    baseline = NearestQuestion()
    baseline.fit(SCHEMA, TRAIN)
    assert len(baseline.texts) == 4
    assert baseline.answer(SCHEMA, ASKED, 0) == "(JOIN (R film.writer) m.9)"
    # The nearest by words needs a literal, which this question has not: the next one is taken.
    asked = questions(("which film of Cy is of the year?", [("m.9", "Cy", ENTITY)], "", []))
    assert baseline.answer(SCHEMA, asked, 0).endswith("m.9)")
    assert baseline.answer(SCHEMA, ASKED, 2) == ""
    again = NearestQuestion.from_dict(baseline.to_dict(), 0)
    assert again.answer(SCHEMA, ASKED, 0) == baseline.answer(SCHEMA, ASKED, 0)


def test_word_overlap_by_hand() -> None:
    baseline = WordOverlap()
    baseline.fit(SCHEMA, TRAIN)
    # Five questions of train: "writ" is in one of them, "film" in one; the weight of each is log(6 / 2).
    assert baseline.weights["writ"] == pytest.approx(math.log(3))
    assert baseline.answer(SCHEMA, ASKED, 0) == "(JOIN (R film.writer) m.9)"
    assert baseline.answer(SCHEMA, ASKED, 1) == "(COUNT (JOIN (R film.writer) m.9))"
    assert baseline.answer(SCHEMA, ASKED, 2) == ""
    # Question {writ}, names {film, writ}: 2 · log 3 / (log 3 + 2 · log 3) = 2/3.
    assert baseline._likeness(
        frozenset([CODE["film.writer"]]), SCHEMA, frozenset(["writ"]), math.log(3)
    ) == pytest.approx(2 / 3)
    again = WordOverlap.from_dict(baseline.to_dict(), 0)
    assert again.weights.counts == baseline.weights.counts
