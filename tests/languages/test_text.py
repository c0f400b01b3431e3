from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import drawing, fuzzed, read_or_refusal

import recombine
from recombine.errors import ProgramError
from recombine.languages.text import TEXT, parse_text, render_text
from recombine.tree import Tree

WORDS = ("what's", "the", "Rome,", "7:30", "3.5%", "(a)", "größe", "x+3", "-4", "2026-01-31", "e.g.", "<b>", "a--b")


def check_laws(text: str) -> None:
    tree = parse_text(text)
    assert parse_text(render_text(tree)) == tree
    assert "".join(child.label for child in tree.children) == "".join(text.split())
    template = TEXT.anonymise(tree)
    assert TEXT.anonymise(parse_text(render_text(template))) == template
    assert TEXT.type_literals is not None
    assert len(TEXT.type_literals(tree).children) == len(tree.children)


def test_a_thousand_made_texts_read_back() -> None:
    draw = drawing(1)
    for _ in range(1_000):
        check_laws(" ".join(draw.choices(WORDS, k=draw.randrange(1, 12))))


@settings(deadline=None, max_examples=100)
@given(st.text(min_size=1).filter(str.strip))
def test_any_text_reads_back_and_keeps_all_its_signs(text: str) -> None:
    check_laws(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Is it 3.5, or -4?", ["Is", "it", "3.5", ",", "or", "-4", "?"]),
        ("(what's new)", ["(", "what's", "new", ")"]),
        ("at 7:30 on 2026-01-31.", ["at", "7:30", "on", "2026-01-31", "."]),
        ("I_WALK I_JUMP", ["I_WALK", "I_JUMP"]),
    ],
)
def test_tokens_are_words_and_signs(text: str, tokens: list[str]) -> None:
    assert parse_text(text) == Tree("text", tuple(map(Tree, tokens)))


def test_kinds_of_numbers_and_dates() -> None:
    assert TEXT.type_literals is not None
    typed = TEXT.type_literals(parse_text("true on 2026-01-31 at -4 %"))
    assert render_text(typed) == "true on <date> at <number> %"


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="text program, column 1: an empty text"):
        parse_text(text)


def test_fuzzed_texts_are_read() -> None:
    draw, trees = drawing(2), 0
    for _ in range(5_000):
        text = " ".join(draw.choices(WORDS, k=draw.randrange(1, 4)))
        trees += isinstance(read_or_refusal(TEXT, fuzzed(text, draw, "()'.,-\n a3\ud800<>")), Tree)
    assert trees > 4_900


def test_neighbours_in_a_text_are_compounds() -> None:
    """Pairs of words: "big red" is in test alone, its words are in train."""
    texts = ["the big dog", "a red dog", "the red cat", "a big cat", "the big red dog"]
    data = recombine.load([(str(number), text) for number, text in enumerate(texts)], language="text")
    found = recombine.features(data, "atoms=tokens,presence;compounds=ngram:2")
    names = [found.compounds.names[column] for column in found.compounds.indices[found.compounds.indptr[4] :]]
    assert any("big" in name and "red" in name for name in names)
