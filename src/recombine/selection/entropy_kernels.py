"""Compiled greedy choice of the examples that add most to the entropy of a distribution of structures.

With n_c the sum of column c over what is taken, T the sum of all n_c and S that of n_c ln n_c, the entropy is
ln T - S / T. Sums are whole numbers, and n ln n comes from a table of whole numbers (times `SCALE`) whose steps never
fall, so that sums kept up to date equal sums made anew. What an example would add to S never falls either as others are
taken. What it added when it was last looked at therefore bounds its entropy from above, and one whose bound is no
better than the best so far is not looked at: the choice is that of looking at all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kernels.kernel import kernel, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALE = float(1 << 24)
"""What n ln n is multiplied by before it is rounded."""


def spread_table(largest: int) -> NDArray[np.int64]:
    """n ln n for n from 0 to `largest`, times the scale; its steps are rounded, so that they never fall.

    >>> (spread_table(2) / SCALE).round(4).tolist()
    [0.0, 0.0, 1.3863]
    """
    numbers = np.arange(1, largest + 1, dtype=np.float64)
    exact = np.concatenate(([0.0], numbers * np.log(numbers)))
    steps = np.rint(np.diff(exact) * SCALE).astype(np.int64)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.maximum.accumulate(steps))))


@part
def added_spread(indptr, indices, data, table, counts, example):  # type: ignore[no-untyped-def]
    """Return what an example adds to the sum of n ln n."""
    added = 0
    for entry in range(indptr[example], indptr[example + 1]):
        count = counts[indices[entry]]
        added += table[count + data[entry]] - table[count]
    return added


@part
def entropy(total, spread):  # type: ignore[no-untyped-def]
    """Return ln T - S / T; 0 of nothing."""
    return np.log(total) - spread / (total * SCALE) if total > 0 else 0.0


@kernel
def take_examples(indptr, indices, data, table, counts, sums, order, number):  # type: ignore[no-untyped-def]
    """Return the places in `order` of so many examples, each with the highest entropy, the first among equals.

    `counts` holds what is taken by column, `sums` the total and the spread; both are changed.
    """
    size = len(order)
    added = np.zeros(size, np.int64)  # to the spread, when it was last looked at
    widths = np.zeros(size, np.int64)
    for place in range(size):
        example = order[place]
        for entry in range(indptr[example], indptr[example + 1]):
            widths[place] += data[entry]
        added[place] = added_spread(indptr, indices, data, table, counts, example)
    waiting = np.ones(size, np.bool_)
    bounds = np.zeros(size, np.float64)
    taken = np.zeros(number, np.int64)
    looked_at = 0
    for step in range(number):
        best, highest = -1, -np.inf
        for place in range(size):
            if waiting[place]:
                bounds[place] = entropy(sums[0] + widths[place], sums[1] + added[place])
                if bounds[place] > highest:
                    best, highest = place, bounds[place]
        added[best] = added_spread(indptr, indices, data, table, counts, order[best])
        highest = entropy(sums[0] + widths[best], sums[1] + added[best])
        looked_at += 1
        first = best
        for place in range(size):
            if not waiting[place] or place == first:
                continue
            if bounds[place] < highest or (bounds[place] == highest and place > best):
                continue
            added[place] = added_spread(indptr, indices, data, table, counts, order[place])
            reached = entropy(sums[0] + widths[place], sums[1] + added[place])
            looked_at += 1
            if reached > highest or (reached == highest and place < best):
                best, highest = place, reached
        waiting[best] = False
        taken[step] = best
        sums[0] += widths[best]
        sums[1] += added[best]
        example = order[best]
        for entry in range(indptr[example], indptr[example + 1]):
            counts[indices[entry]] += data[entry]
    return taken, looked_at
