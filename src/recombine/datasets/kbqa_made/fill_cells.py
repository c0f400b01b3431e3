"""Templates for every kind of question: as many as are asked for, or as a knowledge base has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from recombine.datasets.kbqa_made.spread import spread

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
    """Templates that give so many questions of each kind together."""
    filled = FilledCells()
    for cell, count in counts.items():
        if count:
            _fill(filled, cell, count, make_lots, per_template)
    return filled


def _fill(filled: FilledCells, cell: Cell, count: int, make_lots: MakeLots, per_template: int) -> None:
    """Take templates of a kind until there are enough; where they end before that, each gives more questions."""
    wanted = ceil(count / per_template)
    found = _take(filled, make_lots(cell, per_template), wanted)
    if len(found) < wanted or sum(min(each.most, per_template) for each in found) < count:
        more = ceil(2 * count / max(1, len(found)))
        found = _take(filled, make_lots(cell, max(per_template, more)), wanted, count)
    numbers = spread(count, [each.most for each in found])
    filled.templates += found
    filled.numbers += numbers
    if sum(numbers) < count:
        filled.missing[cell] = count - sum(numbers)


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
