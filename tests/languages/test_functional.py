from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.functional import FUNCTIONAL, published_tree
from recombine.tree import Tree

parse, render = FUNCTIONAL.parse, FUNCTIONAL.render


def test_a_tree_by_hand() -> None:
    found = Tree("find", (Tree("mouse"),))
    related = Tree("with_relation", (found, Tree("looking at"), Tree("scene()")))
    expected = Tree("eq", (Tree("query_attr[color]", (related,)), Tree("gray")))
    text = "eq ( query_attr [ color ] ( with_relation ( find ( mouse ) , looking at , scene ( ) ) ) , gray )"
    assert parse(text) == expected
    assert parse("eq(query_attr[color](with_relation(find(mouse),looking  at,scene())),gray)") == expected
    assert render(expected) == text


def test_the_published_tree_by_hand() -> None:
    # The release makes ["with_relation", ["scene", []], ["playing", "with"], ["query_attr[color]", …]] of this.
    tree = parse("with_relation ( scene ( ) , playing with , query_attr [ color ] ( find ( dog ) ) )")
    attribute = Tree("query_attr[color]", (Tree("find", (Tree("dog"),)),))
    expected = Tree("with_relation", (Tree("scene"), Tree("playing", (Tree("with"),)), attribute))
    assert published_tree(tree) == expected


def test_a_call_of_nothing_is_no_word() -> None:
    assert parse("exists ( scene ( ) )") != parse("exists ( scene )")


def test_a_string_keeps_its_brackets() -> None:
    tree = Tree("named", (Tree('"a ( ) , [ b"'), Tree("scene()")))
    assert parse('named ( "a ( ) , [ b" , scene ( ) )') == tree
    assert parse(render(tree)) == tree


def test_order_matters() -> None:
    normal = FUNCTIONAL.normalise
    assert normal(parse("and(a,b)")) == normal(parse("and ( a , b )"))
    assert normal(parse("and ( a , b )")) != normal(parse("and ( b , a )"))


def test_a_template_by_hand() -> None:
    text = (
        "or ( gt ( count ( filter ( round , find ( dog ) ) ) , 2 ) , "
        "eq ( query_attr [ shape ] ( scene ( ) ) , square ) )"
    )
    expected = (
        "LOGIC ( gt ( count ( filter ( VALUE , find ( ENTITY ) ) ) , NUM ) , "
        "eq ( query_attr [ ATTRIBUTE ] ( scene ( ) ) , VALUE ) )"
    )
    assert render(FUNCTIONAL.anonymise(parse(text))) == expected
    related = parse("with_relation ( scene ( ) , playing with , find ( cat ) )")
    assert FUNCTIONAL.anonymise(related).children[1] == Tree("RELATION")


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("count ( find ( dog )", 6, "a bracket that is not closed"),
        ("count ( find ( dog ) ) )", 23, "a closing bracket too many"),
        ("count ( scene ( ) ( dog ) )", 16, "an argument is missing"),
        ("( )", 0, "a bracket with no name before it"),
        ("query_attr [ color ( scene ( ) )", 11, "a square bracket that is not closed"),
        ("query_attr color ] ( scene ( ) )", 17, "a square bracket that closes nothing"),
        ("[ color ] ( scene ( ) )", 0, "a square bracket with no name before it"),
        ("a [ b ] c ( d )", 8, "'c' after a closing square bracket"),
        ("a [ b", 2, "a square bracket that is not closed"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
