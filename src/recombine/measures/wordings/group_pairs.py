"""The pairs within groups: all of them, or where there are very many so many drawn evenly."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_PAIRS = 2_000_000
"""Beyond so many, pairs are drawn."""
_SPARSE = 4


class GroupPairs(NamedTuple):
    """Pairs of things by their numbers, and how many there are in all."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    total: int

    @property
    def drawn(self) -> bool:
        """Whether these are some of them, drawn evenly."""
        return len(self.left) < self.total


def group_pairs(sizes: Sequence[int], *, most: int = MOST_PAIRS, seed: int = 0) -> GroupPairs:
    """The pairs within groups of so many things, which are numbered through; beyond `most`, so many are drawn.

    Pairs of one left thing stand in a row.

    >>> pairs = group_pairs([1, 3, 2])
    >>> list(zip(pairs.left.tolist(), pairs.right.tolist())), pairs.total
    ([(1, 2), (1, 3), (2, 3), (4, 5)], 4)
    """
    size = np.asarray(sizes, np.int64)
    counts = size * (size - 1) // 2
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    chosen = np.arange(total, dtype=np.int64) if total <= most else _drawn(total, most, np.random.default_rng(seed))
    group = np.searchsorted(ends, chosen, side="right")
    within = chosen - (ends - counts)[group]
    later, earlier = _triangle(within)
    first = (np.cumsum(size) - size)[group]
    left, right = first + earlier, first + later
    order = np.lexsort((right, left))
    return GroupPairs(left[order], right[order], total)


def _triangle(place: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row and the column of places in a triangle that has a row of one, of two, of three and so on."""
    row = ((1 + np.sqrt(1 + 8 * place.astype(np.float64))) / 2).astype(np.int64)
    row -= row * (row - 1) // 2 > place  # a root may be rounded up, or down
    row += row * (row + 1) // 2 <= place
    return row, place - row * (row - 1) // 2


def _drawn(total: int, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """So many different numbers below a total, in order."""
    if total <= _SPARSE * number:
        return np.sort(rng.permutation(total)[:number])
    chosen = np.zeros(0, np.int64)
    while len(chosen) < number:
        chosen = np.unique(np.concatenate([chosen, rng.integers(total, size=number)]))
    return np.sort(chosen[rng.permutation(len(chosen))[:number]])
