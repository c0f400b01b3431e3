"""Trees of rules drawn from the top down, each with the exact size that is asked for.

A phrase that a filter drops is drawn again in its place, with its size, so that filters change what phrases hold and
not how long they are. Of a list that holds something twice, the second is drawn again first. Only that is chosen from
which can speak of things of the sorts that the parts drawn before ask for.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from recombine.grammars.unification.generation.sorts import SORTS, reaches

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from recombine.grammars.unification.generation.filters import Filters
    from recombine.grammars.unification.generation.level_table import LevelTable
    from recombine.grammars.unification.generation.sorts import Slots

Tree = tuple[int, tuple["Tree", ...]]
"""A rule, by number, and what its parts are made of."""
_BLOCK = 4096
"""So many random numbers are made at a time."""
_AGAIN = 20
"""So many times a phrase is drawn again."""
_CLASH_AGAIN = 4
"""So many times one within another, when it speaks of things of no sort; then the other is drawn again."""
_CLASHES = 300
"""So many times in all, before a question is given up."""
_Choice = tuple[list[float], list[tuple[int, int, int]]]
"""Sums of weights, and what is chosen up to each: a rule and its state, or a state, a pair and a size."""


class TreeDrawer:
    """Draws trees by the weights of a table; what can be chosen where is worked out once."""

    def __init__(self, table: LevelTable, filters: Filters) -> None:
        self.table, self.filters = table, filters
        self._filtered: str | None = None
        """The filter that drops a phrase however often it is drawn."""
        self._clashes = 0
        """How often phrases of a question spoke of things of no sort."""
        self._keys: dict[int, tuple[int, int, int, Slots]] = {}
        """The places, pairs, sizes and asked sorts of trees that may not be there twice, by identity."""
        self._slots: dict[int, Slots | None] = {}
        """The slots of trees, by identity; none where things of no sort are spoken of."""
        self._pair_reach, self._rule_reach = reaches(table.ways, filters.sorts)
        self._rules: dict[tuple[int, int, int, Slots], _Choice] = {}
        self._steps: dict[tuple[int, int, int, int, Slots], _Choice] = {}
        self._top: dict[int, _Choice] = {}
        self._parts = [
            (rule.number, [(part, table.place_of(rule.number, part)) for part in reversed(range(len(rule.parts)))])
            for rule in table.ways.rules
        ]
        """By rule: its number, and its parts with their places, the last one first."""

    def draw(self, size: int, numbers: Iterator[float]) -> tuple[Tree, str | None]:
        """A tree of a size that has some, and the filter that drops it; `numbers` are random ones from 0 to 1."""
        self._filtered = None
        self._clashes = 0
        self._keys.clear()
        self._slots.clear()
        choice = self._top.get(size)
        if choice is None:
            options = [(self.table.pairs[0, pair, size], (0, pair, 0)) for _, pair in self.table.ways.starts]
            choice = self._top[size] = _summed(options)
        while True:
            tree = self._tree(0, _chosen(choice, numbers)[1], size, self.filters.sorts.any, numbers)
            if self._filtered is not None or self._slots[id(tree)] is not None:
                return tree, self._filtered

    def _tree(self, place: int, pair: int, size: int, asked: Slots, numbers: Iterator[float]) -> Tree:
        """A tree of a pair, in a place, that no filter drops; its slots are none where what is asked was not found."""
        filters = self.filters
        clashes = 0
        for _ in range(_AGAIN):
            tree = self._any_tree(place, pair, size, asked, numbers)
            if tree[0] in filters.held:
                self._keys[id(tree)] = (place, pair, size, asked)
            if self._filtered is not None:
                return tree
            dropping = None
            if self._slots[id(tree)] is not None and tree[0] in filters.by_rule:
                dropping = filters.at_top(tree)
                if dropping is not None and dropping.same:
                    tree = dropping.without_same(tree, lambda part, known: self._other(part, known, numbers), set())
                    dropping = filters.at_top(tree)
                    self._noted(tree, filters.sorts.of_tree(tree))
            if self._slots[id(tree)] is None:
                clashes += 1
                if clashes == _CLASH_AGAIN or self._is_given_up():
                    return tree
            elif dropping is None:
                return tree
            else:
                name = dropping.name
        self._filtered = name
        return tree

    def _is_given_up(self) -> bool:
        """Whether a question has spoken of things of no sort too often; counts one time more."""
        self._clashes += 1
        if self._clashes >= _CLASHES:
            self._filtered = SORTS
        return self._filtered is not None

    def _other(self, tree: Tree, known: set[Tree], numbers: Iterator[float]) -> Tree:
        """Another tree in the place of one, with its features and its size, that is not known; or else the same."""
        key = self._keys[id(tree)]
        for _ in range(_AGAIN):
            other = self._any_tree(*key, numbers)
            if other not in known and self._slots[id(other)] is not None:
                self._keys[id(other)] = key
                return other
        return tree

    def _any_tree(self, place: int, pair: int, size: int, asked: Slots, numbers: Iterator[float]) -> Tree:
        """A tree of a pair, in a place, whose parts no filter drops; unfinished where they do not go together."""
        key = (place, pair, size, asked)
        choice = self._rules.get(key)
        if choice is None:
            choice = self._rules[key] = self._rule_choice(*key)
        if not choice[1]:
            return self._noted((-1, ()), None)
        rule, state, _ = _chosen(choice, numbers)
        rule_number, below = self._parts[rule]
        sorts = self.filters.sorts
        slots = (sorts.any,) * len(below)
        made = sorts.slots(rule_number, slots, asked)
        left = size - 1
        parts: list[Tree] = []
        for part, part_place in below:
            part_asked = sorts.asked(rule_number, part, slots, asked)
            step_key = (rule, part, state, left, part_asked)
            steps = self._steps.get(step_key)
            if steps is None:
                steps = self._steps[step_key] = self._step_choice(*step_key)
            if made is None or not steps[1]:
                return self._noted((rule_number, ()), None)
            state, part_pair, taken = _chosen(steps, numbers)
            tree = self._tree(part_place, part_pair, taken, part_asked, numbers)
            found = self._slots[id(tree)]
            if found is None:
                return self._noted((rule_number, ()), None)
            slots = (*slots[:part], found, *slots[part + 1 :])
            made = sorts.slots(rule_number, slots, asked)
            parts.append(tree)
            left -= taken
        parts.reverse()
        return self._noted((rule_number, tuple(parts)), made)

    def _noted(self, tree: Tree, slots: Slots | None) -> Tree:
        self._slots[id(tree)] = slots
        return tree

    def _rule_choice(self, place: int, pair: int, size: int, asked: Slots) -> _Choice:
        table = self.table
        return _summed(
            [
                (table.weights[place, rule] * table.partial[rule][-1][state, size - 1], (rule, state, 0))
                for rule, state in table.ways.makers[pair]
                if _can_meet(self._rule_reach[rule][state], asked)
            ]
        )

    def _step_choice(self, rule: int, part: int, after: int, size: int, asked: Slots) -> _Choice:
        """The state before a part, its pair and its size; the parts up to it have a size together."""
        table = self.table
        before = table.partial[rule][part]
        below = table.pairs[table.place_of(table.ways.rules[rule].number, part)]
        options: list[tuple[float, tuple[int, int, int]]] = []
        for step in table.ways.rules[rule].parts[part]:
            if step.after == after and _can_meet(self._pair_reach[step.pair], asked):
                found = before[step.before, :size] * below[step.pair, size:0:-1]
                options += [(value, (step.before, step.pair, size - n)) for n, value in enumerate(found.tolist())]
        return _summed(options)


def _can_meet(reach: Slots, asked: Slots) -> bool:
    return all(sorts & others for sorts, others in zip(reach, asked, strict=True))


def iter_numbers(generator: np.random.Generator) -> Iterator[float]:
    """Random numbers from 0 to 1 without end, made many at a time."""
    while True:
        yield from generator.random(_BLOCK).tolist()


def _summed(options: list[tuple[float, tuple[int, int, int]]]) -> _Choice:
    """Options with their sums, without those that weigh nothing."""
    some = [option for option in options if option[0] > 0]
    return list(accumulate(float(weight) for weight, _ in some)), [option for _, option in some]


def _chosen(choice: _Choice, numbers: Iterator[float]) -> tuple[int, int, int]:
    sums, options = choice
    if len(options) == 1:
        return options[0]
    place = bisect_right(sums, next(numbers) * sums[-1])
    return options[place] if place < len(options) else options[-1]
