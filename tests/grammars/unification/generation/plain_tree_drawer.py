"""Trees of rules drawn from the top down by plain Python: what the kernel of `draw_tree.py` is held against.

A phrase that a filter drops is drawn again in its place, with its size, so that filters change what phrases hold and
not how long they are. Of a list that holds something twice, the second is drawn again first. Only that is chosen from
which can speak of things of the sorts that the parts drawn before ask for.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Any

from recombine.grammars.unification.generation.sorts import SORTS, reaches

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from recombine.grammars.unification.generation.draw_tree import Tree
    from recombine.grammars.unification.generation.filters import Filters
    from recombine.grammars.unification.generation.level_table import LevelTable
    from recombine.grammars.unification.generation.sorts import Slots

_Drawn = tuple["Tree", "Slots | None"]
"""A tree and its slots; none where it speaks of things of no sort, and is not finished."""
_BLOCK = 4096
"""So many random numbers are made at a time."""
_AGAIN = 20
"""So many times a phrase is drawn again."""
_CLASH_AGAIN = 4
"""So many times one within another, when it speaks of things of no sort; then the other is drawn again."""
_CLASHES = 300
"""So many times in all, before a question is given up."""
_Choice = tuple[list[float], list[tuple[int, int, Any]]]
"""Sums of weights, and what is chosen up to each, with the last one once more; one option alone has no sums.

An option is a rule, its state and how far it is, or a state, a pair and a size."""
_Key = tuple[int, int, int, int]
"""A place, a pair, a size and the number of what is asked."""


class _Reached:
    """How far a rule is whose parts are drawn one after the other."""

    __slots__ = ("after", "asked", "made", "parts", "steps")

    def __init__(
        self, made: Slots | None, parts: tuple[Slots, ...], asked: int, steps: dict[tuple[int, int], _Choice]
    ) -> None:
        self.made, self.parts, self.asked, self.steps = made, parts, asked, steps
        """The slots of the rule, none where things of no sort are spoken of; those of its parts, any where they are not
        drawn yet; the number of what is asked of the next part; and what can be chosen for it, by state and size."""
        self.after: dict[Slots, _Reached] = {}
        """By the slots of the next part."""


class PlainTreeDrawer:
    """Draws trees by the weights of a table; what can be chosen where is worked out once."""

    def __init__(self, table: LevelTable, filters: Filters) -> None:
        self.table, self.filters = table, filters
        self._filtered: str | None = None
        """The filter that drops a phrase however often it is drawn."""
        self._clashes = 0
        """How often phrases of a question spoke of things of no sort."""
        self._keys: dict[int, _Key] = {}
        """What trees were drawn for that may not be there twice, by identity."""
        self._watched = filters.held.union(filters.by_rule)
        """The rules whose trees filters look at."""
        self._pair_reach, self._rule_reach = reaches(table.ways, filters.sorts)
        self._asked: dict[Slots, int] = {filters.sorts.any: 0}
        self._slots = [filters.sorts.any]
        """The slots that are asked for, numbered."""
        self._rules: dict[_Key, _Choice] = {}
        self._steps: dict[tuple[int, int, int], dict[tuple[int, int], _Choice]] = {}
        """By rule, part and what is asked of it."""
        self._begun: dict[tuple[int, Slots], _Reached] = {}
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
        choice = self._top.get(size)
        if choice is None:
            options = [(self.table.pairs[0, pair, size], (0, pair, 0)) for _, pair in self.table.ways.starts]
            choice = self._top[size] = _summed(options)
        sums, some = choice
        while True:
            key = (0, some[bisect_right(sums, next(numbers) * sums[-1])][1] if sums else some[0][1], size, 0)
            tree, slots = self._allowed(*self._any_tree(*key, numbers), key, numbers)
            if self._filtered is not None or slots is not None:
                return tree, self._filtered

    def _allowed(self, tree: Tree, slots: Slots | None, key: _Key, numbers: Iterator[float]) -> _Drawn:
        """What was drawn, or what is drawn after it and no filter drops; no slots where what is asked was not found."""
        filters = self.filters
        clashes = 0
        for left in reversed(range(_AGAIN)):
            if tree[0] in filters.held:
                self._keys[id(tree)] = key
            if self._filtered is not None:
                return tree, slots
            dropping = None
            if slots is not None and tree[0] in filters.by_rule:
                dropping = filters.at_top(tree)
                if dropping is not None and dropping.same:
                    tree = dropping.without_same(tree, lambda part, known: self._other(part, known, numbers), set())
                    dropping = filters.at_top(tree)
                    slots = filters.sorts.of_tree(tree)
            if slots is None:
                clashes += 1
                if clashes == _CLASH_AGAIN or self._is_given_up():
                    return tree, slots
            elif dropping is None:
                return tree, slots
            else:
                name = dropping.name
            if left:
                tree, slots = self._any_tree(*key, numbers)
        self._filtered = name
        return tree, slots

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
            other, slots = self._any_tree(*key, numbers)
            if other not in known and slots is not None:
                self._keys[id(other)] = key
                return other
        return tree

    def _any_tree(self, place: int, pair: int, size: int, asked: int, numbers: Iterator[float]) -> _Drawn:
        """A tree of a pair, in a place, whose parts no filter drops; unfinished where they do not go together."""
        key = (place, pair, size, asked)
        choice = self._rules.get(key)
        if choice is None:
            choice = self._rules[key] = self._rule_choice(*key)
        sums, options = choice
        if sums:
            rule, state, at = options[bisect_right(sums, next(numbers) * sums[-1])]
        elif options:
            rule, state, at = options[0]
        else:
            return (-1, ()), None
        rule_number, below = self._parts[rule]
        left = size - 1
        parts: list[Tree] = []
        for part, part_place in below:
            choice = at.steps.get((state, left))
            if choice is None:
                choice = at.steps[state, left] = self._step_choice(rule, part, state, left, at.asked)
            sums, options = choice
            if at.made is None or not options:
                return (rule_number, ()), None
            state, part_pair, taken = options[bisect_right(sums, next(numbers) * sums[-1])] if sums else options[0]
            tree, slots = self._any_tree(part_place, part_pair, taken, at.asked, numbers)
            if slots is None or tree[0] in self._watched:
                tree, slots = self._allowed(tree, slots, (part_place, part_pair, taken, at.asked), numbers)
                if slots is None:
                    return (rule_number, ()), None
            after = at.after.get(slots)
            if after is None:
                given = (*at.parts[:part], slots, *at.parts[part + 1 :])
                after = at.after[slots] = self._reached(rule, part - 1, given, self._slots[asked])
            at = after
            parts.append(tree)
            left -= taken
        parts.reverse()
        return (rule_number, tuple(parts)), at.made

    def _reached(self, rule: int, part: int, given: tuple[Slots, ...], asked: Slots) -> _Reached:
        """How far a rule is that goes on with a part, given the slots of its parts; -1 where none is left."""
        sorts, number = self.filters.sorts, self._parts[rule][0]
        made = sorts.slots(number, given, asked)
        if part < 0:
            return _Reached(made, given, 0, {})
        of_part = sorts.asked(number, part, given, asked)
        wanted = self._asked.get(of_part)
        if wanted is None:
            wanted = self._asked[of_part] = len(self._slots)
            self._slots.append(of_part)
        return _Reached(made, given, wanted, self._steps.setdefault((rule, part, wanted), {}))

    def _rule_choice(self, place: int, pair: int, size: int, asked: int) -> _Choice:
        table, slots = self.table, self._slots[asked]
        options = []
        for rule, state in table.ways.makers[pair]:
            if _can_meet(self._rule_reach[rule][state], slots):
                begun = self._begun.get((rule, slots))
                if begun is None:
                    count = len(self._parts[rule][1])
                    given = (self.filters.sorts.any,) * count
                    begun = self._begun[rule, slots] = self._reached(rule, count - 1, given, slots)
                weight = table.weights[place, rule] * table.partial[rule][-1][state, size - 1]
                options.append((weight, (rule, state, begun)))
        return _summed(options)

    def _step_choice(self, rule: int, part: int, after: int, size: int, asked: int) -> _Choice:
        """The state before a part, its pair and its size; the parts up to it have a size together."""
        table, slots = self.table, self._slots[asked]
        before = table.partial[rule][part]
        below = table.pairs[table.place_of(table.ways.rules[rule].number, part)]
        options: list[tuple[float, tuple[int, int, int]]] = []
        for step in table.ways.rules[rule].parts[part]:
            if step.after == after and _can_meet(self._pair_reach[step.pair], slots):
                found = before[step.before, :size] * below[step.pair, size:0:-1]
                options += [(value, (step.before, step.pair, size - n)) for n, value in enumerate(found.tolist())]
        return _summed(options)


def _can_meet(reach: Slots, asked: Slots) -> bool:
    return all(sorts & others for sorts, others in zip(reach, asked, strict=True))


def iter_numbers(generator: np.random.Generator) -> Iterator[float]:
    """Random numbers from 0 to 1 without end, made many at a time."""
    return chain.from_iterable(generator.random(_BLOCK).tolist() for _ in repeat(None))


def _summed(options: list[tuple[float, tuple[int, int, Any]]]) -> _Choice:
    """Options with their sums, without those that weigh nothing."""
    some = [option for option in options if option[0] > 0]
    chosen = [option for _, option in some]
    if len(chosen) < 2:
        return [], chosen
    return list(accumulate(float(weight) for weight, _ in some)), [*chosen, chosen[-1]]
