"""From questions to links: each way to find mentions, each choice, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_store import turtle_store

from recombine.errors import RecombineError
from recombine.kb.linking.context_words import ContextWords, name_stems
from recombine.kb.linking.linker import Linker
from recombine.kb.linking.store_forms import store_forms
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.linking.train_tagger import TaggedQuestion, train_tagger
from recombine.kb.term import Term

ENTRIES = [
    ("Amazon Kindle", "kindle", 5),
    ("Amazon", "company", 9),
    ("Amazon", "river", 4),
    ("New York", "york", 7),
    ("2011 Estoril Open", "open", 1),
    ("1999", "song", 1),
    ("book", "book", 1),
]
FORMS = SurfaceForms.of([(form, Term.name(entity), times) for form, entity, times in ENTRIES])
FACTS = """
:mo_state a :State ; rdfs:label "Mo" ; :capital :city ; :borders :other, :city ; :population 3 .
:mo_faith a :Religion ; rdfs:label "Mo" ; :beliefs :afterlife . :priest :serves :mo_faith .
"""


def linked(linker: Linker, text: str) -> list[tuple[str, list[str]]]:
    return [(link.text, [term.text for term in link.linked]) for link in linker.link(text) if link.kind == "entity"]


def test_the_dictionary() -> None:
    linker = Linker(FORMS)
    assert linked(linker, "Is the Amazon Kindle of amazon?") == [("Amazon Kindle", ["kindle"]), ("amazon", ["company"])]
    (_, second) = linker.link("Is the Amazon Kindle of amazon?")
    assert [(each.term.text, round(each.score, 3)) for each in second.terms] == [("company", 1.0), ("river", 0.444)]
    assert "Is the Amazon Kindle of amazon?"[second.start : second.end] == second.text == "amazon"
    assert linked(linker, "who?") == []


def test_numbers_within_names_and_names_within_dates() -> None:
    linker = Linker(FORMS)
    assert [(link.text, link.kind) for link in linker.link("who won 2011 estoril open in 2011?")] == [
        ("2011 estoril open", "entity"),
        ("2011", "literal"),
    ]
    assert [(link.text, link.kind) for link in linker.link("sung in 1999?")] == [("1999", "entity")]
    assert [(link.text, link.kind) for link in linker.link("sung on may 2, 1999?")] == [("may 2, 1999", "literal")]
    assert [link.text for link in Linker(FORMS, literals=False).link("sung on may 2, 1999?")] == ["1999"]


def test_ngrams_may_overlap_and_take_names_by_a_part() -> None:
    linker = Linker(FORMS, mentions="ngrams")
    found = linked(linker, "who makes the amazon kindle?")
    assert ("amazon kindle", ["kindle"]) in found
    assert ("amazon", ["company", "river"]) in found
    part = linked(linker, "who makes the kindle?")
    assert part == [("kindle", ["kindle"])], "a form that the run is only like"
    assert linked(Linker(FORMS), "who makes the kindle?") == []
    scores = {each.term.text: each.score for link in linker.link("which amazon?") for each in link.terms}
    assert scores["company"] > scores["river"]


def test_a_tagger() -> None:
    words = ("who", "sells", "kindle", "reader", "in", "paris")
    tagger = train_tagger([TaggedQuestion(words, ((2, 4), (5, 6)))], rounds=10)
    linker = Linker(FORMS, mentions="tagger", tagger=tagger)
    first, second = linker.link("who sells kindle reader in paris")
    # "kindle reader" is no form and has none in it: the forms like it are asked. Paris is like none.
    assert (first.text, [term.text for term in first.linked]) == ("kindle reader", [])
    assert (second.text, second.terms, second.term) == ("paris", (), None)
    # What is marked in a longer form is that form: "New York" where "york" is marked in the place of Paris.
    assert linked(linker, "who sells kindle reader in new york")[-1] == ("new york", ["york"])
    (within, _) = linker.link("who sells amazon reader in paris")
    assert (within.text, [term.text for term in within.linked]) == ("amazon reader", ["company"])


def test_a_choice_by_context(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", FACTS)
    forms, around = store_forms(store), ContextWords(store)
    assert around(Term.name("mo_faith")) == {"belief", "relig", "serv"}
    assert around(Term.name("nothing")) == frozenset()
    popular, context = Linker(forms), Linker(forms, choice="context", around=around)
    for question, by_popularity, by_context in (
        ("what is the belief of mo?", "mo_state", "mo_faith"),
        ("what is the capital of mo?", "mo_state", "mo_state"),
        ("what of mo?", "mo_state", "mo_state"),
    ):
        assert linked(popular, question) == [("mo", [by_popularity])]
        assert linked(context, question) == [("mo", [by_context])], question


def test_stems() -> None:
    assert name_stems("/film/film/directed_by") == name_stems("film.directors") == {"film", "direct"}


def test_all_that_are_equally_good_are_linked_to_however_few_are_kept() -> None:
    forms = SurfaceForms.of([("x", Term.name(f"e{n}"), 1 + (n < 3)) for n in range(6)])
    (link,) = Linker(forms, most=2).link("x")
    assert [term.text for term in link.linked] == ["e0", "e1", "e2"]
    assert len(link.terms) == 3
    (link,) = Linker(forms, most=4).link("x")
    assert (link.chosen, len(link.terms)) == (3, 4)
    nothing_known = SurfaceForms.of([("x", Term.name("a"), 0), ("x", Term.name("b"), 0)])
    assert linked(Linker(nothing_known), "x") == [("x", ["a", "b"])]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"mentions": "gramngs"}, "unknown way to find mentions 'gramngs'; did you mean 'ngrams'"),
        ({"choice": "contex"}, "unknown choice 'contex'; did you mean 'context'"),
        ({"mentions": "tagger"}, "mentions by a tagger need one"),
        ({"choice": "context"}, "a choice by context needs the facts around entities"),
        ({"most": 0}, "0 candidates of a mention"),
    ],
)
def test_what_is_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(RecombineError) as caught:
        Linker(FORMS, **options)  # type: ignore[arg-type]
    assert problem in str(caught.value)


def test_an_empty_question_is_refused() -> None:
    for text in ("", " \n"):
        with pytest.raises(RecombineError, match="an empty text mentions nothing; give a question"):
            Linker(FORMS).link(text)
    assert Linker(FORMS).link("?") == []
