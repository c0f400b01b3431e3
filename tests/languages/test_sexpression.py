from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.sexpression import SEXPRESSION
from recombine.tree import Tree

parse, render = SEXPRESSION.parse, SEXPRESSION.render


def normal(text: str) -> Tree:
    return SEXPRESSION.normalise(parse(text))


def test_a_tree_by_hand() -> None:
    joined = Tree("JOIN", (Tree("R", (Tree("people.marriage.spouse"),)), Tree("m.06c97")))
    expected = Tree("AND", (Tree("people.person"), joined))
    assert parse("(AND people.person (JOIN (R people.marriage.spouse) m.06c97))") == expected
    assert parse(" ( AND people.person(JOIN ( R people.marriage.spouse )m.06c97) )\n") == expected
    assert render(expected) == "(AND people.person (JOIN (R people.marriage.spouse) m.06c97))"


def test_a_quoted_literal_is_one_leaf() -> None:
    tree = parse('(JOIN film.name "two (words)"^^xsd:string)')
    assert tree == Tree("JOIN", (Tree("film.name"), Tree('"two (words)"^^xsd:string')))
    assert parse('(JOIN film.name "Fünf"@de)').children[1] == Tree('"Fünf"@de')


def test_what_is_equal() -> None:
    assert normal("(AND a (AND (JOIN r m.0) (JOIN s m.1)))") == normal("(AND (JOIN s m.1) (AND a (JOIN r m.0)))")
    assert normal('(JOIN film.year "2010"^^xsd:gYear)') == normal("(JOIN film.year 2010^^xsd:gYear)")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(JOIN a b)", "(JOIN b a)"),
        ("(JOIN (R a) b)", "(JOIN a b)"),
        ("(AND a a)", "(COUNT a)"),
        ("(ARGMAX a b)", "(ARGMIN a b)"),
        ("(AND a (JOIN r (AND b c)))", "(AND b (JOIN r (AND a c)))"),
        ('(JOIN film.year "2010")', "(JOIN film.year 2010)"),
        ('(JOIN film.name "a b"^^xsd:string)', '(JOIN film.name "ab"^^xsd:string)'),
    ],
)
def test_what_is_not_equal(first: str, second: str) -> None:
    assert normal(first) != normal(second)


def test_a_template_by_hand() -> None:
    text = "(AND film.film (AND (JOIN film.film.director m.03_r3) (ge film.film.year 2010^^xsd:gYear)))"
    expected = "(AND film.film (AND (JOIN film.film.director ENTITY) (ge film.film.year LITERAL)))"
    assert render(SEXPRESSION.anonymise(parse(text))) == expected


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("(COUNT (JOIN r m.0)", 0, "a bracket that is not closed"),
        ("(COUNT (JOIN r m.0)))", 20, "')' after the end of the program"),
        ("(COUNT (JOIN r))", 7, "'JOIN' has 1 argument where 2 belong"),
        ("(COUNT (film.film r))", 7, "'film.film' is no function of S-expressions"),
        ('(JOIN r "2010)', 8, "a string that does not end"),
        ("", 0, "an empty program"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
