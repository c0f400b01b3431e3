"""Templates for every kind of question: as many as are asked for, or as a knowledge base has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from recombine.datasets.kbqa_made.spread import spread
from recombine.kb.forms.form import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from recombine.datasets.kbqa_made.made_template import MadeTemplate, MadeTemplates
    from recombine.datasets.kbqa_made.shares import Cell

    MakeLots = Callable[[Cell, int], Iterable[MadeTemplates]]
    """The lots of a kind in their order, templates in them with so many groundings at most."""

PER_TEMPLATE = 13
"""The questions of a template in GrailQA: 64,331 of 4,969."""
IN_VAIN = 24
"""So many lots of a kind one after the other bring no template, before the kind is given up."""


@dataclass
class FilledCells:
    """The templates of all kinds, and how many questions each is to give."""

    templates: list[MadeTemplate] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    missing: dict[Cell, int] = field(default_factory=dict)
    """How many questions of a kind could not be had."""

    def __iter__(self) -> Iterator[tuple[MadeTemplate, int]]:
        return iter(zip(self.templates, self.numbers, strict=True))


def fill_cells(counts: Mapping[Cell, int], make_lots: MakeLots, *, per_template: int = PER_TEMPLATE) -> FilledCells:
    """Templates that give so many questions of each kind together.

    Where there are too few of a function with some number of relations, there are more of it with more relations, and
    fewer of these without a function, so that the shares of relations and of functions stay what they are.
    """
    filled = FilledCells()
    left = dict(counts)
    for cell in sorted(left, key=lambda each: (each[1] == NONE, each)):
        if left[cell]:
            short = left[cell] - _fill(filled, cell, left[cell], make_lots, per_template)
            short -= _moved(left, cell, short)
            if short:
                filled.missing[cell] = short
    return filled


def _moved(left: dict[Cell, int], cell: Cell, short: int) -> int:
    """How many questions of a kind that has too few can be of more relations: as many others then have fewer."""
    relations, function = cell
    if function == NONE or (relations, NONE) not in left:
        return 0
    moved = 0
    for more in sorted(number for number, name in left if name == NONE and number > relations):
        number = min(short - moved, left[more, NONE])
        left[more, NONE] -= number
        left[more, function] = left.get((more, function), 0) + number
        left[relations, NONE] += number
        moved += number
    return moved


def _fill(filled: FilledCells, cell: Cell, count: int, make_lots: MakeLots, per_template: int) -> int:
    """Take templates of a kind until there are enough; where they end before that, each gives more questions.

    Gives how many questions they have together, at most as many as are wanted.
    """
    wanted = ceil(count / per_template)
    found = _take(filled, make_lots(cell, per_template), wanted)
    if len(found) < wanted or sum(min(each.most, per_template) for each in found) < count:
        more = ceil(2 * count / max(1, len(found)))
        found = _take(filled, make_lots(cell, max(per_template, more)), wanted, count)
    numbers = spread(count, [each.most for each in found])
    filled.templates += found
    filled.numbers += numbers
    return sum(numbers)


def _take(
    filled: FilledCells, lots: Iterable[MadeTemplates], wanted: int, count: int | None = None
) -> list[MadeTemplate]:
    """The templates of lots, each once, until there are as many as wanted, and questions where a number is given."""
    found: dict[str, MadeTemplate] = {}
    refused: Counter[str] = Counter()
    in_vain = 0
    for lot in lots:
        before = len(found)
        refused += lot.refused
        for template in lot.templates:
            if template.key in found:
                refused["drawn_again"] += 1
            found.setdefault(template.key, template)
        in_vain = in_vain + 1 if len(found) == before else 0
        enough = len(found) >= wanted and (count is None or sum(each.most for each in found.values()) >= count)
        if enough or lot.is_last or in_vain == IN_VAIN:
            break
    filled.refused += refused
    kept = list(found.values())
    return kept if count is not None else kept[:wanted]
