"""Trees of rules drawn from the top down, each with the exact size that is asked for.

A phrase that a filter drops is drawn again in its place, with its size, so that filters change what phrases hold and
not how long they are. Of a list that holds something twice, the second is drawn again first. Only that is chosen from
which can speak of things of the sorts that the parts drawn before ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.generation.sorts import SORTS

if TYPE_CHECKING:
    from recombine.grammars.unification.generation.filters import Filters
    from recombine.grammars.unification.generation.level_table import LevelTable
    from recombine.grammars.unification.generation.random_numbers import RandomNumbers

Tree = tuple[int, tuple["Tree", ...]]
"""A rule, by number, and what its parts are made of."""


class TreeDrawer:
    """Draws trees by the weights of a table; what can be chosen where is worked out once."""

    def __init__(self, table: LevelTable, filters: Filters) -> None:
        from recombine.grammars.unification.generation import drawing_kernels
        from recombine.grammars.unification.generation.drawing_tables import DrawingTables

        self._kernels = drawing_kernels
        self._tables = DrawingTables(table, filters)
        self._tops: dict[int, int] = {}
        self._names = dict(enumerate(self._tables.names, start=1))
        self._names[drawing_kernels.OF_SORTS] = SORTS

    def draw(self, size: int, numbers: RandomNumbers) -> Tree | str:
        """A tree of a size that has some, or the name of the filter that drops what was drawn."""
        kernels, tables = self._kernels, self._tables
        top = self._tops.get(size)
        if top is None:
            top = self._tops[size] = tables.top(size)
        state = tables.state
        while True:
            state[kernels.AT : kernels.MISSING] = (numbers.used, 0, 0, 0, 0, 0)
            count = kernels.draw(
                top,
                size,
                state,
                numbers.made,
                tables.keys,
                tables.values,
                tables.choices,
                tables.sums,
                tables.options,
                tables.reached,
                tables.rules,
                tables.places,
                tables.firsts,
                tables.ways,
                tables.fits,
                tables.weights,
                tables.pairs,
                tables.partial,
                tables.rule_filters,
                tables.checks,
                tables.sets,
                tables.nodes,
                tables.children,
                tables.stack,
                tables.flat,
            )
            if count != kernels.STOP:
                numbers.used = int(state[kernels.AT])
                break
            missing = state[kernels.MISSING : kernels.CHOICES].tolist()
            if missing[0] == kernels.NUMBERS:
                numbers.make_more()
            else:
                tables.add(missing)
        if count == kernels.NONE:
            return self._names[int(state[kernels.FILTERED])]
        flat = tables.flat[:count].tolist()
        flat.reverse()
        return self._tree(flat)

    def _tree(self, left: list[list[int]]) -> Tree:
        """The tree whose rules are listed, the first one last, each with the number of its parts."""
        rule, parts = left.pop()
        return self._tables.numbers[rule], tuple([self._tree(left) for _ in range(parts)])
