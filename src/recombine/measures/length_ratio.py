"""Mean length of train over mean length of test, in words (Table 3 of the CFQ paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def length_ratio(train: Sequence[str], test: Sequence[str]) -> float | None:
    """The ratio of mean numbers of words; none where it has no value. Repeats count.

    >>> length_ratio(["jump"], ["jump twice and walk"])
    0.25
    """
    words = sum(len(text.split()) for text in test)
    if not train or not words:
        return None
    mean = sum(len(text.split()) for text in train) / len(train)
    return mean / (words / len(test))
