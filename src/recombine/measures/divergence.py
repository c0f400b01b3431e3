"""Chernoff coefficient and divergence of two frequency distributions (CFQ paper, §2.1)."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features


def chernoff(
    train: Sequence[float] | NDArray[np.float64], test: Sequence[float] | NDArray[np.float64], alpha: float
) -> float:
    """The Chernoff coefficient Σ p^α q^(1−α) of two lists of frequencies, which need not sum to 1.

    >>> chernoff([1, 1], [2, 2], 0.5)
    1.0
    >>> chernoff([1, 0], [0, 1], 0.1)
    0.0
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha is {alpha}", "give a number between 0 and 1")
    p, q = np.asarray(train, np.float64), np.asarray(test, np.float64)
    if p.sum() <= 0 or q.sum() <= 0:
        raise OptionError("a side of the split has no structures at all", "check that no part is empty")
    both = (p > 0) & (q > 0)
    value = np.sum((p[both] / p.sum()) ** alpha * (q[both] / q.sum()) ** (1 - alpha))
    return float(min(1.0, value))


def divergence(features: Features, train: Sequence[int], test: Sequence[int], *, alpha: float) -> float:
    """1 − the Chernoff coefficient of the column sums of two sets of rows; repeated rows count again.

    Of structures of several kinds it is the geometric mean of the kinds' divergences.

    >>> from recombine.structures.features import Features
    >>> f = Features.from_rows([{"a": 1, "b": 1}, {"a": 1, "c": 1}])
    >>> round(divergence(f, [0], [1], alpha=0.5), 3)
    0.5
    """
    return joined_divergence(divergence_by_kind(features.sums(train), features.sums(test), features.kinds, alpha))


def joined_divergence(values: Sequence[float]) -> float:
    """The geometric mean of the divergences of several kinds; that of one kind is its own.

    >>> joined_divergence([0.5, 0.125]), joined_divergence([0.3])
    (0.25, 0.3)
    """
    return values[0] if len(values) == 1 else prod(max(0.0, value) for value in values) ** (1.0 / len(values))


def divergence_by_kind(
    train: NDArray[np.float64], test: NDArray[np.float64], kinds: Sequence[int], alpha: float
) -> list[float]:
    """The divergence of each kind, from the sums of all columns and where the columns of each kind begin."""
    bounds = [*kinds, len(train)]
    return [1.0 - chernoff(train[a:b], test[a:b], alpha) for a, b in pairwise(bounds)]
