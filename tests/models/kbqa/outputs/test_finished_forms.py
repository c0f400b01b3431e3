"""Forms as they are given: the likeliest that has an answer where that is asked for, with what was counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from few_questions import uneven_questions
from small_store import turtle_store

from recombine.errors import InputFileError
from recombine.kb.store import Store
from recombine.models.kbqa.answered import Answered
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.outputs import form_choice
from recombine.models.kbqa.outputs.answer_check import AnswerCheck
from recombine.models.kbqa.outputs.finished_forms import finished_forms, finished_texts
from recombine.models.kbqa.outputs.form_choice import FormChoice

XSD = "http://www.w3.org/2001/XMLSchema#"
FACTS = """
:m.1 :book.book.author :m.adler2 ; :book.book.pages "300"^^xsd:integer ; :type.object.type :book.book .
:m.2 :book.book.author :m.berg ; :book.book.pages "200"^^xsd:integer ; :type.object.type :book.book .
:m.adler1 :film.film.directed_by :m.berg .
"""
PAGES, YEAR = f"300^^{XSD}integer", f"300^^{XSD}float"
NOBODY = {"without_link": 0, "without_output": 0, "malformed": 0}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two books; of two people called Adler, one wrote one of them."""
    return turtle_store(tmp_path_factory.mktemp("books"), "freebase", FACTS)  # type: ignore[no-any-return]


def asked() -> QuestionArrays:
    """A question that mentions Adler, who may be two, and a number that may be of two types."""
    return replace(
        uneven_questions().take([0]),
        link_begins=np.array([0, 4]),
        link_words=("m.adler1", "m.adler2", PAGES, YEAR),
        link_texts=("Adler", "Adler", "300", "300"),
        link_kinds=np.array([ENTITY, ENTITY, LITERAL, LITERAL], np.uint8),
    )


def given(store: Store, *beam: str, **settings: Any) -> tuple[str, dict[str, int]]:
    """What is given of a beam, and what is counted."""
    own = KbqaSettings(inference="transduction", **{"chosen": "answered", **settings})
    answered = Answered((beam[0] if beam else "",), NOBODY, (beam,))
    made = finished_forms(answered, asked(), store, own, "sexpression")
    return made.texts[0], {name: count for name, count in made.counts.items() if name not in NOBODY}


AUTHOR, DIRECTED = "(JOIN book.book.author m.adler1)", "(JOIN film.film.directed_by m.adler1)"


def test_the_likeliest_form_that_has_an_answer_is_given(store: Store) -> None:
    moved = {"moved": 1, "without_answer": 0, "not_executed": 0}
    # Both Adlers are tried before the next form.
    wrote = "(JOIN book.book.author m.adler2)"
    assert given(store, AUTHOR, "book.book") == (wrote, moved)
    assert given(store, DIRECTED, AUTHOR) == (wrote, moved)
    assert given(store, wrote, AUTHOR) == (wrote, {**moved, "moved": 0})
    # A count of nothing is no answer, nor is one that cannot be read.
    assert given(store, f"(COUNT {DIRECTED})", "(JOIN", f"(COUNT {AUTHOR})") == (f"(COUNT {wrote})", moved)
    # Types follow the relation before anything is executed, and what was tried is not tried again.
    paged = f"(AND book.book (JOIN book.book.pages {YEAR}))"
    assert given(store, paged) == (f"(AND book.book (JOIN book.book.pages {PAGES}))", {**moved, "moved": 0})
    above = f"(ARGMAX (gt book.book.pages {YEAR}) book.book.pages)"
    assert given(store, above, AUTHOR) == (wrote, moved)
    # A link that comes twice is the same both times.
    twice = f"(AND {AUTHOR} (JOIN (R film.film.directed_by) m.adler1))"
    assert given(store, twice)[1] == {"moved": 0, "without_answer": 1, "not_executed": 0}


def test_where_none_has_an_answer_the_likeliest_is_given(store: Store) -> None:
    without = {"moved": 0, "without_answer": 1, "not_executed": 0}
    assert given(store, DIRECTED, "(JOIN film.film.directed_by m.berg2)") == (DIRECTED, without)
    pages = f"(gt book.book.pages {YEAR})"
    assert given(store, pages) == (pages.replace("float", "integer"), without)
    assert given(store) == ("", {**without, "without_answer": 0})


def test_without_the_setting_the_first_is_given_and_nothing_more_is_counted(store: Store) -> None:
    assert given(store, AUTHOR, "book.book", chosen="likeliest") == (AUTHOR, {})
    paged = f"(JOIN book.book.pages {YEAR})"
    assert given(store, paged, chosen="likeliest")[0] == f"(JOIN book.book.pages {PAGES})"
    assert given(store, paged, chosen="likeliest", links="gold")[0] == paged  # the data says the type
    assert finished_texts([paged, ""], store, retype=False, language="sexpression") == (paged, "")
    sparql = finished_texts([paged], store, retype=True, language="sparql")[0]
    assert sparql.startswith("SELECT")
    assert f'"300"^^<{XSD}integer>' in sparql
    ranking = KbqaSettings(chosen="answered")
    assert finished_forms(Answered((AUTHOR,), NOBODY), asked(), store, ranking, "").texts == (AUTHOR,)
    with pytest.raises(InputFileError, match="only one form of each question was written"):
        finished_forms(Answered((AUTHOR,), NOBODY), asked(), store, replace(ranking, inference="transduction"), "")


def test_what_is_too_large_is_not_executed_and_counted(store: Store) -> None:
    check = AnswerCheck(store, most_facts=3)
    # Two facts have authors, two say that something is a book.
    assert check("(JOIN book.book.author m.berg)") is True
    assert check("(AND book.book (JOIN book.book.author m.berg))") is None
    assert check(f"(lt book.book.pages {PAGES})") is None  # two facts, and two literals to compare with
    assert AnswerCheck(store, most_facts=4)(f"(lt book.book.pages {PAGES})") is True
    assert check("(TC book.book book.book.pages NOW)") is None  # nothing is known of it
    choice = FormChoice(check, str)
    assert choice(["(AND book.book (JOIN book.book.author m.berg))", "(JOIN book.book.author m.berg)"], {}) == (
        "(JOIN book.book.author m.berg)"
    )
    assert choice.counts == {"moved": 1, "without_answer": 0, "not_executed": 1}


def test_combinations_beyond_the_most_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_choice, "MOST_WAYS", 5)
    tried: Counter[str] = Counter()
    choice = FormChoice(lambda text: bool(tried.update([text])), str)
    others = {"a": ("a", "b", "c"), "x": ("x", "y", "z"), "unused": ("unused", "v")}
    assert choice(["(AND a (JOIN r x))"], others) == "(AND a (JOIN r x))"
    assert list(tried) == [f"(AND {one} (JOIN r {other}))" for one, other in ("ax", "ay", "az", "bx", "by")]
    assert choice.counts == {"moved": 0, "without_answer": 1, "not_executed": 4}
