"""Ratios and coverages of Table 3 of the CFQ paper by the fields that a CFQ item has.

CFQ counts leaves of parses and constraints of queries where other data counts words, and has patterns of its own
(CFQ paper, §4). They are tags of examples that `recombine parse cfq --data` annotated, and of the release's file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.measures.length_ratio import ratio_of_means
from recombine.measures.patterns import pattern_coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.measures.known import Part

LENGTHS = ("parseTreeLeafCount", "sparqlNumConstraints")
PATTERNS = ("questionTemplate", "sparqlPattern")
"""The fields of sources and of targets."""


def item_fields(train: Part, test: Part) -> dict[str, dict[str, float | None]]:
    """Length ratios and pattern coverages by field; nothing where an example lacks one of them."""
    values = [_values(part) for part in (train, test)]
    if None in values:
        return {}
    columns = [list(zip(*rows, strict=True)) for rows in values if rows is not None]
    ratios = {}
    for place, name in enumerate(LENGTHS):
        known, asked = (part[place] for part in columns)
        ratios[name] = ratio_of_means(sum(known), len(known), sum(asked), len(asked))
    coverages = {}
    for place, name in enumerate(PATTERNS, start=len(LENGTHS)):
        known, asked = (part[place] for part in columns)
        coverages[name] = pattern_coverage(known, asked)
    return {"length_ratio": ratios, "pattern_coverage": coverages}


def _values(part: Part) -> Sequence[tuple[Any, ...]] | None:
    """The fields of each example of a part; none where one has not all of them."""
    rows = [tuple(example.tags.get(name) for name in (*LENGTHS, *PATTERNS)) for example in part]
    lengths = len(LENGTHS)
    whole = all(type(v) is int for row in rows for v in row[:lengths])
    return rows if whole and all(isinstance(v, str) for row in rows for v in row[lengths:]) else None
