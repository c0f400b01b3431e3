from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.lambda_dcs import LAMBDA_DCS, SCOPE
from recombine.tree import Tree

parse, render = LAMBDA_DCS.parse, LAMBDA_DCS.render
BLOCKS = "( call getProperty ( call singleton en.block ) ( string !type ) )"


def normal(text: str) -> str:
    return render(LAMBDA_DCS.normalise(parse(text)))


def test_a_tree_by_hand() -> None:
    domain = Tree("call", (Tree("domain"), Tree("string", (Tree("player"),))))
    condition = Tree("call", (Tree("filter"), Tree("var", (Tree("s"),)), Tree("string", (Tree("won"),))))
    expected = Tree("", (Tree("lambda", (Tree("s"), condition)), domain))
    assert parse("((lambda s (call filter (var s) (string won))) (call domain (string player)))") == expected
    plain = Tree("filter", (Tree("var", (Tree("s"),)), Tree("won")))
    assert LAMBDA_DCS.normalise(expected) == Tree(
        "", (Tree("lambda", (Tree("s"), plain)), Tree("domain", (Tree("player"),)))
    )


def test_what_is_removed() -> None:
    assert normal(f"( call {SCOPE}listValue en.block )") == "( listValue en.block )"
    assert (
        normal("( call reverse ( string ! type ) )")
        == normal("( call reverse ( string !type ) )")
        == "( reverse !type )"
    )
    assert normal("( call aggregate ( number 3 en.inch ) ( date 2004 -1 -1 ) )") == (
        "( aggregate ( 3 en.inch ) ( date 2004 -1 -1 ) )"
    )


def test_conditions_of_one_set_have_no_order() -> None:
    width, shape = "( string width ) ( string = ) ( number 3 en.inch )", "( string shape ) ( string = ) en.shape.cube"
    first = f"( call filter ( call filter {BLOCKS} {width} ) {shape} )"
    second = f"( call filter ( call filter {BLOCKS} {shape} ) {width} )"
    assert normal(first) == normal(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # A filter of a property's set is not a filter of the set it is the property of.
        (
            f"( call filter ( call getProperty ( call filter {BLOCKS} ( string a ) ) ( string b ) ) ( string c ) )",
            f"( call filter ( call getProperty ( call filter {BLOCKS} ( string c ) ) ( string b ) ) ( string a ) )",
        ),
        ("( call concat en.a en.b )", "( call concat en.b en.a )"),
        ("( call aggregate en.a ( date 10 0 0 ) )", "( call aggregate en.a ( time 10 0 ) )"),
        ("( call aggregate en.a ( number 2 ) )", "( call aggregate en.a ( number 2 en.inch ) )"),
    ],
)
def test_what_is_not_equal(first: str, second: str) -> None:
    assert normal(first) != normal(second)


def test_a_template_by_hand() -> None:
    text = f"( call filter {BLOCKS} ( string width ) ( string < ) ( number 3 en.inch ) )"
    expected = "( filter ( getProperty ( singleton ENTITY ) STR ) STR STR NUM )"
    assert render(LAMBDA_DCS.anonymise(parse(text))) == expected
    assert LAMBDA_DCS.anonymise(LAMBDA_DCS.normalise(parse(text))) == LAMBDA_DCS.anonymise(parse(text))
    applied = "( ( lambda s ( call filter ( var s ) ( string won ) ) ) ( call domain ( string player ) ) )"
    assert render(LAMBDA_DCS.anonymise(parse(applied))) == "( ( lambda s ( filter ( var s ) STR ) ) ( domain STR ) )"


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("( call listValue ( call singleton en.block )", 0, "a bracket that is not closed"),
        ("( call listValue ( call singleton ) )", 17, "a call of no method or with no argument"),
        ("( call reverse ( string ( string a ) ) )", 15, "'string' declares what is not a plain value"),
        ("( call concat en.a ( number three ) )", 19, "'number' declares 'three', which is no number"),
        ("( call getProperty en.block )", 0, "'getProperty' has 1 argument where 2 belong"),
        ("( call concat en.a ( ( var s ) en.b ) )", 19, "brackets that begin neither with a word"),
        ("( ( lambda s s ) en.a )", 2, "'lambda' takes a variable and a body"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
