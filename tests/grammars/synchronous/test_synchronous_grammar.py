from __future__ import annotations

import pytest

from recombine.errors import DerivationError
from recombine.grammars.formalism import Term
from recombine.grammars.synchronous.notation import parse_synchronous
from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

SMALL = """
%start <S>
%nest <N> 2
%lexical <V>
exists: <S> -> there is <N> => exists ( <N> )
all:    <S> -> all <N> are <C> => all ( <N> , <C> )
are:    <C> -> <N-thing> => <N-thing>
dog:    <N> -> dog => find ( dog )
adj:    <N> -> <V> <N> => filter ( <V> , <N> )
bare:   <N-thing> -> <V> <T> => filter ( <V> , <T> )
scene:  <T> -> => scene ( )
big:    <V> -> big => big
red:    <V> -> "100%" red => red
"""


@pytest.fixture(scope="module")
def grammar() -> SynchronousGrammar:
    return parse_synchronous(SMALL, path="small.scfg")


def test_both_texts_of_a_term(grammar: SynchronousGrammar) -> None:
    things: Term = ("are", (("bare", (("red", ()), ("scene", ()))),))
    term: Term = ("all", (("adj", (("big", ()), ("dog", ()))), things))
    # The empty words of `scene` leave no double space, and a percent sign is a word like any other.
    source, target = "all big dog are 100% red", "all ( filter ( big , find ( dog ) ) , filter ( red , scene ( ) ) )"
    assert grammar.pair(term) == (source, target)
    assert grammar.parse(target) == grammar.parse_pair(source, target) == term
    assert list(grammar.parse_source(source)) == list(grammar.parse_target(target)) == [(source, target, term)]
    example = grammar.example(term)
    assert (example.source, example.target) == (source, target)


def test_varieties_are_one_rule_if_their_programs_are() -> None:
    grammar = parse_synchronous(
        "%start <S>\na: <S> -> x <N> => f ( <N> )\nb: <S> -> y <N-odd> => f ( <N-odd> )\nc: <S> -> z <N> => f ( <N> )\n"
        "n: <N> -> one => 1\nm: <N-odd> -> uno => 1\no: <N> -> eins => 1"
    )
    # c says in other words what a says, and o what n says: they are rules of their own.
    assert grammar.canonical == {"a": "a", "b": "a", "c": "c", "n": "n", "m": "n", "o": "o"}
    assert grammar.derivation(("b", (("m", ()),))).rules == ("a", "n")


def test_derivations_are_trees_in_preorder(grammar: SynchronousGrammar) -> None:
    term = grammar.parse("all ( filter ( big , find ( dog ) ) , filter ( red , scene ( ) ) )")
    derivation = grammar.derivation(term)
    assert derivation.rules == ("all", "adj", "big", "dog", "are", "bare", "red", "scene")
    assert derivation.edges == ((0, 1, 1), (1, 2, 1), (1, 3, 2), (0, 4, 2), (4, 5, 1), (5, 6, 1), (5, 7, 2))
    assert grammar.rule_set(term) == set(derivation.rules)


def test_limits_hold_for_varieties_together(grammar: SynchronousGrammar) -> None:
    twice = "exists ( filter ( big , filter ( big , find ( dog ) ) ) )"
    with pytest.raises(DerivationError, match=r"only with <N> nested more than 2 times; raise the limit"):
        grammar.parse(twice)
    assert grammar.pair(grammar.parse(twice, limited=False))[1] == twice
    # On the way down to `scene` there is one variety of N; the N beside it is on another way.
    assert grammar.parse("all ( filter ( big , find ( dog ) ) , filter ( red , scene ( ) ) )")


@pytest.mark.parametrize("text", ["", "exists", "exists ( find ( cat ) )", "exists ( find ( dog ) ) )", "find ( dog )"])
def test_what_the_grammar_does_not_make(grammar: SynchronousGrammar, text: str) -> None:
    with pytest.raises(DerivationError, match="small does not make the target"):
        grammar.parse(text)


def test_pairs_choose_between_derivations() -> None:
    grammar = parse_synchronous("%start <S>\na: <S> -> hello => hi\nb: <S> -> good day => hi\nc: <S> -> bye => bye")
    assert grammar.parse("hi") == ("a", ())
    assert grammar.parse_pair("good  day", "hi") == ("b", ())
    with pytest.raises(DerivationError, match="makes the target 'hi', but not with the source 'bye'"):
        grammar.parse_pair("bye", "hi")


def test_the_canonical_derivation_is_the_first_within_the_limits() -> None:
    text = (
        "%start <S>\n{}s: <S> -> <N> => <N>\nt: <S> -> <M> => <M>\nmore: <N> -> a <N> => a <N>\n"
        "end: <N> -> z => z\nm: <M> -> a z => a z"
    )
    assert parse_synchronous(text.format("")).parse("a z") == ("s", (("more", (("end", ()),)),))
    assert parse_synchronous(text.format("%nest <N> 1\n")).parse("a z") == ("t", (("m", ()),))


def test_circles_are_refused_on_the_side_that_has_them() -> None:
    grammar = parse_synchronous("%start <S>\na: <S> -> <S> => x <S>\nb: <S> -> y => y")
    assert grammar.parse("x x y")[0] == "a"
    with pytest.raises(DerivationError, match="<S> can be made of itself alone"):
        grammar.parse_source("y")
