"""Trees of rules drawn from the top down, each with the exact size that is asked for.

A phrase that a filter drops is drawn again in its place, with its size, so that filters change what phrases hold and
not how long they are. Of a list that holds something twice, the second is drawn again first; of parts that speak of
things of no sort together, the one that was drawn last.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from recombine.grammars.unification.generation.sorts import SORTS

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
_PART_AGAIN = 5
"""So many times a part that does not go with the others is drawn again, before the whole phrase is."""
_Choice = tuple[list[float], list[tuple[int, int, int]]]
"""Sums of weights, and what is chosen up to each: a rule and its state, or a state, a pair and a size."""


class TreeDrawer:
    """Draws trees by the weights of a table; what can be chosen where is worked out once."""

    def __init__(self, table: LevelTable, filters: Filters) -> None:
        self.table, self.filters = table, filters
        self._filtered: str | None = None
        """The filter that drops a phrase however often it is drawn."""
        self._keys: dict[int, tuple[int, int, int]] = {}
        """The places, pairs and sizes of trees that may not be there twice, by identity."""
        self._slots: dict[int, Slots | None] = {}
        """The slots of trees, by identity; none where things of no sort are spoken of."""
        self._rules: dict[tuple[int, int, int], _Choice] = {}
        self._steps: dict[tuple[int, int, int, int], _Choice] = {}
        self._top: dict[int, _Choice] = {}
        self._parts = [
            (rule.number, [(part, table.place_of(rule.number, part)) for part in reversed(range(len(rule.parts)))])
            for rule in table.ways.rules
        ]
        """By rule: its number, and its parts with their places, the last one first."""

    def draw(self, size: int, numbers: Iterator[float]) -> tuple[Tree, str | None]:
        """A tree of a size that has some, and the filter that drops it; `numbers` are random ones from 0 to 1."""
        self._filtered = None
        self._keys.clear()
        self._slots.clear()
        choice = self._top.get(size)
        if choice is None:
            options = [(self.table.pairs[0, pair, size], (0, pair, 0)) for _, pair in self.table.ways.starts]
            choice = self._top[size] = _summed(options)
        tree = self._tree(0, _chosen(choice, numbers)[1], size, numbers)
        return tree, self._filtered

    def _tree(self, place: int, pair: int, size: int, numbers: Iterator[float]) -> Tree:
        """A tree of a pair, in a place, that no filter drops."""
        filters = self.filters
        for _ in range(_AGAIN):
            tree = self._any_tree(place, pair, size, numbers)
            if tree[0] in filters.held:
                self._keys[id(tree)] = (place, pair, size)
            if self._filtered is not None:
                return tree
            if self._slots[id(tree)] is None:
                name = SORTS
                continue
            if tree[0] not in filters.by_rule:
                return tree
            dropping = filters.at_top(tree)
            if dropping is not None and dropping.same:
                tree = dropping.without_same(tree, lambda part, known: self._other(part, known, numbers), set())
                dropping = filters.at_top(tree)
                self._slots[id(tree)] = filters.sorts.of_tree(tree)
                if self._slots[id(tree)] is None:
                    name = SORTS
                    continue
            if dropping is None:
                return tree
            name = dropping.name
        self._filtered = name
        return tree

    def _other(self, tree: Tree, known: set[Tree], numbers: Iterator[float]) -> Tree:
        """Another tree in the place of one, with its features and its size, that is not known; or else the same."""
        key = self._keys[id(tree)]
        for _ in range(_AGAIN):
            other = self._any_tree(*key, numbers)
            if other not in known:
                self._keys[id(other)] = key
                return other
        return tree

    def _any_tree(self, place: int, pair: int, size: int, numbers: Iterator[float]) -> Tree:
        """A tree of a pair, in a place, whose parts no filter drops; unfinished where they do not go together."""
        key = (place, pair, size)
        choice = self._rules.get(key)
        if choice is None:
            choice = self._rules[key] = self._rule_choice(place, pair, size)
        rule, state, _ = _chosen(choice, numbers)
        rule_number, below = self._parts[rule]
        sorts = self.filters.sorts
        slots = [sorts.any] * len(below)
        made = sorts.slots(rule_number, slots)
        left = size - 1
        parts: list[Tree] = []
        for part, part_place in below:
            step_key = (rule, part, state, left)
            steps = self._steps.get(step_key)
            if steps is None:
                steps = self._steps[step_key] = self._step_choice(*step_key)
            state, part_pair, taken = _chosen(steps, numbers)
            for _ in range(_PART_AGAIN):
                drawn = self._tree(part_place, part_pair, taken, numbers)
                slots[part] = self._slots[id(drawn)] or sorts.any
                made = sorts.slots(rule_number, slots)
                if made is not None or self._filtered is not None:
                    break
            parts.append(drawn)
            left -= taken
            if made is None:  # it is drawn again, or dropped: the other parts are not needed
                break
        parts.reverse()
        tree = rule_number, tuple(parts)
        self._slots[id(tree)] = made
        return tree

    def _rule_choice(self, place: int, pair: int, size: int) -> _Choice:
        table = self.table
        return _summed(
            [
                (table.weights[place, rule] * table.partial[rule][-1][state, size - 1], (rule, state, 0))
                for rule, state in table.ways.makers[pair]
            ]
        )

    def _step_choice(self, rule: int, part: int, after: int, size: int) -> _Choice:
        """The state before a part, its pair and its size; the parts up to it have a size together."""
        table = self.table
        before = table.partial[rule][part]
        below = table.pairs[table.place_of(table.ways.rules[rule].number, part)]
        options: list[tuple[float, tuple[int, int, int]]] = []
        for step in table.ways.rules[rule].parts[part]:
            if step.after == after:
                found = before[step.before, :size] * below[step.pair, size:0:-1]
                options += [(value, (step.before, step.pair, size - n)) for n, value in enumerate(found.tolist())]
        return _summed(options)


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
