"""What can be chosen where, as tables for the kernel that draws trees; what is asked for is worked out once and added.

Only that can be chosen which can speak of things of the sorts that the parts drawn before ask for.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.grammars.unification.generation.drawing_kernels import (
    AFTER,
    BEGUN,
    CHOICES,
    CHOICES_ROOM,
    KEYS,
    KINDS,
    NONE,
    OPTIONS,
    PAIRS,
    PLACES,
    ROOM,
    SIZES,
    SLOTS,
    STATE,
    STATES,
    STEP_FIRSTS,
    SUM_FIRSTS,
    WATCHED,
    put_all,
)
from recombine.grammars.unification.generation.sorts import reaches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.grammars.unification.generation.filters import Filters, Shape
    from recombine.grammars.unification.generation.level_table import LevelTable
    from recombine.grammars.unification.generation.sorts import Slots

_KEYS = (1 << 17) - 1
_ROOM = 1 << 12
"""How large tables are at first."""
_NOT_SAID = -1


class _Reached(NamedTuple):
    """How far a rule is whose parts are drawn one after the other, the last one first."""

    rule: int
    part: int
    """The next part; -1 where none is left."""
    given: tuple[Slots, ...]
    """The slots of its parts; any where they are not drawn yet."""
    asked: Slots
    """What is asked of the rule."""


class DrawingTables:
    """The tables of the rules of a set, with its weights, sorts and filters."""

    def __init__(self, table: LevelTable, filters: Filters) -> None:
        self.table, self.filters = table, filters
        ways, sorts = table.ways, filters.sorts
        self.numbers = [rule.number for rule in ways.rules]
        """The numbers of rules; tables have their places here."""
        pair_reach, rule_reach = reaches(ways, sorts)
        makers = [each for some in ways.makers for each in some]
        said = [*pair_reach, *[rule_reach[rule][state] for rule, state in makers]]
        self._reach = np.array(said, np.int64).reshape(len(said), -1)
        """What pairs, and rules with their states, can speak of at most."""
        self.state = np.zeros(STATE, np.int64)
        self.state[[PLACES, PAIRS, SIZES]] = len(table.places), len(ways.pairs), table.most + 1
        self.state[STATES] = max(max(rule.states) for rule in ways.rules)
        self.firsts, self.ways = self._way_rows(makers)
        self.weights, self.pairs = table.weights, table.pairs
        self.partial = np.concatenate([sums for some in table.partial for sums in some])
        self.keys, self.values = _empty(_KEYS)
        self.choices = np.zeros((_ROOM, 2), np.int64)
        self.sums = np.zeros(_ROOM)
        self.options = np.zeros((_ROOM, 3), np.int64)
        self.reached = np.zeros((_ROOM, 5), np.int64)
        self.fits = np.zeros((_ROOM, len(said)), np.bool_)
        self.nodes = np.zeros((_ROOM, 8), np.int64)
        self.children = np.zeros(_ROOM, np.int64)
        self.stack = np.zeros((_ROOM, 3), np.int64)
        self.flat = np.zeros((table.most + 1, 2), np.int64)
        """What trees are made in and written to."""
        self._numbers: dict[Slots, int] = {}
        self._slots: list[Slots] = []
        """Slots that are asked for, or that phrases have, numbered; 0 is any."""
        self._number(sorts.any)
        self._groups: dict[tuple[int, int, int], int] = {}
        """The numbers of what can be chosen for a part of a rule, of which something is asked."""
        self._reached: list[_Reached] = []
        self.rules, self.places = self._rule_rows()
        self.rule_filters, self.checks, self.sets = self._filter_rows()

    def add(self, missing: Sequence[int]) -> None:
        """Add what the kernel said is missing."""
        what, one, two = missing
        if what == BEGUN:
            self._begin(one, two)
        elif what == AFTER:
            here = self._reached[one]
            given = (*here.given[: here.part], self._slots[two], *here.given[here.part + 1 :])
            self._put((one * SLOTS + two) * KINDS + 2, self._add_reached(here.rule, here.part - 1, given, here.asked))
        elif what == ROOM:
            self.nodes, self.children, self.stack = map(_doubled, (self.nodes, self.children, self.stack))
        elif what == CHOICES_ROOM:
            self._make_room()

    def top(self, size: int) -> int:
        """The choice of the pair of a whole question of a size."""
        number, first = int(self.state[CHOICES]), int(self.state[OPTIONS])
        pairs = [pair for _, pair in self.table.ways.starts if self.pairs[0, pair, size] > 0]
        if number == len(self.choices) or first + len(pairs) > len(self.options):
            self._make_room()
        self.options[first : first + len(pairs), 1] = pairs
        np.cumsum(self.pairs[0, pairs, size], out=self.sums[first : first + len(pairs)])
        self.choices[number] = (first, len(pairs))
        self.state[[CHOICES, OPTIONS]] = number + 1, first + len(pairs)
        return number

    def _make_room(self) -> None:
        """Make room for more choices, options and keys."""
        self.sums, self.options = _doubled(self.sums), _doubled(self.options)
        if 2 * self.state[CHOICES] > len(self.choices):
            self.choices = _doubled(self.choices)
        if 2 * self.state[KEYS] > len(self.keys):
            self._enlarge()

    def _way_rows(self, makers: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
        """The rules that make each pair, and the steps to each state after a part, and where each begin."""
        ways, states = self.table.ways, int(self.state[STATES])
        rows = list(makers)
        firsts = [0, *accumulate(map(len, ways.makers))]
        self.state[STEP_FIRSTS] = len(firsts)
        for part in (part for rule in ways.rules for part in rule.parts):
            for after in range(states):
                firsts.append(len(rows))
                rows += [(step.before, step.pair) for step in part if step.after == after]
        firsts.append(len(rows))
        self.state[SUM_FIRSTS] = len(firsts)
        firsts += [0, *accumulate(count for rule in ways.rules for count in rule.states)]
        return np.array(firsts, np.int64), np.array(rows, np.int64).reshape(-1, 2)

    def _rule_rows(self) -> tuple[Any, Any]:
        """The parts of each rule with their places, and how far the rule is without them."""
        rows = []
        places: list[int] = []
        for number, rule in enumerate(self.table.ways.rules):
            rows.append((len(places), len(rule.parts), self._begin(number, 0), 0, 0))
            places += [self.table.place_of(rule.number, part) for part in range(len(rule.parts))]
        return np.array(rows, np.int64).reshape(-1, 5), np.array(places, np.int64)

    def _filter_rows(self) -> tuple[Any, Any, Any]:
        """The filters of each rule; their rows are put into those of rules."""
        filters = self.filters
        sets: dict[frozenset[int], int] = {}
        checks: list[tuple[int, int, int]] = []
        rows: list[tuple[int, ...]] = []
        watched = frozenset(filters.held.union(filters.by_rule))
        sets[watched] = WATCHED

        def number(some: frozenset[int] | None) -> int:
            return _NOT_SAID if some is None else sets.setdefault(some, len(sets))

        def add(shape: Shape, row: int, first: int) -> None:
            for part, inner in shape.parts:
                checks.append((row, part, number(inner.rules)))
                add(inner, len(checks) - first, first)

        for place, rule in enumerate(self.numbers):
            self.rules[place, 3] = len(rows)
            for each in filters.by_rule.get(rule, ()):
                first = len(checks)
                add(each.shape, 0, first)
                said = (self.names.index(each.name) + 1, first, len(checks) - first)
                rows.append((*said, number(each.holds), number(each.through), int(each.same), each.more_than))
            self.rules[place, 4] = len(rows)
        held = np.array([[rule in some for rule in self.numbers] for some in sets], np.bool_)
        return np.array(rows, np.int64).reshape(-1, 7), np.array(checks, np.int64).reshape(-1, 3), held

    @property
    def names(self) -> list[str]:
        """The names of filters of rules, each once."""
        return list(dict.fromkeys(each.name for some in self.filters.by_rule.values() for each in some))

    def _number(self, slots: Slots) -> int:
        """The number of some slots."""
        number = self._numbers.get(slots)
        if number is None:
            number = self._numbers[slots] = len(self._slots)
            self._slots.append(slots)
            if number == len(self.fits):
                self.fits = _doubled(self.fits)
            self.fits[number] = (self._reach & np.array(slots, np.int64)).all(axis=1)
        return number

    def _begin(self, rule: int, asked: int) -> int:
        """Add how far a rule is of which no part is drawn."""
        count = len(self.table.ways.rules[rule].parts)
        begun = self._add_reached(rule, count - 1, (self.filters.sorts.any,) * count, self._slots[asked])
        self._put((asked * len(self.numbers) + rule) * KINDS + 3, begun)
        return begun

    def _add_reached(self, rule: int, part: int, given: tuple[Slots, ...], asked: Slots) -> int:
        """Add how far a rule is that goes on with a part, given the slots of its parts; -1 where none is left."""
        sorts, number = self.filters.sorts, self.numbers[rule]
        made = sorts.slots(number, given, asked)
        wanted = self._number(sorts.asked(number, part, given, asked)) if part >= 0 else 0
        here = len(self._reached)
        self._reached.append(_Reached(rule, part, given, asked))
        if here == len(self.reached):
            self.reached = _doubled(self.reached)
        group = self._groups.setdefault((rule, part, wanted), len(self._groups))
        self.reached[here] = (NONE if made is None else self._number(made), wanted, group, rule, part)
        return here

    def _put(self, key: int, value: int) -> None:
        if 2 * self.state[KEYS] > len(self.keys):
            self._enlarge()
        put_all(np.array([key]), np.array([value]), self.keys, self.values)
        self.state[KEYS] += 1

    def _enlarge(self) -> None:
        """Make room for twice as many keys."""
        keys, values = _empty(2 * len(self.keys) + 1)
        put_all(self.keys, self.values, keys, values)
        self.keys, self.values = keys, values


def _empty(size: int) -> tuple[Any, Any]:
    """A table of so many keys, of which none is there, and its values."""
    return np.full(size, -1, np.int64), np.zeros(size, np.int64)


def _doubled(table: Any) -> Any:
    return np.concatenate([table, np.zeros_like(table)])
