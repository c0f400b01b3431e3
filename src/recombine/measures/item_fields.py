"""Ratios and coverages of Table 3 of the CFQ paper by the fields that a CFQ item has.

CFQ counts leaves of parses and constraints of queries where other data counts words, and has patterns of its own
(CFQ paper, §4). They are tags of examples that `recombine parse cfq --data` annotated, and of the release's file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.measures.length_ratio import ratio_of_means
from recombine.measures.patterns import pattern_coverage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset

LENGTHS = ("parseTreeLeafCount", "sparqlNumConstraints")
PATTERNS = ("questionTemplate", "sparqlPattern")
"""The fields of sources and of targets."""


def item_fields(dataset: Dataset, train: Sequence[int], test: Sequence[int]) -> dict[str, dict[str, float | None]]:
    """Length ratios and pattern coverages by field, of parts given by positions; nothing where an example lacks one."""
    tags = dataset.iter_mappings("tags")
    first = next(iter(tags), None)
    if first is None or not _is_whole(_row(first)):
        return {}
    rows = [_row(first), *map(_row, tags)]
    if not all(_is_whole(rows[row]) for part in (train, test) for row in part):
        return {}
    ratios, coverages = {}, {}
    for place, name in enumerate(LENGTHS):
        known, asked = (sum(rows[row][place] for row in part) for part in (train, test))
        ratios[name] = ratio_of_means(known, len(train), asked, len(test))
    for place, name in enumerate(PATTERNS, start=len(LENGTHS)):
        coverages[name] = pattern_coverage(*([rows[row][place] for row in part] for part in (train, test)))
    return {"length_ratio": ratios, "pattern_coverage": coverages}


def _row(tags: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(tags.get(name) for name in (*LENGTHS, *PATTERNS))


def _is_whole(row: tuple[Any, ...]) -> bool:
    """Whether an example has all fields."""
    lengths = len(LENGTHS)
    return all(type(v) is int for v in row[:lengths]) and all(isinstance(v, str) for v in row[lengths:])
