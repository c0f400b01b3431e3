"""Mean length of train over mean length of test, in words (Table 3 of the CFQ paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def length_ratio(train: Sequence[str], test: Sequence[str]) -> float | None:
    """The ratio of mean numbers of words; none where it has no value. Repeats count.

    >>> length_ratio(["jump"], ["jump twice and walk"])
    0.25
    """
    return ratio_of_lengths(counted_lengths(train), counted_lengths(test))


def counted_lengths(texts: Sequence[str]) -> NDArray[np.int64]:
    """How many texts have each number of words, from none upwards.

    >>> counted_lengths(["jump", "jump twice", "walk"]).tolist()
    [0, 2, 1]
    """
    return np.bincount(np.array([len(text.split()) for text in texts], np.int64)).astype(np.int64)


def ratio_of_lengths(train: NDArray[np.int64], test: NDArray[np.int64]) -> float | None:
    """The same of such counts."""
    words = [int(counts @ np.arange(len(counts))) for counts in (train, test)]
    return ratio_of_means(words[0], int(train.sum()), words[1], int(test.sum()))


def ratio_of_means(train_words: int, train: int, test_words: int, test: int) -> float | None:
    """The same of the numbers of words and of texts."""
    if not train or not test_words:
        return None
    return (train_words / train) / (test_words / test)
