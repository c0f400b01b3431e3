"""Compiled code draws what `sample.py` draws, number for number."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from recombine.datasets.covr_generated import CovrGenerator
from recombine.errors import SizeError
from recombine.grammars.synchronous import draw_many
from recombine.grammars.synchronous.draw_many import iter_many
from recombine.grammars.synchronous.notation import packaged_synchronous, parse_synchronous
from recombine.grammars.synchronous.sample import MANY, iter_distinct
from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

RECURSIVE = """
%start <S>
both: <S> -> 100% <A>, then <S> => <S> after <A>
one @3: <S> -> <A> => do ( <A> )
jump: <A> -> jump => J
spin: <A> -> turn round => T R
"""
LONG = """
%start <S>
%nest <S> 9
%longest 4
%lexical <A>
both: <S> -> <A> <S> => <A> <S>
one: <S> -> <A> => <A>
jump: <A> -> jump => J U M P
spin @4: <A> -> turn round => T
"""


def same(grammar: SynchronousGrammar, number: int, seed: int) -> None:
    expected = [
        (made.source, made.target, grammar.derivation(made.term)) for made in iter_distinct(grammar, number, seed=seed)
    ]
    assert [tuple(drawn) for drawn in iter_many(grammar, number, seed=seed)] == expected


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_covr_is_drawn_the_same(seed: int) -> None:
    same(packaged_synchronous("covr"), 3000, seed)


@pytest.mark.parametrize(("text", "number"), [(RECURSIVE, 15), (LONG, 12)], ids=["recursive", "longest"])
def test_other_grammars_are_drawn_the_same(text: str, number: int) -> None:
    for seed in range(3):
        same(parse_synchronous(text), number, seed)


def test_blocks_that_are_too_small_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BLOCK", 3), ("_NODES", 2), ("_NUMBERS", 5)):
        monkeypatch.setattr(draw_many, name, value)
    same(packaged_synchronous("covr"), 60, 3)


def test_too_few_and_too_long_are_said_as_ever() -> None:
    few = parse_synchronous("%start <S>\none: <S> -> jump => J\ntwo: <S> -> walk => W\n")
    long = parse_synchronous("%start <S>\n%longest 1\none: <S> -> jump <A> => J <A>\ntwo: <A> -> walk => W\n")
    for grammar in (few, long):
        messages = []
        for draw in (iter_distinct, iter_many):
            with pytest.raises(SizeError) as error:
                list(draw(grammar, 3, seed=0))
            messages.append(str(error.value))
        assert messages[0] == messages[1]


def test_what_is_generated_does_not_depend_on_how_many() -> None:
    many = islice(CovrGenerator().generate(MANY, seed=5), 2000)
    assert list(many) == list(CovrGenerator().generate(2000, seed=5))


def test_a_grammar_file_is_drawn_by_the_same_code(tmp_path: Path) -> None:
    path = tmp_path / "mine.scfg"
    path.write_text(RECURSIVE)
    from recombine.datasets.generators import find_generator

    many = islice(find_generator(path).generate(MANY, seed=5), 30)
    assert list(many) == list(find_generator(path).generate(30, seed=5))
