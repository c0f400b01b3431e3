"""Every feature structure that constituents can have, and every way to make it, found once for the rules of a set.

A pair is a category with a feature structure. There are few of them (CFQ's rules make 554), so all are found from the
words upwards; those that no question can hold are left out. What is left has no dead end: whatever is chosen from the
top down can be finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from recombine.grammars.unification.parsing.chart import Chart
    from recombine.grammars.unification.rules.rule import StartRule

Pair = tuple[int, int]
"""A category and a feature structure, by the numbers that the chart has for them."""


class Step(NamedTuple):
    """A part that fits after the parts before it: the state before, the part's pair, the state after."""

    before: int
    pair: int
    after: int


class RuleWays(NamedTuple):
    """What a rule can be made of: the steps of each of its parts, and the pair that each state at the end makes."""

    number: int
    parts: tuple[tuple[Step, ...], ...]
    states: tuple[int, ...]
    """How many states there are before the first part, after it, …; the only one before it is 0."""
    made: tuple[int, ...]


class Ways:
    """The pairs that questions hold, numbered, and the ways in which rules make them."""

    def __init__(self, chart: Chart, used: Container[int]) -> None:
        """`used` are the numbers of the rules that may be applied."""
        known = closed_pairs(chart, used)
        starts = _starts(chart, known)
        useful = _useful(known, [pair for _, pair in starts])
        self.pairs = [pair for pair in known.pairs if pair in useful]
        numbers = {pair: number for number, pair in enumerate(self.pairs)}
        self.starts: list[tuple[StartRule, int]] = [(rule, numbers[pair]) for rule, pair in starts]
        self.rules = [
            rule for number in known.steps if (rule := _rule_ways(number, known, useful, numbers)) is not None
        ]
        self.makers: list[list[tuple[int, int]]] = [[] for _ in self.pairs]
        """By pair, the places of rules in `rules`, and their states at the end, that make it."""
        for place, rule in enumerate(self.rules):
            for state, pair in enumerate(rule.made):
                self.makers[pair].append((place, state))


class KnownPairs(NamedTuple):
    """What was found from the words upwards."""

    pairs: dict[Pair, None]
    steps: dict[int, list[dict[tuple[int, Pair], int]]]
    """By rule and part: from a state and a pair to the state after it."""
    made: dict[int, dict[int, Pair]]
    """By rule: from a state at the end to the pair that is made."""


def closed_pairs(chart: Chart, used: Container[int]) -> KnownPairs:
    """All pairs that rules can make, whatever is above them."""
    known = KnownPairs({}, {}, {})
    by_category: list[list[Pair]] = [[] for _ in chart.categories]
    rules = [rule for rule in chart.compiled if rule.number in used]
    for rule in rules:
        known.steps[rule.number] = [{} for _ in rule.parts]
        known.made[rule.number] = {}
    grown = True
    while grown:
        grown = False
        for rule in rules:
            given = chart.rules[rule.number]
            states: dict[int, None] = {0: None}
            for steps, part in zip(known.steps[rule.number], rule.parts.values(), strict=True):
                after: dict[int, None] = {}
                for state in states:
                    for pair in by_category[chart.categories[part.category]]:
                        new = steps.get((state, pair))
                        if new is None:
                            new = steps[state, pair] = chart.tables.step(given, part, state, pair[1])
                        if new >= 0:
                            after[new] = None
                states = after
            made = known.made[rule.number]
            for state in states:
                if state not in made:
                    pair = made[state] = (rule.category, chart.tables.done(given, state))
                    if pair not in known.pairs:
                        known.pairs[pair] = None
                        by_category[rule.category].append(pair)
                        grown = True
    return known


def _starts(chart: Chart, known: KnownPairs) -> list[tuple[StartRule, Pair]]:
    """The pairs that are whole questions."""
    return [
        (rule, pair)
        for rule in chart.starts
        for pair in known.pairs
        if pair[0] == chart.categories.get(rule.constituent.category) and chart.tables.fits(rule.constituent, pair[1])
    ]


def _useful(known: KnownPairs, starts: list[Pair]) -> dict[Pair, None]:
    """The pairs that stand in some question."""
    useful = dict.fromkeys(starts)
    waiting = [*starts]
    makers: dict[Pair, list[tuple[int, int]]] = {}
    for number, made in known.made.items():
        for state, pair in made.items():
            makers.setdefault(pair, []).append((number, state))
    while waiting:
        for number, end in makers.get(waiting.pop(), ()):
            for steps in _leading(known.steps[number], {end}):
                for _, pair in steps:
                    if pair not in useful:
                        useful[pair] = None
                        waiting.append(pair)
    return useful


def _leading(
    parts: list[dict[tuple[int, Pair], int]], ends: Mapping[int, object] | set[int]
) -> list[dict[tuple[int, Pair], int]]:
    """The steps of each part that lead to some states at the end."""
    kept = []
    wanted = set(ends)
    for steps in reversed(parts):
        leading = {step: after for step, after in steps.items() if after in wanted}
        wanted = {state for state, _ in leading}
        kept.append(leading)
    return kept[::-1]


def _rule_ways(
    number: int, known: KnownPairs, useful: Mapping[Pair, None], numbers: Mapping[Pair, int]
) -> RuleWays | None:
    """The ways of a rule with its states numbered part by part; none where no question needs it."""
    ends = {state: pair for state, pair in known.made[number].items() if pair in useful}
    if not ends:
        return None
    places: list[dict[int, int]] = [{0: 0}]
    parts: list[tuple[Step, ...]] = []
    for steps in _leading(known.steps[number], ends):
        before = places[-1]
        after: dict[int, int] = {}
        part = []
        for (state, pair), new in steps.items():
            if state in before:
                part.append(Step(before[state], numbers[pair], after.setdefault(new, len(after))))
        places.append(after)
        parts.append(tuple(part))
    made = tuple([numbers[ends[state]] for state in places[-1]])
    return RuleWays(number, tuple(parts), tuple(map(len, places)), made)
