"""Other decision rules to compare with (`local_structures` paper, §4.4 and §5).

The ablations and the n-grams over the program's sequence are definitions of structures (`local:2,no-siblings`,
`local:2,no-parents`, `ngram:2`) or a similarity (`none`); what is left needs no structures at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def length_easiness(
    train: Sequence[int] | NDArray[np.int64], test: Sequence[int] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """max(1 − symbols / symbols of the longest training program, 0), from numbers of symbols.

    >>> length_easiness([4, 10], [5, 20]).tolist()
    [0.5, 0.0]
    """
    if not len(train):
        raise OptionError("the training set is empty, so nothing was observed", "give at least one program")
    longest = int(np.max(train))
    return np.maximum(1.0 - np.asarray(test, np.float64) / longest, 0.0)


def random_easiness(count: int, *, seed: int) -> NDArray[np.float64]:
    """So many numbers between 0 and 1."""
    return make_generator(seed).random(count)


def group_means(scores: NDArray[np.float64], groups: Sequence[object]) -> NDArray[np.float64]:
    """Every score replaced by the mean of its group: what a rule that only tells splits apart would say.

    >>> group_means(np.array([0.0, 1.0, 0.3]), ["a", "a", "b"]).tolist()
    [0.5, 0.5, 0.3]
    """
    number: dict[object, int] = {}
    which = np.array([number.setdefault(group, len(number)) for group in groups], np.int64)
    sums, sizes = np.bincount(which, weights=scores), np.bincount(which)
    return (sums / np.maximum(sizes, 1))[which]
