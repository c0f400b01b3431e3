"""The lots of every kind of template, made here or in processes of their own; which of them is the same."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from recombine.datasets.parts.forked_lots import ForkedLots, can_fork
from recombine.kb.templates.template import TEMPLATE_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.datasets.kbqa_made.made_template import MadeTemplates
    from recombine.datasets.kbqa_made.shares import Cell
    from recombine.datasets.kbqa_made.workshop import Workshop

_GROUNDINGS, _FUNCTIONS, _RELATIONS = 1 << 32, len(TEMPLATE_FUNCTIONS), 8


class LotsOfKinds:
    """Gives lots of a kind one after the other, as many as are asked for.

    What a process is asked for is one number, since it was begun before anybody knew what would be asked.
    """

    def __init__(self, workshop: Workshop, processes: int = 1) -> None:
        self._workshop = workshop
        self._forked = ForkedLots(self.lot, processes, ahead=1) if processes > 1 and can_fork() else None

    def __call__(self, cell: Cell, groundings: int) -> Iterable[MadeTemplates]:
        """The lots of a kind, templates with so many groundings at most."""
        relations, function = cell
        kind = TEMPLATE_FUNCTIONS.index(function) * _RELATIONS + relations
        numbers = (((number * _FUNCTIONS * _RELATIONS) + kind) * _GROUNDINGS + groundings for number in count())
        return map(self.lot, numbers) if self._forked is None else self._forked.iter_lots(numbers)

    def lot(self, asked: int) -> MadeTemplates:
        """The lot that a number asks for."""
        rest, groundings = divmod(asked, _GROUNDINGS)
        number, kind = divmod(rest, _FUNCTIONS * _RELATIONS)
        function, relations = divmod(kind, _RELATIONS)
        return self._workshop.lot(relations, TEMPLATE_FUNCTIONS[function], number, groundings)

    def close(self) -> None:
        """End the processes."""
        if self._forked is not None:
            self._forked.close()
