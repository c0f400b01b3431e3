"""Well-formed forms: what the automaton accepts is readable, and the fewest words are the fewest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.languages.sexpression import parse_sexpression
from recombine.models.kbqa.arrays.codes import END, SYMBOLS, form_text
from recombine.models.kbqa.inference import form_automaton as automaton
from recombine.models.kbqa.inference.form_automaton import (
    CLASS_KIND,
    ENTITY_KIND,
    FORM,
    KINDS,
    LITERAL_KIND,
    NEVER,
    RELATION_KIND,
    accepts,
    fewest_words,
    rules,
)

WORDS = {
    RELATION_KIND: "film.film.directed_by",
    CLASS_KIND: "film.film",
    ENTITY_KIND: "m.0bxtg",
    LITERAL_KIND: "10^^http://www.w3.org/2001/XMLSchema#integer",
}
KIND = {word: kind for kind, word in enumerate(SYMBOLS)} | {
    "r": RELATION_KIND,
    "c": CLASS_KIND,
    "e": ENTITY_KIND,
    "v": LITERAL_KIND,
}


def _kinds(text: str) -> list[int]:
    return [KIND[word] for word in text.replace("(", " ( ").replace(")", " ) ").split()]


def _text(kinds: list[int]) -> str:
    return form_text(SYMBOLS[kind] if kind < len(SYMBOLS) else WORDS[kind] for kind in kinds)


@pytest.mark.parametrize(
    "text",
    [  # The shapes of forms that `generate kbqa` makes over both kinds of graphs.
        "(AND c (JOIN r e))",
        "(AND c (JOIN r (JOIN (R r) e)))",
        "(COUNT (AND c (AND (JOIN r e) (JOIN r (JOIN r e)))))",
        "(ARGMIN c r)",
        "(ARGMAX (AND c (JOIN r e)) (JOIN (R r) r))",
        "(AND c (le r v))",
        "(AND c (JOIN (R r) (AND (ge r v) (JOIN r e))))",
        "(COUNT (JOIN (R r) e))",
        "(JOIN r v)",
    ],
)
def test_forms_of_the_paper(text: str) -> None:
    assert accepts(_kinds(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "(AND c)",
        "(AND c c c)",
        "(JOIN e r)",
        "(JOIN r)",
        "(R r)",
        "(COUNT (COUNT c))",
        "(AND c (COUNT c))",
        "(lt r e)",
        "(lt r c)",
        "(AND c v)",
        "(ARGMAX c e)",
        "(JOIN (R (R r)) e)",
        "(JOIN r e",
        "(JOIN r e))",
        "(JOIN r e) (JOIN r e)",
        "(JOIN <end> e)",
    ],
)
def test_what_is_no_form(text: str) -> None:
    assert not accepts(_kinds(text))


@st.composite
def _written(draw: st.DrawFn) -> list[int]:
    """Kinds of words as the automaton's rules allow them, closed as quickly as it can be after a while."""
    table = rules()
    fewest = fewest_words(True, True, True, True)
    stack, kinds = [FORM], list[int]()
    while stack:
        top = stack.pop()
        options = sorted(kind for (state, kind) in table if state == top)
        if len(kinds) + fewest[top] + sum(fewest[state] for state in stack) > 40:
            options.sort(key=lambda kind: sum(fewest[state] for state in table[top, kind]))
            options = options[:1]
        kinds.append(draw(st.sampled_from(options)))
        stack += table[top, kinds[-1]][::-1]
    return kinds


@given(_written())
def test_what_it_allows_can_be_read(kinds: list[int]) -> None:
    assert accepts(kinds)
    tree = parse_sexpression(_text(kinds))
    assert tree.label in SYMBOLS


@given(_written(), st.integers(0, 60), st.integers(0, KINDS - 1))
def test_what_it_accepts_after_a_change_can_be_read_too(kinds: list[int], at: int, kind: int) -> None:
    changed = [*kinds[: at % len(kinds)], kind, *kinds[at % len(kinds) + 1 :]]
    if accepts(changed):
        parse_sexpression(_text(changed))


@pytest.mark.parametrize("there", list(itertools.product([False, True], repeat=4)))
def test_the_fewest_words_are_those_of_the_shortest_forms(there: tuple[bool, bool, bool, bool]) -> None:
    """Found by trying all forms of up to nine words."""
    kinds = [*range(1, len(SYMBOLS)), *(RELATION_KIND + at for at in range(4) if there[at])]
    table = rules()
    level: set[tuple[int, ...]] = {(FORM,)}
    shortest = NEVER
    for words in range(1, 10):
        level = {
            (*stack[:-1], *table[stack[-1], kind][::-1])
            for stack in level
            for kind in kinds
            if stack and (stack[-1], kind) in table
        }
        level = {stack for stack in level if len(stack) <= 9 - words}
        if () in level:
            shortest = words
            break
    assert fewest_words(*there)[FORM] == shortest


def test_the_tables_hold_no_more_than_they_say() -> None:
    assert max(len(pushed) for pushed in rules().values()) == automaton.PUSHED
    assert {top for top, _ in rules()} == set(range(automaton.STATES))
    assert [key for key in rules() if key[1] == END] == [(automaton.OVER, END)]
    assert np.all(fewest_words(True, True, True, True)[1:] >= 1)
