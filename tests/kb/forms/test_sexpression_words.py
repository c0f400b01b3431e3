"""Words of S-expressions: every term has one, which is read as the term again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.sexpression_words import is_entity_word, read_word, write_word
from recombine.kb.profiles.find_profile import PROFILES, find_profile
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression
from recombine.tree import Tree

XSD = "http://www.w3.org/2001/XMLSchema#"
FREEBASE = find_profile("freebase")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20) | st.sampled_from(
    ["1984", "2009-03-29", "NOW", "A (b)", 'say "x"', "^^", "a^^b", "wdt:P31", "<x>", "_:b", "5.0", "\\u0028", "@en"]
)


@pytest.mark.parametrize(
    ("word", "term"),
    [
        (f"5^^{XSD}integer", Term.literal("5", datatype=f"{XSD}integer")),
        (f'"5"^^{XSD}integer', Term.literal("5", datatype=f"{XSD}integer")),
        ('"5"^^xsd:integer', Term.literal("5", datatype=f"{XSD}integer")),
        (f'"a \\"b\\" (c)"^^<{XSD}token>', Term.literal('a "b" (c)', datatype=f"{XSD}token")),
        (f"2.3e+06^^{XSD}float", Term.literal("2.3e+06", datatype=f"{XSD}float")),
        ("5", Term.literal("5", datatype=f"{XSD}integer")),
        ("5.0", Term.literal("5.0", datatype=f"{XSD}decimal")),
        ("5e3", Term.literal("5e3", datatype=f"{XSD}double")),
        ("2009-03-29", Term.literal("2009-03-29", datatype=f"{XSD}date")),
        ("2009-03", Term.literal("2009-03", datatype=f"{XSD}gYearMonth")),
        ('"Rom"@de', Term.literal("Rom", language="de")),
        ("m.03_r3", Term.name("m.03_r3")),
        ("rdf:type", Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")),
        ("<http://rdf.freebase.com/ns/film.film>", Term.name("film.film")),
    ],
)
def test_words(word: str, term: Term) -> None:
    assert read_word(word, FREEBASE) == term
    assert read_word(write_word(term, FREEBASE), FREEBASE) == term


def test_literals_are_written_as_published() -> None:
    assert write_word(Term.literal("5", datatype=f"{XSD}integer"), FREEBASE) == f"5^^{XSD}integer"
    assert write_word(Term.literal("a b", datatype=f"{XSD}token"), FREEBASE) == f'"a b"^^{XSD}token'


@given(TEXTS, st.sampled_from(PROFILES))
def test_every_name_is_one_word(text: str, name: str) -> None:
    profile = find_profile(name)
    for term in (Term.name(text), Term.literal(text), Term.literal(text, datatype=f"{XSD}token")):
        word = write_word(term, profile)
        tree = parse_sexpression(f"(JOIN r {word})")
        assert tree == Tree("JOIN", (Tree("r"), Tree(word)))
        assert read_word(word, profile) == term


@pytest.mark.parametrize(
    ("word", "error"), [("NOW", FormError), ("<no iri>", ProgramError), ("5^^integer", ProgramError)]
)
def test_what_names_nothing(word: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_word(word, FREEBASE)


def test_entities_are_told_by_their_look_or_their_place() -> None:
    human, mid = Term.name("Q5"), Term.name("m.0abc")
    wikidata, plain = find_profile("wikidata"), find_profile("plain")
    assert [is_entity_word(mid, FREEBASE, at_end=end) for end in (False, True)] == [True, True]
    assert [is_entity_word(human, FREEBASE, at_end=end) for end in (False, True)] == [False, False]
    assert [is_entity_word(human, wikidata, at_end=end) for end in (False, True)] == [False, True]
    assert [is_entity_word(human, plain, at_end=end) for end in (False, True)] == [False, True]
