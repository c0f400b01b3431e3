"""The table of error messages is also the test table."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import GrammarError, UnknownNameError
from recombine.grammars.find_grammar import find_grammar, packaged_names
from recombine.grammars.synchronous.notation import packaged_synchronous, parse_synchronous, render_synchronous
from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

MISTAKES = [
    # text, line, column, what the message holds
    ("%start <S>\n%nest <T> 2\na: <S> -> x => y", 2, 7, "undefined symbol <T>"),
    ("%start <S>\n%nest <S-odd> 2\na: <S> -> x => y", 2, 7, "expected a symbol such as <S>, without a variety"),
    ("%start <S>\n  %nest <S>\na: <S> -> x => y", 2, 3, "%nest takes a symbol and a number"),
    ("%start <S>\n%nest <S> 0\na: <S> -> x => y", 2, 11, "the limit is '0'"),
    ("%start <S>\n%nest <S> two # two\na: <S> -> x => y", 2, 11, "the limit is 'two'"),
    ("%start <S>\n%nest <S> 2\n%nest <S> 3\na: <S> -> x => y", 3, 7, "a second limit for <S>"),
    ("%start <S>\n%longest\na: <S> -> x => y", 2, 1, "%longest takes a number"),
    ("%start <S>\n%longest -1\na: <S> -> x => y", 2, 10, "the limit is '-1'"),
    ("%start <S>\n%longest 1\n%longest 2\na: <S> -> x => y", 3, 1, "a second %longest"),
    ("%start <S>\n%lexical\na: <S> -> x => y", 2, 1, "%lexical takes symbols"),
    ("%start <S>\n%lexical <S> S\na: <S> -> x => y", 2, 14, "found 'S'"),
    ("%start <S>\n%lexical <S>\n%lexical <S>\na: <S> -> x => y", 3, 10, "<S> is lexical already"),
    ("%start <S>\na: <S> -> x <T> => y\nt: <T> -> z => z", 2, 1, "<T> is not in the target"),
    ("%start <S>\na: <S> -> x <T> => <T> <T>\nt: <T> -> z => z", 2, 1, "<T> stands twice in the target"),
    ("%start <S>\na: <S> -> x ~ y => z", 2, 1, "a divided phrase"),
    ("%start <S>\na: <S> -> x\n[[x]] = y", 3, 1, "an interpretation rule"),
    ("%start <S>\na: <S> -> x", 2, 1, "no target"),
    ("%start <S>\n\n%nest <S> 2\na: <S> -> x <T> => y", 4, 13, "undefined symbol <T>"),
    (
        "%start <S>\n%nest <S> 1\na: <S> -> x <T> => x <T>\nt: <T> -> <S> => <S>",
        3,
        1,
        "<S> never ends in words",
    ),
    (
        "%start <S>\n%nest <T> 1\na: <S> -> <T> => <T>\nt: <T> -> x <T-odd> => <T-odd>\no: <T-odd> -> z => z",
        2,
        1,
        "the limits leave no derivation",
    ),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), MISTAKES)
def test_mistakes_are_placed(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_synchronous(text, path="my.scfg")
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"my.scfg, line {line}, column {column}: ")


def test_directives_are_read() -> None:
    grammar = parse_synchronous(
        "%start <S> # s\n%nest <S> 3 # n\n\t%lexical <S>\n%longest 9\na: <S> -> x <S> => <S> x\nb: <S> -> => z"
    )
    assert (grammar.limits, grammar.lexical, grammar.longest) == ({"S": 3}, {"S"}, 9)


words = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=4)


@given(st.lists(st.tuples(words, words, st.floats(0.001, 1e6)), min_size=1, max_size=4), st.integers(1, 9))
def test_rendered_grammars_read_back(rows: list[tuple[str, str, float]], limit: int) -> None:
    base = parse_synchronous(
        f"%start <S>\n%nest <N-x> {limit}\n%lexical <N>\n".replace("<N-x>", "<N>")
        + "r: <S> -> <N:1> and <N-odd> <N:2> => <N:2> <N:1> <N-odd>\nodd: <N-odd> -> odd => odd\n"
        + "".join(f"w{n}: <N> -> w => w\n" for n in range(len(rows)))
    )
    rules = dict(base.plain.rules)
    for number, (source, target, weight) in enumerate(rows):
        rule = rules[f"w{number}"]
        rules[rule.name] = type(rule)(rule.name, rule.lhs, (), ((source,),), ((target,),), weight)
    plain = type(base.plain)(base.plain.name, base.plain.start, rules, (), base.plain.parts)
    grammar = SynchronousGrammar(plain, base.limits, base.lexical)
    assert parse_synchronous(render_synchronous(grammar)) == grammar


def test_the_packaged_grammar_reads_back() -> None:
    grammar = packaged_synchronous("covr")
    assert parse_synchronous(render_synchronous(grammar), path="covr.scfg") == grammar


def test_grammars_are_found_by_name_and_path(tmp_path: Path) -> None:
    assert isinstance(find_grammar("covr"), SynchronousGrammar)
    assert find_grammar(packaged_names()["scan"]).name == "scan"
    (tmp_path / "my.scfg").write_text("%start <S>\n%nest <S> 1\na: <S> -> x => y")
    assert find_grammar(tmp_path / "my.scfg").name == "my"
    with pytest.raises(UnknownNameError, match="unknown grammar 'cover'; did you mean 'covr'"):
        find_grammar("cover")
