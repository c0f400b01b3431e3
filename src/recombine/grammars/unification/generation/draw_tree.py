"""Trees of rules drawn from the top down, each with the exact size that is asked for."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from recombine.grammars.unification.generation.level_table import LevelTable

Tree = tuple[int, tuple["Tree", ...]]
"""A rule, by number, and what its parts are made of."""
_BLOCK = 4096
"""So many random numbers are made at a time."""
_Choice = tuple[list[float], list[tuple[int, int, int]]]
"""Sums of weights, and what is chosen up to each: a rule and its state, or a state, a pair and a size."""


class TreeDrawer:
    """Draws trees by the weights of a table; what can be chosen where is worked out once."""

    def __init__(self, table: LevelTable) -> None:
        self.table = table
        self._rules: dict[tuple[int, int, int], _Choice] = {}
        self._steps: dict[tuple[int, int, int, int], _Choice] = {}
        self._top: dict[int, _Choice] = {}

    def draw(self, size: int, numbers: Iterator[float]) -> Tree:
        """A tree of a size that has some; `numbers` are random ones from 0 to 1."""
        choice = self._top.get(size)
        if choice is None:
            options = [(self.table.pairs[0, pair, size], (0, pair, 0)) for _, pair in self.table.ways.starts]
            choice = self._top[size] = _summed(options)
        return self._tree(0, _chosen(choice, numbers)[1], size, numbers)

    def _tree(self, place: int, pair: int, size: int, numbers: Iterator[float]) -> Tree:
        """A tree of a pair, in a place."""
        key = (place, pair, size)
        choice = self._rules.get(key)
        if choice is None:
            choice = self._rules[key] = self._rule_choice(place, pair, size)
        rule, state, _ = _chosen(choice, numbers)
        ways = self.table.ways.rules[rule]
        left = size - 1
        parts: list[Tree] = []
        for part in range(len(ways.parts) - 1, -1, -1):
            step_key = (rule, part, state, left)
            steps = self._steps.get(step_key)
            if steps is None:
                steps = self._steps[step_key] = self._step_choice(*step_key)
            state, below, taken = _chosen(steps, numbers)
            parts.append(self._tree(self.table.place_of(ways.number, part), below, taken, numbers))
            left -= taken
        parts.reverse()
        return ways.number, tuple(parts)

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
    return options[min(bisect_right(sums, next(numbers) * sums[-1]), len(options) - 1)]
