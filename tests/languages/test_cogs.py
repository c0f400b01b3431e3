from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.cogs import COGS
from recombine.tree import Tree

parse, render = COGS.parse, COGS.render


def test_a_sentence_by_hand() -> None:
    # The second line of the published train file: "The sailor dusted a boy ."
    text = "* sailor ( x _ 1 ) ; dust . agent ( x _ 2 , x _ 1 ) AND dust . theme ( x _ 2 , x _ 4 ) AND boy ( x _ 4 )"
    expected = Tree(
        "AND",
        (
            Tree("*", (Tree("sailor", (Tree("x_1"),)),)),
            Tree("dust.agent", (Tree("x_2"), Tree("x_1"))),
            Tree("dust.theme", (Tree("x_2"), Tree("x_4"))),
            Tree("boy", (Tree("x_4"),)),
        ),
    )
    assert parse(text) == expected
    assert parse(text.replace(" _ ", "_").replace(" . ", ".")) == expected
    assert render(expected) == text


def test_primitives_by_hand() -> None:
    assert parse("Emma") == Tree("Emma")
    run = Tree("AND", (Tree("run.agent", (Tree("e"), Tree("a"))),))
    assert parse("LAMBDA a . LAMBDA e . run . agent ( e , a )") == Tree(
        "LAMBDA", (Tree("a"), Tree("LAMBDA", (Tree("e"), run)))
    )


def test_what_is_equal() -> None:
    normal = COGS.normalise
    first = normal(parse("* dog ( x _ 4 ) ; eat . agent ( x _ 1 , x _ 4 )"))
    assert first == normal(parse("* dog ( x _ 1 ) ; eat . agent ( x _ 2 , x _ 1 )"))
    assert first != normal(parse("* dog ( x _ 1 ) ; eat . agent ( x _ 1 , x _ 2 )"))
    assert first != normal(parse("dog ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 )"))
    assert first != normal(parse("* dog ( x _ 1 ) ; eat . agent ( x _ 2 , x _ 3 )"))


def test_a_template_by_hand() -> None:
    text = "give . agent ( x _ 1 , Emma ) AND give . recipient ( x _ 1 , Liam )"
    expected = "give . agent ( x _ 1 , ENTITY ) AND give . recipient ( x _ 1 , ENTITY )"
    assert render(COGS.anonymise(parse(text))) == expected


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("dog x _ 1 )", 4, "'x_1' stands where a '(' belongs"),
        ("dog ( x _ 1", 11, "the program ends where a ')' belongs"),
        ("dog ( x _ 1 ) )", 14, "')' stands where the end belongs"),
        ("* dog ( x _ 1 ) AND cat ( x _ 2 )", 16, "'AND' stands where a ';' belongs"),
        ("* dog ( x _ 1 ) ;", 17, "the program ends where a predicate belongs"),
        ("dog ( )", 6, "')' stands where an argument belongs"),
        ("dog ( x _ ? )", 8, "'_' is of no use here"),
        ("  ", 0, "an empty program"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
