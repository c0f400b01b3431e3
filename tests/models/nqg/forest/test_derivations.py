"""Charts and codelengths against derivations that plain recursion lists, and what an induced grammar must do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from math import log2
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from recombine.errors import RecombineError
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.codelength import codelength
from recombine.models.nqg.induction.induce import induce
from recombine.models.nqg.rule import QcfgRule

Words = tuple[str, ...]


def derived(rules: tuple[QcfgRule, ...], source: Words) -> Counter[Words]:
    """Every target that a source derives, with its number of derivations."""

    @cache
    def whole(span: Words) -> dict[Words, int]:
        found: Counter[Words] = Counter()
        for rule in rules:
            for parts in fills(rule.source, span):
                combined: list[tuple[list[Words], int]] = [([], 1)]
                for part in parts:
                    combined = [
                        ([*chosen, target], ways * number)
                        for chosen, ways in combined
                        for target, number in whole(part).items()
                    ]
                for chosen, ways in combined:
                    found[rule.apply(*chosen)] += ways
        return dict(found)

    return Counter(whole(source))


def fills(pattern: tuple[str | int, ...], span: Words) -> list[list[Words]]:
    """The ways to match a rule's source, as the spans of its slots."""
    if not pattern:
        return [[]] if not span else []
    head, rest = pattern[0], pattern[1:]
    if isinstance(head, str):
        return fills(rest, span[1:]) if span[:1] == (head,) else []
    return [[span[:size], *others] for size in range(1, len(span) + 1) for others in fills(rest, span[size:])]


SIDE = st.lists(st.sampled_from(["a", "b"]), max_size=2)


@st.composite
def rules(draw: st.DrawFn) -> QcfgRule:
    slots = draw(st.integers(0, 2))
    source: list[str | int] = [*draw(SIDE)]
    for slot in range(1, slots + 1):
        source.insert(draw(st.integers(source.index(slot - 1) + 1 if slot > 1 else 0, len(source))), slot)
    if not source or (slots and len(source) == 1):
        source.append("a")
    target = draw(st.permutations([*range(1, slots + 1), *draw(st.lists(st.sampled_from("XY"), max_size=2))]))
    return QcfgRule(tuple(source), tuple(target) or ("X",))


@settings(max_examples=150, deadline=None)
@given(st.lists(rules(), min_size=1, max_size=5, unique=True), st.lists(st.sampled_from("ab"), min_size=1, max_size=5))
def test_counts_are_those_of_plain_recursion(made: list[QcfgRule], words: list[str]) -> None:
    grammar = Qcfg(tuple(made))
    parser = ChartParser(grammar)
    expected = derived(tuple(made), tuple(words))
    assert parser.count(words) == sum(expected.values())
    for target, number in expected.items():
        assert parser.count(words, target) == number
    assert parser.count(words, ["Z"]) == 0


SCAN = [
    (f"{verb}{turn}{times}".strip(), " ".join(repeat * [*way, action]))
    for verb, action in (("walk", "W"), ("jump", "J"), ("look", "K"))
    for turn, way in (("", ()), (" left", ("L",)), (" right", ("R",)))
    for times, repeat in (("", 1), (" twice", 2), (" thrice", 3))
]
AND = [(f"{a} and {b}", f"{x} {y}") for a, x in SCAN[::4] for b, y in SCAN[::5]]


def test_an_induced_grammar_derives_its_pairs_and_generalises() -> None:
    found = induce([*SCAN, *AND]).grammar
    parser = ChartParser(found)
    assert all(parser.derives(source.split(), target.split()) for source, target in [*SCAN, *AND])
    assert len(found) < 20
    assert parser.derives(["look", "right", "thrice", "and", "jump", "left"], ["R", "K", "R", "K", "R", "K", "L", "J"])
    assert Qcfg.parse(str(found)).rules == found.rules


def test_the_codelength_is_recounted() -> None:
    found = induce(SCAN).grammar
    bits = 0.0
    for source, target in SCAN:
        targets = derived(found.rules, tuple(source.split()))
        bits -= log2(targets[tuple(target.split())] / sum(targets.values()))
    for rule in found.rules:
        bits += sum(1.0 if isinstance(symbol, int) else 8.0 for symbol in (*rule.source, *rule.target))
    assert codelength(found, SCAN).total == pytest.approx(bits)


def test_the_hash_seed_does_not_matter() -> None:
    code = f"from recombine.models.nqg.induction.induce import induce; print(induce({SCAN + AND!r}).grammar)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(outputs) == 1


def test_no_pairs_one_pair_and_odd_tokens() -> None:
    assert len(induce([]).grammar) == 0
    assert [str(rule) for rule in induce([("a b", "X")]).grammar] == ["a b ### X"]
    odd = [("NT_1 x", "### y"), ("NT_1 z", "### w")]
    parser = ChartParser(Qcfg.parse(str(induce(odd).grammar)))
    assert all(parser.derives(source.split(), target.split()) for source, target in odd)
    with pytest.raises(RecombineError):
        induce([("", "X")])


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["simple", "template_around_right"])
def test_scan_needs_few_rules(name: str, scan: recombine.Dataset, data_dir: Path) -> None:
    split = recombine.load_split(scan, name)
    found = induce([(scan[key].source, scan[key].target) for key in split.train]).grammar
    assert len(found) <= 21
    parser = ChartParser(found)
    assert all(parser.derives(scan[key].source.split(), scan[key].target.split()) for key in split.test[::20])
