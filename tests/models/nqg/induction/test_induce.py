"""Induction: what comes out, whatever goes in."""

from __future__ import annotations

import os
import subprocess
import sys
from math import log2
from pathlib import Path

import pytest

from recombine.errors import RecordError
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.codelength import codelength
from recombine.models.nqg.induction.induce import Induced, Progress, distinct_pairs, induce
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.rule import tokens
from recombine.workbench import load, load_split

VERBS, WAYS, TIMES = ("jump", "walk", "run"), ("", " left", " right"), ("", " twice", " thrice")
PAIRS = [
    (verb + way + times, " ".join([f"{way.strip().upper()} {verb.upper()}".strip()] * number))
    for verb in VERBS
    for way in WAYS
    for number, times in enumerate(TIMES, start=1)
]
LONG = [(f"{a} and {b}", f"{x} {y}") for a, x in PAIRS for b, y in PAIRS]


def derives_all(grammar: Qcfg, pairs: list[tuple[str, str]]) -> bool:
    parser = ChartParser(grammar)
    return all(parser.derives(tokens(source), tokens(target)) for source, target in pairs)


def slow_codelength(grammar: Qcfg, pairs, counts) -> float:  # type: ignore[no-untyped-def]
    """L from its definition, counting derivations by plain recursion."""
    bits = 0.0
    for rule in grammar:
        bits += sum(1 if isinstance(symbol, int) else 8 for symbol in (*rule.source, *rule.target))
    for source, target in dict.fromkeys(pairs):
        own, every = counts(grammar.rules, tokens(source), tokens(target))
        bits -= log2(own / every)
    return bits


def test_a_small_language_is_learned(counts) -> None:  # type: ignore[no-untyped-def]
    found = induce([*PAIRS, *LONG])
    assert {str(rule) for rule in found.grammar} >= {"NT_1 twice ### NT_1 NT_1", "NT_1 and NT_2 ### NT_1 NT_2"}
    assert len(found.grammar) < 12
    assert derives_all(found.grammar, [*PAIRS, *LONG])
    assert derives_all(
        found.grammar, [("run left thrice and jump right and walk", "LEFT RUN " * 3 + "RIGHT JUMP WALK")]
    )
    seen = sorted([*PAIRS, *LONG], key=lambda pair: pair[0].count(" "))[:500]
    assert found.codelength == pytest.approx(slow_codelength(found.grammar, seen, counts))
    assert found.codelength == pytest.approx(codelength(found.grammar, seen).total)
    assert found.codelength == min(start.codelength for start in found.starts)


def test_repeats_and_blanks_change_nothing() -> None:
    assert induce([*PAIRS, *PAIRS]).grammar == induce([(f" {a}", b.replace(" ", "  ")) for a, b in PAIRS]).grammar


@pytest.mark.parametrize("text", [" jump twice", "jump twice ", "jump  twice"])
def test_pairs_that_differ_in_blanks_are_one(text: str) -> None:
    assert distinct_pairs([("jump twice", "J J"), (text, "J J")]) == [("jump twice", "J J")]


def test_longer_examples_that_are_not_derived_become_rules() -> None:
    odd = ("jump and then run and then walk and nothing more", "STOP")
    found = induce([*PAIRS, odd], InductionSettings(sample=len(PAIRS)))
    assert (found.searched, found.added) == (27, 1)
    assert derives_all(found.grammar, [*PAIRS, odd])


def test_every_setting_stands_in_the_signature() -> None:
    plain = induce(PAIRS[:3]).grammar.signature
    assert plain != induce(PAIRS[:3], InductionSettings(seed=1)).grammar.signature
    assert plain != induce(PAIRS[:4]).grammar.signature
    assert (
        "settings:nqg:geoquery,seed=3"
        in induce(PAIRS[:3], InductionSettings.of("nqg:geoquery", seed=3)).grammar.signature
    )


@pytest.mark.parametrize("pairs", [[], [("jump", "JUMP")], [("a b c", "a b c")]])
def test_next_to_nothing(pairs: list[tuple[str, str]]) -> None:
    found = induce(pairs)
    assert len(found.grammar) == len(pairs)
    assert derives_all(found.grammar, pairs)
    assert codelength(found.grammar, pairs).underived == 0


def test_one_source_with_two_targets() -> None:
    pairs = [("x", "A"), ("x", "B"), ("y x", "f A"), ("y x", "f B")]
    found = induce(pairs)
    assert derives_all(found.grammar, pairs)


def test_strange_tokens_survive_a_file(tmp_path: Path) -> None:
    pairs = [("### x", "NT_1 a\tb"), ("### y", "NT_1 c"), ("\\ NT_2", "###"), ("x", "a\tb"), ("y", "c")]
    found = induce(pairs)
    found.grammar.write(tmp_path / "g.txt")
    assert derives_all(Qcfg.read(tmp_path / "g.txt"), pairs)


def test_a_long_source() -> None:
    pairs = [*PAIRS, (" and ".join(["jump"] * 100), " ".join(["JUMP"] * 100))]
    assert derives_all(induce(pairs).grammar, pairs)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("", "A"), "distinct pair 2: the source is empty"),
        (("a", "  "), "distinct pair 2: the target is empty"),
        (("a\nb", "A"), "the source has a line break"),
        (("a", "A\n"), "the target has a line break"),
    ],
)
def test_what_cannot_be_a_rule_is_refused(pair: tuple[str, str], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        induce([("x", "X"), pair])


@pytest.mark.parametrize("after", [0, 1, 5, 20])
def test_an_interrupt_gives_a_grammar_that_derives_all(after: int) -> None:
    calls: list[Progress] = []

    def stop(progress: Progress) -> None:
        calls.append(progress)
        if len(calls) > after:
            raise KeyboardInterrupt

    found = induce([*PAIRS, *LONG[:100]], progress=stop)
    assert found.interrupted
    assert "interrupted:yes" in found.grammar.signature
    assert derives_all(found.grammar, [*PAIRS, *LONG[:100]])
    assert calls[-1].start == 1
    assert calls[-1].starts == 2


def test_processes_with_different_hash_seeds_agree() -> None:
    code = f"from recombine.models.nqg.induction.induce import induce; print(induce({[*PAIRS, *LONG[:60]]!r}).grammar)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("\n") > 5


def geoquery(**changes: object) -> tuple[list[tuple[str, str]], Induced]:
    data = load("geoquery/funql")
    split = load_split(data, "standard")
    pairs = [(data[key].source, data[key].target) for key in split.train]
    return pairs, induce(pairs, InductionSettings.of("default", **changes))


def test_the_slow_codelength_is_that_of_the_paper(counts) -> None:  # type: ignore[no-untyped-def]
    # 2 slots and 5 tokens; `b` has two derivations of which one gives B.
    grammar = Qcfg.parse("a ### A\nb ### B\nb NT_1 ### NT_1\nb ### A")
    pairs = [("a", "A"), ("b", "B"), ("b a", "A")]
    assert slow_codelength(grammar, pairs, counts) == 2 + 7 * 8 + 1
    assert codelength(grammar, pairs).total == 2 + 7 * 8 + 1


@pytest.mark.shared_data
def test_geoquery_s_pairs_are_derived_and_their_codelength_is_that_of_the_file(data_dir, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pairs, found = geoquery(restarts=1, effort=0.1)
    found.grammar.write(tmp_path / "g.txt")
    grammar = Qcfg.read(tmp_path / "g.txt")
    assert len(dict.fromkeys(pairs)) == 404
    assert derives_all(grammar, pairs)
    assert codelength(grammar, pairs).total == pytest.approx(found.codelength)


@pytest.mark.slow
@pytest.mark.shared_data
def test_geoquery_s_codelength_with_default_settings(data_dir, tmp_path: Path, counts) -> None:  # type: ignore[no-untyped-def]
    pairs, found = geoquery()
    found.grammar.write(tmp_path / "g.txt")
    recounted = slow_codelength(Qcfg.read(tmp_path / "g.txt"), pairs, counts)
    assert recounted == pytest.approx(found.codelength)
    # The published program reaches 10,199 in ten minutes, and 13,779 where its sample is drawn once.
    assert recounted < 11_500
