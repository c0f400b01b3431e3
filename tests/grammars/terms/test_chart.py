from __future__ import annotations

import pytest

from recombine.errors import DerivationError
from recombine.grammars.terms.chart import ChartParser, Production
from recombine.grammars.terms.enumerate_terms import enumerate_terms
from recombine.grammars.terms.grammar import Grammar
from recombine.grammars.terms.read_grammar import packaged_grammar, parse_grammar
from recombine.grammars.terms.rule import Ref

ARITHMETIC = """
%start <E>
plus: <E> -> <E:1> + <E:2> => add <E:1> <E:2>
one:  <E> -> 1 => 1
"""


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return packaged_grammar("scan")


@pytest.mark.parametrize(("ones", "trees"), [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (8, 429)])
def test_ambiguity_is_counted(ones: int, trees: int) -> None:
    # n + 1 operands have as many binary trees as the n-th Catalan number.
    forest = parse_grammar(ARITHMETIC).parse_forest(" + ".join(["1"] * ones))
    assert forest.count() == trees
    terms = list(forest.iter_terms())
    assert len(terms) == len(set(terms)) == trees


def test_prefix_targets_are_unambiguous() -> None:
    grammar = parse_grammar(ARITHMETIC)
    for term in enumerate_terms(grammar, max_depth=4):
        assert list(grammar.parse_forest(grammar.target(term), "target").iter_terms()) == [term]


def test_copies_must_be_equal() -> None:
    grammar = parse_grammar("%start <S>\nt: <S> -> <U> twice => <U> <U>\na: <U> -> a => x\nb: <U> -> b => y z")
    assert grammar.parse_forest("y z y z", "target").first(9) == [("t", (("b", ()),))]
    assert not grammar.parse_forest("x y z", "target")
    assert grammar.parse_forest("x y z", "target").count() == 0


def test_parts_stand_apart(grammar: Grammar) -> None:
    assert grammar.parse_forest("turn around left").first(9) == [
        ("single", (("once", (("around", (("turn", (("left", ()),)),)),)),))
    ]
    assert not grammar.parse_forest("around turn left")
    assert not grammar.parse_forest("turn left around")


def test_one_target_has_several_commands(grammar: Grammar) -> None:
    # LTURN LTURN is: turn left twice, turn opposite left, turn left and/after turn left.
    found = sorted(
        grammar.source(term) for term in grammar.parse_forest("I_TURN_LEFT I_TURN_LEFT", "target").iter_terms()
    )
    assert found == ["turn left after turn left", "turn left and turn left", "turn left twice", "turn opposite left"]


def test_empty_phrases() -> None:
    grammar = parse_grammar("%start <S>\na: <S> -> <U> x => <U> z\nb: <U> -> => \nc: <U> -> u => y")
    assert grammar.parse_forest("x").first(9) == [("a", (("b", ()),))]
    assert grammar.parse_forest("y z", "target").first(9) == [("a", (("c", ()),))]
    assert not grammar.parse_forest("")


def test_endless_derivations_are_refused() -> None:
    grammar = parse_grammar("%start <S>\na: <S> -> <S> => <S>\nb: <S> -> x => y")
    with pytest.raises(DerivationError, match="infinitely many"):
        grammar.parse_forest("x")


def test_dropped_children_cannot_be_parsed_back() -> None:
    grammar = parse_grammar("%start <S>\na: <S> -> <U> x => y\nb: <U> -> u => v")
    assert grammar.parse_forest("u x")
    with pytest.raises(DerivationError, match="drops a child"):
        grammar.parse_forest("y", "target")


def test_the_parts_of_a_symbol_follow_one_another() -> None:
    # <S> is x, then <U>, in two parts; where <U> is empty, the first part takes the whole input.
    parser = ChartParser(
        [
            Production("S", ("U",), (("x",), (Ref(0, 0),)), ("s", (0,))),
            Production("U", (), ((),), ("nothing", ())),
            Production("U", (), (("u",),), ("u", ())),
        ]
    )
    assert parser.parse(["x"], "S").first(9) == [("s", (("nothing", ()),))]
    assert parser.parse(["x", "u"], "S").first(9) == [("s", (("u", ()),))]
    assert not parser.parse(["u", "x"], "S")
    assert not parser.parse(["u"], "S")
