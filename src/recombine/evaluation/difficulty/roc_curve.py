"""The curve whose area `auc` is: how many right and wrong examples are at least so easy, for every easiness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.evaluation.difficulty.correctness import check_same_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def roc_curve(
    scores: Sequence[float] | NDArray[np.float64], labels: Sequence[int] | NDArray[np.int8]
) -> list[tuple[float, float]] | None:
    """Shares of wrong and of right examples, from (0, 0) to (1, 1); none where there are no right or no wrong ones.

    Examples of one easiness make one step, sideways and up at once, which is what counts a tie as one half. Labels
    other than 0 and 1 are left out.

    >>> roc_curve([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1])
    [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]
    """
    check_same_length(scores, labels, "labels")
    values, which = np.asarray(scores, np.float64), np.asarray(labels)
    levels = np.unique(values[(which == 0) | (which == 1)])[::-1]
    right, wrong = np.sort(values[which == 1]), np.sort(values[which == 0])
    if not len(right) or not len(wrong):
        return None
    sides = [(len(some) - np.searchsorted(some, levels, "left")) / len(some) for some in (wrong, right)]
    return [(0.0, 0.0), *zip(sides[0].tolist(), sides[1].tolist(), strict=True)]
