"""The ways to split a rule, against a version that tries every pair of parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.models.nqg.forest import chart_kernels as kernels
from recombine.models.nqg.forest.rule_index import RuleIndex
from recombine.models.nqg.induction.search import split_off
from recombine.models.nqg.induction.split_kernels import occurrences, splits
from recombine.models.nqg.rule import QcfgRule, Symbol

OPEN = {1: "<1>", 2: "<2>", 3: "<3>"}


def follows(rules, source: Sequence[Symbol], target: Sequence[Symbol], derivations, target_of) -> bool:  # type: ignore[no-untyped-def]
    """Whether a pair with slots can be derived: its slots become words that stand for themselves."""
    words = [OPEN[s] if isinstance(s, int) else s for s in source]
    wanted = tuple(OPEN[s] if isinstance(s, int) else s for s in target)
    leaves = [QcfgRule((word,), (word,)) for word in OPEN.values()]
    found = derivations([*rules, *leaves], words)
    return any(target_of(tree) == wanted and tree[0] not in leaves for tree in found)


def places(part: tuple[Symbol, ...], whole: tuple[Symbol, ...]) -> list[int]:
    return [k for k in range(len(whole) - len(part) + 1) if whole[k : k + len(part)] == part]


def replaced(whole: tuple[Symbol, ...], part: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    made: list[Symbol] = []
    at = 0
    while at < len(whole):
        if whole[at : at + len(part)] == part:
            made.append(3)
            at += len(part)
        else:
            made.append(whole[at])
            at += 1
    return tuple(made)


def slow_splits(rule: QcfgRule, rules, repeat: bool, derivations, target_of) -> set[tuple[bool, QcfgRule]]:  # type: ignore[no-untyped-def]
    """SPLIT of the paper, then those ways of which one half follows from the rules: the other half and which it is."""
    found = set()
    slots = {s for s in rule.source if isinstance(s, int)}
    for i in range(len(rule.source)):
        for j in range(i + 1, len(rule.source) + 1):
            part = rule.source[i:j]
            rest = (*rule.source[:i], 3, *rule.source[j:])
            outside = slots - set(part)
            if len(rest) == 1 or part in ((1,), (2,)) or len(places(part, rule.source)) > 1 or len(outside) > 1:
                continue
            for k in range(len(rule.target)):
                for m in range(k + 1, len(rule.target) + 1):
                    string = rule.target[k:m]
                    if len(places(string, rule.target)) > 1 and not repeat:
                        continue
                    outer = replaced(rule.target, string)
                    inside = {s for s in string if isinstance(s, int)}
                    if inside != slots & set(part) or {s for s in outer if s in (1, 2)} != outside:
                        continue
                    inner_follows = follows(rules, part, string, derivations, target_of)
                    outer_follows = follows(rules, rest, outer, derivations, target_of)
                    if inner_follows and not outer_follows:
                        found.add((True, QcfgRule.of(rest, outer)))
                    if outer_follows and not inner_follows:
                        found.add((False, QcfgRule.of(part, string)))
    return found


@settings(deadline=None, max_examples=150)
@given(data=st.data(), repeat=st.booleans())
def test_splits_are_those_of_the_slow_version(data, repeat: bool, grammars, derivations, target_of) -> None:  # type: ignore[no-untyped-def]
    rules = data.draw(grammars[0])
    source = data.draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4))
    target = data.draw(st.lists(st.sampled_from(["A", "B", "a", "b"]), min_size=1, max_size=5))
    slots = data.draw(st.integers(0, 2))
    wide: list[Symbol] = list(source)
    made: list[Symbol] = list(target)
    for slot in range(1, slots + 1):
        wide.insert(data.draw(st.integers(0, len(wide))), slot)
        for _ in range(data.draw(st.integers(1, 2))):
            made.insert(data.draw(st.integers(0, len(made))), slot)
    rule = QcfgRule.of(wide, made)
    rules = [other for other in rules if other != rule]
    index = RuleIndex([rule, *rules])
    sides = index.sides(0)
    chart = kernels.fill(*sides, index.arrays, 0, False, False)
    derived = follows(rules, rule.source, rule.target, derivations, target_of)
    assert (chart.first[0, -1] >= 0) == derived
    if derived:
        return
    rows = splits(*sides, index.arrays, 0, repeat, chart)
    assert len({tuple(row) for row in rows.tolist()}) == len(rows)
    found = set()
    for row in rows.tolist():
        halves = split_off(tuple(sides[0].tolist()), tuple(sides[1].tolist()), tuple(row))
        found.add((bool(row[0]), index.decode(*halves)))
    assert found == slow_splits(rule, rules, repeat, derivations, target_of)


def test_a_hand_made_split() -> None:
    index = RuleIndex([QcfgRule.parse("largest state ### largest ( state )"), QcfgRule.parse("state ### state")])
    chart = kernels.fill(*index.sides(0), index.arrays, 0, False, False)
    rows = splits(*index.sides(0), index.arrays, 0, False, chart)
    halves = [
        index.decode(*split_off(*(tuple(s.tolist()) for s in index.sides(0)), tuple(row))) for row in rows.tolist()
    ]
    assert halves == [QcfgRule.parse("largest NT_1 ### largest ( NT_1 )")]
    assert rows.dtype == np.int32


def proposed(*rules: str) -> list[tuple[bool, str]]:
    """The new halves of the first rule, and whether each is the outer one."""
    index = RuleIndex([QcfgRule.parse(rule) for rule in rules])
    sides = index.sides(0)
    rows = splits(*sides, index.arrays, 0, True, kernels.fill(*sides, index.arrays, 0, False, False)).tolist()
    whole = tuple(tuple(side.tolist()) for side in sides)
    return [(bool(row[0]), str(index.decode(*split_off(*whole, tuple(row))))) for row in rows]


def test_a_part_that_overlaps_itself_is_split_off_from_the_left() -> None:
    # A A stands twice in A A A, but only once beside itself: what is left is NT_1 A, which follows.
    assert proposed("x y ### A A A", "x NT_1 ### NT_1 A") == [(False, "y ### A A")]


def test_a_slot_stays_known_where_a_longer_part_follows_too() -> None:
    # The second rule makes of the slot what the third must not take for the slot.
    rules = "NT_1 g ### NT_1 G", "NT_1 g h ### NT_1 H NT_1 G"
    assert proposed("f NT_1 g h ### F NT_1 H NT_1 G", *rules) == [(True, "f NT_1 ### F NT_1")]


def test_parts_are_counted_with_and_without_overlap() -> None:
    places = np.zeros(6, np.int32)
    four, ends = np.array([5, 5, 5, 5], np.int32), np.array([5, 6, 5, 6, 5], np.int32)
    assert occurrences(0, 2, four, places) == (2, 3)
    assert places[:2].tolist() == [0, 2]
    assert occurrences(2, 3, ends, places) == (1, 2)
    assert places[0] == 0
