"""The table of error messages is also the test table."""

from __future__ import annotations

import pytest

from recombine.errors import GrammarError
from recombine.grammars.terms.read_grammar import parse_grammar

GOOD = "%start <S>\na: <S> -> x => y"

MISTAKES = [
    # text, line, column, what the message holds
    ("%start <S>\na: <S> -> x <T> => y", 2, 13, "undefined symbol <T>"),
    ("%start <T>\na: <S> -> x => y", 1, 8, "undefined symbol <T>"),
    ("a: <S> -> x => y", 1, 1, "no start symbol"),
    ("%start <S>\n", 1, 1, "no rules"),
    ("%start <S>\n%start <S>\na: <S> -> x => y", 2, 1, "a second %start"),
    ("%start <S>\na <S> -> x => y", 2, 1, "found 'a'; expected"),
    ("%start <S>\na: <S> x => y", 2, 8, "expected ->"),
    ("%start <S>\na: <S> -> x => y\na: <S> -> z => y", 3, 1, "a second rule named 'a'"),
    ("%start <S>\na: <S> -> x => y\nb: <T> -> z => y", 3, 1, "<T> is never reached"),
    ("%start <S>\na: <S> -> x <S> => <S>", 2, 1, "<S> never ends in words"),
    ("%start <S>\na: <S> -> x => y\nb: <S> -> <S> <S> => y", 3, 1, "stands twice in the source"),
    ("%start <S>\na: <S> -> x", 2, 1, "no target"),
    ("%start <S>\na: <S> -> x => <S>", 2, 16, "<S> is not in the source"),
    ("%start <S>\na: <S> -> x ~ z => y", 1, 8, "has more than one part"),
    ("%start <S>\na: <S> -> <D.1> => y\nd: <D> -> x ~ z => y", 2, 1, "part 2 of <D> is not placed"),
    ("%start <S>\na: <S> -> <D.3> => y\nd: <D> -> x ~ z => y", 2, 11, "<D> has 2 part(s)"),
    ("%start <S>\na: <S> -> <D> => y\nd: <D> -> x ~ z => y\ne: <D> -> x => y", 4, 4, "has 2 parts in another rule"),
    ("%start <S>\na @0: <S> -> x => y", 2, 1, "a weight of 0"),
    ("%start <S>\na: <S.1> -> x => y", 2, 4, "a part or number on the left side"),
    ('%start <S>\na: <S> -> "x y" => y', 2, 11, "is not one word"),
    ("%start <S>\na: <S> -> x => y\n[[x]] = y", 2, 1, "a target beside an interpretation"),
    ("%start <S>\na: <S> -> x\n[[z]] = y", 3, 1, "does not make the phrase [[z]]"),
    ("%start <S>\na: <S> -> x\nb: <S> -> x\n[[x]] = y", 4, 1, "in 2 ways"),
    ("%start <S>\na: <S> -> x\n[[x]] = y\n[[x]] = z", 4, 1, "a second interpretation"),
    (
        "%start <S>\na: <S> -> x <T>\nt: <T> -> t\n[[x <T>]] = y\n[[x t]] = z\n[[t]] = t",
        5,
        1,
        "interpret the same phrase",
    ),
    ("%start <S>\na: <S> -> x\n[[x]] = [[<S>]]", 3, 11, "<S> is not in the phrase"),
    ("%start <S>\na: <S> -> x\n[[x]] = [[x]]", 3, 1, "interpreted by itself"),
    ("%start <S>\na: <S> -> x ]] => y", 2, 13, "found ']]'"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), MISTAKES)
def test_mistakes_are_placed(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_grammar(text, path="my.grammar")
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"my.grammar, line {line}, column {column}: ")
    assert "\n" not in str(caught.value)


def test_comments_weights_quotes_and_numbers() -> None:
    grammar = parse_grammar(
        '# nothing\n%start <S>  # the start\n\none @2.5: <S> -> <U:1> "#" <U:2> => <U:2> "=>" <U:1>\n'
        'two: <U> -> "<b>" => b\r\nthree: <U> -> => "\\u00e9"\n'
    )
    assert grammar.rules["one"].weight == 2.5
    term = ("one", (("two", ()), ("three", ())))
    assert grammar.source(term) == "<b> #"
    assert grammar.target(term) == "é => b"
    assert parse_grammar(GOOD).rule_names() == ["a"]
