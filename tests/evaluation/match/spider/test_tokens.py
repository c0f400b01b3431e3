"""Words as the published evaluator cuts them: cases after its rules, by hand."""

from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.evaluation.match.spider.tokens import position, tokens

CASES = [
    ("SELECT count(*) FROM T", "select count ( * ) from t"),
    ("a>b", "a > b"),
    ("a = 1", "a = 1"),
    ("a=1", "a=1"),
    ("a >= 1", "a >= 1"),
    ("a > = 1", "a >= 1"),
    ("a>=1", "a > =1"),
    ("a != 1", "a != 1"),
    ("a <> 1", "a < > 1"),
    ("a,b", "a , b"),
    ("1,2", "1,2"),
    ("1, 2", "1 , 2"),
    ("T1.Name", "t1.name"),
    ("t1.*", "t1. *"),
    ("a*b", "a * b"),
    ("a-b", "a-b"),
    ("a -- b", "a -- b"),
    ("limit 1;", "limit 1 ;"),
    ("x = 1.", "x = 1 ."),
    ("x = 1.5", "x = 1.5"),
    ("`a b`", "` a b `"),
    ("f(x)", "f ( x )"),
]


@pytest.mark.parametrize(("text", "words"), CASES)
def test_words(text: str, words: str) -> None:
    assert tokens(text) == words.split()


def test_texts_in_quotes_keep_their_case_and_blanks() -> None:
    assert tokens("a = 'New York'") == ["a", "=", '"New York"']
    assert tokens('a LIKE "%X%"') == ["a", "like", '"%X%"']
    assert tokens("('A','b')") == ["(", '"A"', ",", '"b"', ")"]


def test_a_text_in_quotes_within_a_word_is_no_value() -> None:
    glued = tokens("a ='x'")
    assert len(glued) == 2
    assert '"' not in glued[1]
    assert len(tokens("'x''y'")) == 1


def test_quotes_must_be_paired() -> None:
    with pytest.raises(ProgramError, match="column 13: a quote that is not paired"):
        tokens('a = "O\'Brien"')


def test_positions_are_those_of_words() -> None:
    text = "a  >= 1 and b != 'x y' limit 3"
    assert [position(text, number) for number in range(len(tokens(text)))] == [0, 3, 6, 8, 12, 14, 17, 23, 29]
    assert position(text, 99) == len(text)
