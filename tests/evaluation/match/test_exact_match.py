"""Exact match in its two forms, and what is refused."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, ProgramError, UnknownNameError
from recombine.evaluation.match.exact_match import exact_match
from recombine.evaluation.match.matchers import further_matchers
from recombine.languages.known import LANGUAGES, find_language

# language, two programs, whether they match as normalised trees and as texts
CASES = [
    ("actions", "I_WALK I_JUMP", "I_WALK  I_JUMP ", True, True),
    ("actions", "I_WALK I_JUMP", "I_JUMP I_WALK", False, False),
    ("funql", "intersection ( city , major )", "intersection ( major , city )", True, False),
    ("funql", "answer ( city )", "answer ( river )", False, False),
    ("funql", "answer ( city )", "answer ( City )", False, False),
    ("actions", "I_WALK", "i_walk", False, False),
    # COGS numbers variables by the place of a word; the published match is of texts.
    ("cogs", "eat . agent ( x _ 1 , Emma )", "eat . agent ( x _ 2 , Emma )", True, False),
    ("cogs", "eat . agent ( x _ 1 , Emma )", "eat . agent ( x _ 1 , Liam )", False, False),
    ("sql", "select t.a from dogs as t", "SELECT dogs.a FROM dogs", True, False),
    ("sql", "select a from b where c = 1", "select a from b where c = 2", False, False),
]


@pytest.mark.parametrize(("name", "one", "other", "normalised", "text"), CASES)
def test_forms(name: str, one: str, other: str, normalised: bool, text: bool) -> None:
    language = find_language(name)
    assert exact_match(one, other, language) is normalised
    assert exact_match(other, one, language, form="normalised") is normalised
    assert exact_match(one, other, language, form="text") is text


def test_without_a_language_texts_are_compared() -> None:
    assert exact_match("a ( b", " a  ( b\n", None)
    assert not exact_match("a b", "ab", None)
    assert not exact_match("jump", "Jump", None)
    with pytest.raises(OptionError, match="not known; name it with --language"):
        exact_match("a", "a", None, form="normalised")


def test_an_unknown_form() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'text'"):
        exact_match("a", "a", None, form="texts")


@pytest.mark.parametrize("form", ["normalised", "text"])
def test_a_malformed_program_is_refused_in_both_forms(form: str) -> None:
    with pytest.raises(ProgramError):
        exact_match("answer ( city )", "answer ( city", find_language("funql"), form=form)


def test_matchers() -> None:
    assert further_matchers(None) == {}
    for name in LANGUAGES:
        matchers = further_matchers(find_language(name))
        assert all(matcher.name == key for key, matcher in matchers.items())
        assert ("set_match" in matchers) == (name == "sql")
