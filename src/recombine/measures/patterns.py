"""Patterns: how many of test's are known from train, and how varied test is.

Coverage is the share of distinct test patterns that train has (Table 3 of the CFQ paper), so repeats do not count
there; they do in the variety of test.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def pattern_coverage(train: Iterable[str], test: Iterable[str]) -> float | None:
    """The share of distinct test patterns that occur in train; none where test is empty.

    >>> pattern_coverage(["A", "A A"], ["A", "B", "B"])
    0.5
    """
    wanted = set(test)
    return len(wanted.intersection(train)) / len(wanted) if wanted else None


@dataclass(frozen=True)
class Variety:
    """How many patterns there are, how many effectively (the exponential of the entropy), and the largest's share."""

    number: int
    effective: float
    top_share: float


def variety(patterns: Sequence[str]) -> Variety:
    """The variety of a list of patterns.

    >>> variety(["A", "A", "B", "B"])
    Variety(number=2, effective=2.0, top_share=0.5)
    """
    return variety_of_sizes(Counter(Counter(patterns).values()))


def variety_of_sizes(sizes: Mapping[int, int]) -> Variety:
    """The same of how many patterns there are of each size.

    >>> variety_of_sizes({2: 2})
    Variety(number=2, effective=2.0, top_share=0.5)
    """
    total = sum(size * number for size, number in sizes.items())
    if not total:
        return Variety(0, 0.0, 0.0)
    shares = ((size / total, number) for size, number in sizes.items())
    # One term for each pattern: the sum is exactly rounded, in whatever order they come.
    entropy = -math.fsum(chain.from_iterable(repeat(share * math.log(share), number) for share, number in shares))
    return Variety(sum(sizes.values()), round(math.exp(entropy), 12), max(sizes) / total)
