"""Kinds that have too few questions pass them on, and the shares stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

from recombine.datasets.kbqa_made.fill_cells import fill_cells
from recombine.datasets.kbqa_made.made_template import MadeTemplate, MadeTemplates
from recombine.datasets.kbqa_made.shares import Cell

HAVE = {(1, "none"): 50, (2, "none"): 50, (1, "superlative"): 3, (2, "superlative"): 40}
"""How many templates of each kind there are, each with one grounding and two wordings."""


def lots(cell: Cell, groundings: int) -> Iterator[MadeTemplates]:
    """Lots of ten templates."""
    assert groundings >= 1
    one = cast("tuple[Any, ...]", ("grounding",))
    two = cast("tuple[Any, ...]", ("noun", "verb"))
    for first in range(0, HAVE[cell], 10):
        last = min(first + 10, HAVE[cell])
        made = tuple(MadeTemplate(f"{cell}{number}", *cell, one, two) for number in range(first, last))
        yield MadeTemplates(made, Counter(), last == HAVE[cell])


def test_what_is_missing_has_more_relations() -> None:
    wanted = {(1, "none"): 40, (2, "none"): 30, (1, "superlative"): 20, (2, "superlative"): 5}
    filled = fill_cells(wanted, lots, per_template=2)
    given: Counter[Cell] = Counter()
    for template, number in filled:
        assert number <= template.most
        given[template.relations, template.function] += number
    assert given == {(1, "none"): 54, (2, "none"): 16, (1, "superlative"): 6, (2, "superlative"): 19}
    assert not filled.missing


def test_what_nothing_has_is_missing() -> None:
    filled = fill_cells({(1, "none"): 40, (1, "superlative"): 20}, lots, per_template=2)
    assert filled.missing == {(1, "superlative"): 14}
    assert sum(filled.numbers) == 46
