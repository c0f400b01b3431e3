"""The batches of a pass over training rows: drawn, with rows of about one length together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.seeds import make_generator

if TYPE_CHECKING:
    from numpy.typing import NDArray

WINDOW = 16
"""Batches whose rows are sorted by length among themselves."""


def epoch_batches(
    rows: NDArray[np.int64], sizes: NDArray[np.int64], batch: int, seed: int, epoch: int
) -> list[NDArray[np.int64]]:
    """The rows in batches, drawn by the seed and the number of the pass; `sizes` are the lengths of the rows.

    >>> [part.tolist() for part in epoch_batches(np.arange(4), np.array([9, 1, 9, 1]), 2, seed=0, epoch=1)]
    [[1, 3], [0, 2]]
    """
    generator = make_generator((seed << 64) + (1 << 48) + epoch)
    order = generator.permutation(len(rows))
    made = []
    for low in range(0, len(order), batch * WINDOW):
        some = order[low : low + batch * WINDOW]
        some = some[np.argsort(sizes[some], kind="stable")]
        made += [rows[some[first : first + batch]] for first in range(0, len(some), batch)]
    return [made[at] for at in generator.permutation(len(made))]
