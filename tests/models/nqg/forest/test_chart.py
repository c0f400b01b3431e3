"""Charts against trying everything."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.models.nqg.forest import chart_kernels as kernels
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.forest.kbest import KBest
from recombine.models.nqg.forest.rule_index import RuleIndex
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.scoring.loglinear import train

SCAN = """jump ### J
walk ### W
NT_1 left ### L NT_1
NT_1 twice ### NT_1 NT_1
NT_1 and NT_2 ### NT_1 NT_2
NT_1 after NT_2 ### NT_2 NT_1"""


@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_counts_are_those_of_all_derivations(data, grammars, derivations, target_of) -> None:  # type: ignore[no-untyped-def]
    rules, source = data.draw(grammars[0]), data.draw(grammars[1])
    parser = ChartParser(Qcfg(tuple(rules)))
    trees = derivations(rules, source)
    targets = Counter(target_of(tree) for tree in trees)
    forest = parser.parse(source)
    assert (forest.count() if forest else 0) == parser.count(source) == len(trees)
    assert parser.derives(source) == bool(trees)
    for target, number in [*targets.items(), (("A", "A", "A", "A", "A", "A", "A"), 0)]:
        if target in targets:
            number = targets[target]
        forest = parser.parse(source, target)
        assert (forest.count() if forest else 0) == parser.count(source, target) == number


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_listing_a_forest_gives_every_derivation_once(data, grammars, derivations) -> None:  # type: ignore[no-untyped-def]
    rules, source = data.draw(grammars[0]), data.draw(grammars[1])
    trees = derivations(rules, source)
    forest = ChartParser(Qcfg(tuple(rules))).parse(source)
    if forest is None or len(trees) > 300:
        return

    def tree(found) -> tuple:  # type: ignore[no-untyped-def, type-arg]
        return (rules[found.rule], *(tree(child) for child in found.children))

    best = KBest(forest.packed, train(rules, []).scores(forest.packed, source))
    assert Counter(tree(found) for found in best) == Counter(trees)


def test_a_hand_made_case() -> None:
    # jump after (walk twice) and (jump after walk) twice; only the first gives W W J.
    parser = ChartParser(Qcfg.parse(SCAN))
    assert parser.count(tokens("jump after walk twice")) == 2
    assert parser.count(tokens("jump after walk twice"), tokens("W W J")) == 1
    assert parser.count(tokens("jump after walk twice"), tokens("W J W J")) == 1
    assert parser.count(tokens("jump after walk twice"), tokens("J W W")) == 0


def test_unknown_tokens_and_empty_sides_have_no_derivation() -> None:
    parser = ChartParser(Qcfg.parse(SCAN))
    assert not parser.derives(["hop"])
    assert not parser.derives(["jump"], ["H"])
    assert not parser.derives([])
    assert not parser.derives(["jump"], [])
    assert parser.parse([]) is None


def test_long_sources_have_exact_counts_beyond_floating_point() -> None:
    # The binary trees over the leaves, with one of the rules at each leaf.
    parser = ChartParser(Qcfg.parse("a ### A\na ### B\nNT_1 NT_2 ### NT_1 x NT_2"))
    assert parser.count(["a"] * 200) == pytest.approx(comb(398, 199) // 200 * 2**200)
    leaves = "\n".join(f"a ### A{number}" for number in range(300))
    found = ChartParser(Qcfg.parse(f"{leaves}\nNT_1 NT_2 ### NT_1 NT_2")).count(["a"] * 110)
    assert isinstance(found, int)  # a number of 337 digits
    assert found == comb(218, 109) // 110 * 300**110


def test_a_very_large_forest_is_not_parted_by_borders() -> None:
    parser = ChartParser(Qcfg.parse("a ### A\na ### B\nNT_1 NT_2 ### NT_1 x NT_2"))
    small, large = parser.parse(["a"] * 8), parser.parse(["a"] * 80)
    assert small is not None
    assert large is not None
    assert small.packed.span[:, 2:].min() >= 0
    assert (large.packed.span[:, 2:] == -1).all()
    own = parser.parse(["a"] * 80, ["A", "x"] * 79 + ["A"])
    assert own is not None
    assert (own.packed.span[:, 2:] == -1).all()
    assert own.count() == comb(158, 79) // 80


def test_a_source_without_rules() -> None:
    assert ChartParser(Qcfg(())).parse(["a"]) is None


@pytest.mark.parametrize(
    ("source", "target", "number"),
    [
        ([1, "twice"], [1, 1], 1),
        ([1, "and", 2, "twice"], [1, 2, 1, 2], 1),  # ( NT_1 and NT_2 ) twice
        ([1, "and", 2, "twice"], [1, 2, 2], 1),
        ([1, "and", 2, "twice"], [1, 1, 2], 0),
        ([1, "and", 2, "twice"], [], 2),  # any target
        ([1, "after", "jump"], ["J", 1], 1),
    ],
)
def test_slots_in_a_source_are_taken_as_they_are(source: list[str | int], target: list[str | int], number: int) -> None:
    index = RuleIndex(Qcfg.parse(SCAN).rules)
    assert kernels.count(index.learn(source), index.learn(target), index.arrays) == number
