"""Which examples a replica sees at which step: its rows, shuffled anew for each pass, twins side by side.

A pass is a row of couples: twins, and examples without a twin put together as they come. So a batch of an even size
never parts twins. Where one example is left over, it is coupled with another that then comes twice in this pass.
Batches go on from one pass into the next, so that every one of them is full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Deck:
    """The examples of one replica in the order of its seed.

    >>> deck = Deck(np.array([4, 5, 6, 7]), np.array([1, 2, 1, 2]), seed=0)
    >>> sorted(map(sorted, deck.deal(0, 2).reshape(-1, 2).tolist()))
    [[4, 6], [5, 7]]
    """

    def __init__(self, rows: Ints, pair: Ints | None, seed: int) -> None:
        if len(rows) == 0:
            raise OptionError("there is nothing to train on", "give a split whose train part is not empty")
        self.seed = seed
        self.twins, self.single = _couples(rows, pair)
        self.couples = len(self.twins) + -(-len(self.single) // 2)

    def deal(self, start: int, couples: int) -> Ints:
        """The rows of so many couples, from this one of all passes on: (couples, 2)."""
        passes = range(start // self.couples, -(-(start + couples) // self.couples))
        dealt = np.concatenate([self._shuffled(number) for number in passes])
        begin = start - passes.start * self.couples
        return dealt[begin : begin + couples]

    def _shuffled(self, number: int) -> Ints:
        """The couples of one pass."""
        generator = make_generator((self.seed << 64) + number)
        single = generator.permutation(self.single)
        if len(single) % 2:
            single = np.append(single, single[0])
        every = np.concatenate([self.twins, single.reshape(-1, 2)])
        return every[generator.permutation(len(every))]


def _couples(rows: Ints, pair: Ints | None) -> tuple[Ints, Ints]:
    """The twins among rows (n, 2), and the rows without a twin; more than two of a kind are cut into couples."""
    if pair is None:
        return np.zeros((0, 2), dtype=np.int64), rows.astype(np.int64)
    order = np.lexsort((rows, pair))
    rows, pair = rows[order].astype(np.int64), pair[order]
    starts = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]])
    sizes = np.diff(np.r_[starts, len(pair)])
    place = np.arange(len(pair)) - np.repeat(starts, sizes)
    size = np.repeat(sizes, sizes)
    first = (pair >= 0) & (place % 2 == 0) & (place + 1 < size)
    at = np.flatnonzero(first)
    alone = np.ones(len(rows), dtype=bool)
    alone[at] = alone[at + 1] = False
    return np.stack([rows[at], rows[at + 1]], 1), rows[alone]
