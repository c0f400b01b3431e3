from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import drawing, fuzzed, read_or_refusal

from recombine.errors import ProgramError
from recombine.languages.top import TOP, anonymise_top, parse_top, render_top
from recombine.tree import Tree

WORD = st.sampled_from([Tree(word) for word in ("what's", "the", "Rome", "7:30", "VALUE", "IN", "(a)", "größe")])


def node(kind: str, name: str, parts: list[Tree]) -> Tree:
    return Tree(f"{kind}:{name}", tuple(parts))


def some_parts(draw: random.Random, kind: str, depth: int) -> list[Tree]:
    parts = [Tree(draw.choice(["what's", "in", "Rome", "new", "8"])) for _ in range(draw.randrange(4))]
    if depth:
        names = ("LOCATION", "DATE", "TO") if kind == "SL" else ("GET_WEATHER", "BOOK")
        other = "IN" if kind == "SL" else "SL"
        parts += [node(kind, draw.choice(names), some_parts(draw, other, depth - 1)) for _ in range(draw.randrange(3))]
        draw.shuffle(parts)
    return parts


def some_top(draw: random.Random) -> Tree:
    return node("IN", draw.choice(["GET_WEATHER", "BOOK"]), some_parts(draw, "SL", 3))


def check_laws(tree: Tree) -> None:
    text = render_top(tree)
    assert parse_top(text) == tree
    assert parse_top(text.replace(" [", "[").replace(" ]", "]")) == tree
    template = anonymise_top(tree)
    assert parse_top(render_top(template)) == template == anonymise_top(template)
    assert TOP.normalise(TOP.normalise(tree)) == TOP.normalise(tree)


def test_a_thousand_made_questions_read_back() -> None:
    draw = drawing(1)
    for _ in range(1_000):
        check_laws(some_top(draw))


@settings(deadline=None, max_examples=100)
@given(
    st.recursive(
        st.lists(WORD, max_size=3),
        lambda parts: st.lists(
            WORD | st.builds(node, st.sampled_from(["IN", "SL"]), st.just("A_B"), parts), max_size=3
        ),
        max_leaves=8,
    )
)
def test_any_question_reads_back(parts: list[Tree]) -> None:
    check_laws(node("IN", "GET", parts))


def test_the_tree_is_that_of_the_brackets() -> None:
    tree = parse_top("[IN:GET_WEATHER what's the weather in [SL:LOCATION new york ] ]")
    assert [child.label for child in tree.children] == ["what's", "the", "weather", "in", "SL:LOCATION"]
    assert [child.label for child in tree.children[-1].children] == ["new", "york"]


def test_a_template_has_the_intents_and_slots_alone() -> None:
    tree = parse_top("[IN:GET please the [SL:LOCATION new york ] [SL:TO in [IN:BOOK a [SL:DATE 8 ] ] ] now ]")
    assert render_top(anonymise_top(tree)) == "[IN:GET [SL:LOCATION VALUE ] [SL:TO [IN:BOOK [SL:DATE VALUE ] ] ] ]"


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "an empty program"),
        ("Rome", 1, "'Rome' where an intent should begin"),
        (" [SL:A b ]", 2, "'[SL:A' where an intent should begin"),
        ("[IN:A b", 1, "a bracket that is not closed"),
        ("[IN:A b ] ]", 11, "']' after the end"),
        ("[IN:A b ] [IN:B c ]", 11, "'[IN:B' after the end"),
        ("] [IN:A", 1, "']' where an intent should begin"),
        ("[IN:A [b ] ]", 7, "'[b' opens no intent or slot"),
        ("[IN: b ]", 1, "'[IN:' opens no intent or slot"),
        ("[IN:A SL:B b ]", 7, "'SL:B' without its bracket"),
    ],
)
def test_what_is_no_top_is_refused_with_its_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(ProgramError) as raised:
        parse_top(text)
    assert str(raised.value).startswith(f"TOP program, column {column}: {problem}")


def test_fuzzed_texts_are_read_or_refused() -> None:
    draw, trees = drawing(2), 0
    for _ in range(5_000):
        trees += isinstance(read_or_refusal(TOP, fuzzed(render_top(some_top(draw)), draw, "[] INSL:_\n\ud800x")), Tree)
    assert 500 < trees < 4_500


def test_a_long_word_is_shown_in_part() -> None:
    with pytest.raises(ProgramError) as refused:
        parse_top("(" * 100_000)
    assert len(str(refused.value)) < 400
    assert "where an intent should begin" in str(refused.value)
