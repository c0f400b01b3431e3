"""Forms of English words."""

from __future__ import annotations

import pytest

from recombine.kb.wording.inflection import Inflection
from recombine.kb.wording.relation_words import RelationReader
from recombine.kb.wording.word_grammar import WordGrammar

ENGLISH = Inflection(WordGrammar())


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("city", "cities"),
        ("box", "boxes"),
        ("church", "churches"),
        ("person", "people"),
        ("unit of power", "units of power"),
        ("species", "species"),
        ("process", "processes"),
        ("TV", "TVs"),
        ("day", "days"),
        ("ship built", "ships built"),
        ("policeman", "policemen"),
        ("disease", "diseases"),
    ],
)
def test_plurals_both_ways(one: str, many: str) -> None:
    assert ENGLISH.plural(one) == many
    assert ENGLISH.plural(many) == many
    assert ENGLISH.singular(many) == one
    assert ENGLISH.singular(one) == one


@pytest.mark.parametrize(
    "noun",
    ["an apple", "a unit", "a university", "an hour", "an SI unit", "a TV", "a US state", "an urn", "a euro"],
)
def test_articles(noun: str) -> None:
    assert ENGLISH.with_article(noun.partition(" ")[2]) == noun


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("is the sibling of {}", "are siblings of {}"),
        ("has the genre {}", "have the genre {}"),
        ("wrote {}", "wrote {}"),
        ("publishes {}", "publish {}"),
        ("was written by {}", "were written by {}"),
        ("partially contains {}", "partially contain {}"),
        ("is a city that {} is located in", "are cities that {} is located in"),
    ],
)
def test_verb_phrases_of_many(one: str, many: str) -> None:
    assert RelationReader(WordGrammar()).of_many(one) == many
