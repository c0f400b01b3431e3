"""The quicker chart parser gives what the chart parser gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import DerivationError
from recombine.grammars.synchronous.word_chart import WordChart
from recombine.grammars.terms.chart import ChartParser, Open, Production
from recombine.grammars.terms.read_grammar import parse_grammar
from recombine.grammars.terms.rule import Ref, Rule

SYMBOLS = ("S", "A", "B")
sides = st.lists(st.sampled_from([*SYMBOLS, "x", "y"]), max_size=3)
grammars = st.lists(st.tuples(st.sampled_from(SYMBOLS), sides), min_size=1, max_size=7)


def make_rules(rows: list[tuple[str, list[str]]]) -> list[Rule]:
    """Rules with these sides, and one that ends for each symbol."""
    rules = []
    for number, (lhs, elements) in enumerate([*rows, ("S", ["x"]), ("A", ["y"]), ("B", ["x", "y"])]):
        children = tuple(element for element in elements if element in SYMBOLS)
        places = iter(range(len(children)))
        part = tuple(Ref(next(places), 0) if element in SYMBOLS else element for element in elements)
        rules.append(Rule(f"r{number}", lhs, children, (part,), (part,)))
    return rules


def plain_parser(rules: list[Rule]) -> ChartParser:
    return ChartParser(
        [Production(r.lhs, r.children, r.source, (r.name, tuple(range(len(r.children))))) for r in rules]
    )


@settings(max_examples=150, deadline=None)
@given(grammars, st.lists(st.sampled_from(["x", "y", "z"]), max_size=5))
def test_same_forest_and_its_first_derivation(rows: list[tuple[str, list[str]]], words: list[str]) -> None:
    rules = make_rules(rows)
    quick = WordChart(rules, "source")
    try:
        expected = plain_parser(rules).parse(words, "S")
    except DerivationError:
        with pytest.raises(DerivationError, match="made of itself alone"):
            quick.first(words, "S")
        return
    found = quick.parse(words, "S")
    assert found.alternatives == expected.alternatives
    if quick._loop is None:
        assert quick.first(words, "S") == next(expected.iter_terms(), None)


def test_left_recursion_and_open_words() -> None:
    grammar = parse_grammar("%start <E>\nplus: <E> -> <E:1> + <E:2> => <E:1> <E:2>\none: <E> -> 1 => 1")
    quick = WordChart(grammar.rules.values(), "source")
    assert quick.parse(["1", "+", "1", "+", "1", "+", "1"], "E").count() == 5
    # Short first children first: 1 + (1 + 1).
    assert quick.first(["1", "+", "1", "+", "1"], "E") == ("plus", (("one", ()), ("plus", (("one", ()), ("one", ())))))
    (fragment,) = quick.parse(["1", "+", Open("E", 0)], "E").iter_fragments()
    assert fragment == ("plus", (("one", ()), 0))
    assert quick.first([], "E") is None
    assert quick.first(["1"], "F") is None


def test_children_keep_their_places() -> None:
    grammar = parse_grammar("%start <S>\nswap: <S> -> <A> <B> => <B> <A>\na: <A> -> a => a\nb: <B> -> b => b")
    for side, text in (("source", "a b"), ("target", "b a")):
        assert WordChart(grammar.rules.values(), side).first(text.split(), "S") == ("swap", (("a", ()), ("b", ())))


def test_what_is_not_context_free_is_refused() -> None:
    copies = parse_grammar("%start <S>\nt: <S> -> <U> twice => <U> <U>\na: <U> -> a => x")
    with pytest.raises(DerivationError, match="the target of the rule 't' is not context-free"):
        WordChart(copies.rules.values(), "target")
