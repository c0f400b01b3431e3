from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.covr import COVR
from recombine.tree import Tree


def test_a_tree_by_hand() -> None:
    attribute = Tree("query_attr[shape]", (Tree("find", (Tree("cat"),)),))
    assert COVR.parse("eq ( query_attr [ shape ] ( find ( cat ) ) , round )") == Tree("eq", (attribute, Tree("round")))


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("exists ( filter ( round , find ( dog ) , cat ) )", 16, "'filter' has 3 arguments where 2 belong"),
        ("exists ( with_relation ( scene ( ) , find , dog ) )", 23, "'find' is a function without its arguments"),
        ("exists ( filter ( round , find dog ( ) ) )", 16, "'find dog()' is a function without its arguments"),
        ("most ( scene ( ) , round ( dog ) )", 25, "'round' is no function of COVR"),
        ("query_attr ( find ( dog ) )", 11, "'query_attr' is no function of COVR"),
        ("count [ color ] ( find ( dog ) )", 16, "'count[color]' is no function of COVR"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        COVR.parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
