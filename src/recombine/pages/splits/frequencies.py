"""How often each structure occurs in train and in test, and what it adds to the divergence.

The frequency of a structure is the share of a part's examples that hold it; structures are ordered by falling
frequency in train, then in test (Figure 6 of the CFQ paper, Appendix D.2). With p and q a structure's shares of all
that train and test hold, it adds q − p^α q^(1−α) to the divergence; these sum to the divergence, as the shares of test
sum to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features


@dataclass(frozen=True)
class Frequencies:
    """The structures of a split in the order of Figure 6; those in neither part are left out."""

    names: tuple[str, ...]
    columns: NDArray[np.int64]
    """The column of each structure in the features."""
    train_counts: NDArray[np.int64]
    test_counts: NDArray[np.int64]
    """Entries of the part that hold the structure; repeats count."""
    train: NDArray[np.float64]
    test: NDArray[np.float64]
    """The same as shares of the part."""
    contributions: NDArray[np.float64]
    alpha: float

    def __len__(self) -> int:
        return len(self.names)

    @property
    def in_test(self) -> int:
        """How many structures test has."""
        return int(np.count_nonzero(self.test_counts))

    @property
    def only_in_train(self) -> int:
        """How many structures test lacks."""
        return int(np.count_nonzero(self.test_counts == 0))

    @property
    def only_in_test(self) -> int:
        """How many structures train lacks."""
        return int(np.count_nonzero(self.train_counts == 0))

    @property
    def in_both(self) -> int:
        """How many structures both parts have."""
        return len(self) - self.only_in_train - self.only_in_test

    @property
    def divergence(self) -> float:
        """The sum of all contributions."""
        return float(self.contributions.sum())


def contributions(
    train: Sequence[float] | NDArray[np.float64], test: Sequence[float] | NDArray[np.float64], alpha: float
) -> NDArray[np.float64]:
    """What each structure adds to the divergence of two lists of sums.

    >>> contributions([1, 2, 1], [1, 0, 1], 0.5).round(3).tolist()
    [0.146, 0.0, 0.146]
    """
    p, q = np.asarray(train, np.float64), np.asarray(test, np.float64)
    p, q = p / p.sum(), q / q.sum()
    shared = np.zeros(len(p))
    both = (p > 0) & (q > 0)
    shared[both] = p[both] ** alpha * q[both] ** (1 - alpha)
    return np.asarray(q - shared, np.float64)


def frequencies(features: Features, train: Sequence[int], test: Sequence[int], *, alpha: float) -> Frequencies:
    """The frequencies of all structures that train or test holds; rows may repeat.

    >>> from recombine.structures.features import Features
    >>> f = Features.from_rows([{"a": 1, "b": 1}, {"b": 1, "c": 1}])
    >>> frequencies(f, [0], [1], alpha=0.5).names
    ('b', 'a', 'c')
    """
    counts = [features.held(rows) for rows in (train, test)]
    added = contributions(features.sums(train), features.sums(test), alpha)
    order = np.lexsort((np.arange(len(features.names)), -counts[1], -counts[0]))
    order = order[(counts[0] + counts[1])[order] > 0]
    in_train, in_test = counts[0][order].astype(np.int64), counts[1][order].astype(np.int64)
    return Frequencies(
        tuple(features.names[int(column)] for column in order),
        order.astype(np.int64),
        in_train,
        in_test,
        in_train / len(train),
        in_test / len(test),
        added[order],
        alpha,
    )
