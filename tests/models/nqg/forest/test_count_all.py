"""Derivations of many pairs counted at once are those of one parse after the other."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.codelength import codelength
from recombine.models.nqg.induction.uses import with_uses
from recombine.models.nqg.rule import tokens

RULES = """jump ### J
walk ### W
look ### L
look ### J
NT_1 twice ### NT_1 NT_1
NT_1 and NT_2 ### NT_1 NT_2
NT_1 after NT_2 ### NT_2 NT_1
NT_1 NT_2 ### NT_1 NT_2
unused word ### NT
"""
TARGETS = ("J", "W", "J J", "L J", "J W J", "W W")
WORDS = ("jump", "walk", "look", "twice", "and", "after", "fly")


def drawn_pairs(grammar: Qcfg, number: int) -> list[tuple[str, str]]:
    """Sources of random words, with a target that one of their derivations gives, or with a wrong one."""
    generator = np.random.default_rng(1)
    parser = ChartParser(grammar)
    pairs = []
    for size in generator.integers(1, 9, number):
        source = " ".join(generator.choice(WORDS, size))
        targets = [target for target in TARGETS if parser.derives(tokens(source), tokens(target))]
        pairs.append((source, targets[-1] if targets else "J L W"))
    return pairs


def test_counts_and_uses_are_those_of_single_parses() -> None:
    grammar = Qcfg.parse(RULES)
    pairs = [*drawn_pairs(grammar, 300), ("look look", "J J"), ("look and look twice after jump", "J L L L")]
    parser = ChartParser(grammar)
    counts = parser.count_all(pairs)
    uses = np.zeros(len(grammar), int)
    for (source, target), own, every in zip(pairs, counts.own, counts.every, strict=True):
        assert own == parser.count(tokens(source), tokens(target))
        assert every == parser.count(tokens(source))
        forest = parser.parse(tokens(source), tokens(target))
        if forest is not None:
            uses[np.unique(forest.packed.rule)] += 1
    assert counts.uses == uses.tolist()
    assert sum(map(bool, counts.own)) > 20
    assert 0 in counts.own
    assert parser.count_all(pairs, sources=False) == (counts.own, [], counts.uses)


def test_an_edge_that_no_derivation_has_is_no_use() -> None:
    """`b` alone is derived as B in the chart, and takes part in no derivation of the whole."""
    grammar = Qcfg.parse("a b ### A B\nb ### B\nNT_1 c ### NT_1 C")
    assert ChartParser(grammar).count_all([("a b c", "A B C")]).uses == [1, 0, 1]


def test_irregular_texts_are_read_as_one_by_one() -> None:
    parser = ChartParser(Qcfg.parse("jump ### J\nNT_1 twice ### NT_1 NT_1"))
    pairs = [("jump  twice", " J J"), ("", "J"), ("jump", ""), ("jump ", "J"), ("fly", "J"), ("jump", "F")]
    counts = parser.count_all(pairs)
    assert counts.own == [parser.count(*map(tokens, pair)) for pair in pairs] == [1, 0, 0, 1, 0, 0]
    assert counts.every == [1, 0, 1, 1, 0, 1]
    assert parser.count_all([]) == ([], [], [0, 0])


@pytest.mark.slow
def test_numbers_beyond_floats_are_exact() -> None:
    grammar = Qcfg.parse("a ### A\na ### B\nNT_1 NT_2 ### NT_1 NT_2")
    parser = ChartParser(grammar)
    source = " ".join(["a"] * 400)
    counts = parser.count_all([(source, " ".join(["A"] * 400))])
    assert isinstance(counts.every[0], int)
    assert counts.every[0] == parser.count(source.split())
    assert counts.every[0] % 2**400 == 0


def test_given_counts_are_used_as_they_are() -> None:
    grammar, pairs = Qcfg.parse(RULES), [("look", "J"), ("look twice", "J J"), ("look", "J")]
    counts = ChartParser(grammar).count_all(list(dict.fromkeys(pairs)))
    assert codelength(grammar, pairs, counts=counts) == codelength(grammar, pairs)
    assert with_uses(grammar, pairs, counts=counts).uses == with_uses(grammar, pairs).uses
    assert codelength(grammar, pairs).data_bits == 2
