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
    words = [sum(len(text.split()) for text in part) for part in (train, test)]
    return ratio_of_means(words[0], len(train), words[1], len(test))


def ratio_of_means(train_words: int, train: int, test_words: int, test: int) -> float | None:
    """The same of the numbers of words and of texts."""
    if not train or not test_words:
        return None
    return (train_words / train) / (test_words / test)
