"""The search: its bookkeeping against doing it anew, and going back."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.induction.refine import refine, take_away
from recombine.models.nqg.induction.search import GrammarSearch, number_slots, split_off
from recombine.models.nqg.rule import QcfgRule, tokens

VERBS, WAYS, TIMES = ("jump", "walk", "run"), ("", " left", " right"), ("", " twice", " thrice")


def small_scan() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Verbs, directions and repeats, 27 pairs."""
    pairs = []
    for verb in VERBS:
        for way in WAYS:
            for number, times in enumerate(TIMES, start=1):
                action = f"{way.strip().upper()} {verb.upper()}".strip()
                pairs.append((tokens(verb + way + times), tokens(" ".join([action] * number))))
    return pairs


def make(**changes: object) -> GrammarSearch:
    return GrammarSearch(small_scan(), [], InductionSettings.of("default", **changes), np.random.default_rng(0))


def recounted(search: GrammarSearch) -> dict[int, float]:
    """The gain of each piece, counted anew."""
    gain = {number: -piece.bits for number, piece in enumerate(search.pieces)}
    for rule, proposed in search.goals.items():
        for candidate in proposed:
            gain[candidate] += search.pieces[rule].bits
    return gain


def underived(search: GrammarSearch) -> int:
    search.count(np.arange(search.bits.size))
    return int((~np.isfinite(search.bits)).sum())


def test_gains_stay_those_counted_anew_and_all_examples_derived() -> None:
    search = make()
    while True:
        size = len(search.pieces)
        for number, gain in recounted(search).items():
            assert search.gain[number] == pytest.approx(gain)
        assert underived(search) == 0
        best = int(search.gain[:size].argmax())
        if search.gain[best] <= 0:
            break
        proposed = [rule for rule, pieces in search.goals.items() if best in pieces]
        before = {rule: search.pieces[rule] for rule in search.goals}
        search.add(best)
        assert best in search.goals
        assert not set(proposed) & set(search.goals)
        assert len(search.goals) <= len(before) - len(proposed) + 1
    assert len(search.goals) < 10


def test_the_bits_of_rules_and_examples_add_up(derivations, target_of) -> None:  # type: ignore[no-untyped-def]
    search = make()
    search.run(keep=True)
    rules = search.rules()
    bits = sum(8.0 if isinstance(s, str) else 1.0 for rule in rules for s in (*rule.source, *rule.target))
    for source, target in small_scan():
        trees = derivations(rules, source)
        bits += log2(len(trees)) - log2(sum(target_of(tree) == target for tree in trees))
    assert search.codelength() == pytest.approx(bits)


def test_going_back_restores_everything() -> None:
    search = make()
    search.run(keep=True)
    kept = search.snapshot()
    rules, gain = sorted(map(str, search.rules())), recounted(search)
    objective = search.objective()
    take_away(search, list(search.goals)[:4])
    search.run()
    search.restore(kept)
    assert sorted(str(search.index.rule(search.pieces[n].number)) for n in search.goals) == rules
    assert search.objective() == objective
    for number, value in gain.items():
        assert search.gain[number] == pytest.approx(value)
    assert sorted(search.index.active()) == sorted(search.pieces[n].number for n in search.goals)


def test_taking_rules_away_leaves_all_examples_derived() -> None:
    search = make()
    search.run(keep=True)
    take_away(search, list(search.goals)[:3])
    assert underived(search) == 0


def test_refining_never_lengthens() -> None:
    search = make()
    search.run(keep=True)
    before = search.objective()
    seen: list[float] = []
    assert refine(search, 6, seen.append) <= before
    assert seen == sorted(seen, reverse=True)
    assert underived(search) == 0
    assert len(search.kept) == len(search.goals)


def test_a_rule_without_tokens_is_not_proposed() -> None:
    search = make()
    search.run(keep=True)
    refine(search, 10)
    assert all(any(isinstance(s, str) for s in (*rule.source, *rule.target)) for rule in search.rules())


def test_balanced_parentheses_can_be_asked_for() -> None:
    pairs = [(tokens(a), tokens(b)) for a, b in [("f x", "f ( x )"), ("f y", "f ( y )"), ("x", "x )"), ("y", "y )")]]
    found = {}
    for balance in (True, False):
        search = GrammarSearch(pairs, [], InductionSettings(balance_parentheses=balance), np.random.default_rng(0))
        search.run(keep=True)
        found[balance] = {str(rule) for rule in search.rules()}
    assert found == {
        True: {"f x ### f ( x )", "f y ### f ( y )", "x ### x )", "y ### y )"},
        False: {"f NT_1 ### f ( NT_1", "x ### x )", "y ### y )"},
    }


def test_only_parentheses_are_counted() -> None:
    # The words that are met last are plain ones here: what is counted are the tokens of a rule, not its slots.
    texts = [("f x", "f ( x )"), ("f y", "f ( y )"), ("x", "x )"), ("y", "y )"), ("u", "U V")]
    pairs = [(tokens(a), tokens(b)) for a, b in texts]
    search = GrammarSearch(pairs, [], InductionSettings(balance_parentheses=True), np.random.default_rng(0))
    search.run(keep=True)
    assert {str(rule) for rule in search.rules()} == {f"{a} ### {b}" for a, b in texts}


def test_repeated_targets_can_be_forbidden() -> None:
    search = make(repeated_targets=False)
    search.run(keep=True)
    assert all(rule.target.count(1) < 2 for rule in search.rules())
    search = make()
    search.run(keep=True)
    assert QcfgRule.parse("NT_1 twice ### NT_1 NT_1") in search.rules()


def test_slots_are_renumbered() -> None:
    assert number_slots((5, 1, 6, 0), (0, 1, 7)) == ((5, 0, 6, 1), (1, 0, 7))
    # NT_1 a b ### NT_1 B NT_1: the part `a` with `B` goes, and the hole comes second.
    assert split_off((0, 5, 6), (0, 7, 0), (1, 1, 2, 1, 1)) == ((0, 1, 6), (0, 1, 0))
    assert split_off((0, 5, 6), (0, 7, 0), (0, 1, 2, 1, 1)) == ((5,), (7,))
