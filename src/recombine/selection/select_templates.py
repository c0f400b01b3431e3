"""Examples of as many templates as possible: one of each in random order, then a second of each, and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.seeds import make_generator
from recombine.selection.selected import Selected, check_number

if TYPE_CHECKING:
    from collections.abc import Sequence


def select_templates(templates: Sequence[str], number: int, *, seed: int = 0) -> Selected:
    """`number` rows, as diverse in their templates as possible.

    >>> selected = select_templates(["a", "a", "a", "b"], 3)
    >>> sorted(row == 3 for row in selected.rows[:2]), len(set(selected.rows))
    ([False, True], 3)
    """
    check_number(number, len(templates))
    generator = make_generator(seed)
    waiting: dict[str, list[int]] = {}
    for row in generator.permutation(len(templates)).tolist():
        waiting.setdefault(templates[row], []).append(row)
    names = sorted(waiting)
    order = [names[place] for place in generator.permutation(len(names)).tolist()]
    rows: list[int] = []
    depth = 0
    while len(rows) < number:
        rows += [waiting[name][depth] for name in order if depth < len(waiting[name])]
        depth += 1
    return Selected(tuple(rows[:number]), tuple(templates[row] for row in rows[:number]))
