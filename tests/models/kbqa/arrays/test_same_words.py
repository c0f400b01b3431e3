"""Links that have the same words: one of them stays, and stands for the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from few_questions import SCHEMA, coded, uneven_questions

from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.same_words import alternatives, one_of_each


def ambiguous() -> QuestionArrays:
    """The first question has two entities and three literals of the words `3`; the last names Emma twice."""
    return replace(
        uneven_questions(),
        link_begins=np.array([0, 6, 7, 7, 10]),
        link_words=("m.three", "3^^integer", "m.alien", "3^^float", "m.3", "3^^double", "m.dune", "m.a", "m.b", "m.a2"),
        link_texts=("3", "3", "Alien", "3", "3", "3", "Dune", "Emma", "Solaris", "Emma"),
        link_kinds=np.array([ENTITY, LITERAL, ENTITY, LITERAL, ENTITY, LITERAL, *[ENTITY] * 4], np.uint8),
    )


def test_links_of_the_same_words_and_kind_stand_for_each_other() -> None:
    questions = ambiguous()
    assert alternatives(questions, 0) == {
        "m.three": ("m.three", "m.3"),
        "3^^integer": ("3^^integer", "3^^float", "3^^double"),
    }
    assert [alternatives(questions, row) for row in (1, 2)] == [{}, {}]
    assert alternatives(questions, 3) == {"m.a": ("m.a", "m.a2")}


def test_the_first_of_them_stays() -> None:
    questions = ambiguous()
    both = one_of_each(questions, entities=True)
    assert both.link_words == ("m.three", "3^^integer", "m.alien", "m.dune", "m.a", "m.b")
    assert both.link_texts == ("3", "3", "Alien", "Dune", "Emma", "Solaris")
    assert both.link_kinds.tolist() == [ENTITY, LITERAL, ENTITY, ENTITY, ENTITY, ENTITY]
    assert both.link_begins.tolist() == [0, 3, 4, 4, 6]
    literals = one_of_each(questions, entities=False)
    assert literals.link_words == ("m.three", "3^^integer", "m.alien", "m.3", "m.dune", "m.a", "m.b", "m.a2")
    assert literals.link_begins.tolist() == [0, 4, 5, 5, 8]
    assert (
        literals.text(0, coded("(", "JOIN", "book.book.pages", "#1", ")"), SCHEMA)
        == "(JOIN book.book.pages 3^^integer)"
    )
    assert (both.ids, both.texts) == (questions.ids, questions.texts)
    assert both.targets.sizes.tolist() == both.candidates.codes.sizes.tolist() == [0] * 4
