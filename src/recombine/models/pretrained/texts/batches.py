"""Which examples a step sees: every pass is shuffled, and examples of like length share a batch.

What a step sees follows from the seed and the step's number alone, so training can go on from any step.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

POOL = 16
"""Batches that are sorted by length together."""


class Batches:
    """The batches of all steps.

    >>> batches = Batches([3, 1, 2, 9, 8], size=2, seed=0)
    >>> sorted(row for step in range(3) for row in batches.rows(step))
    [0, 1, 2, 3, 4]
    """

    def __init__(self, lengths: Sequence[int], *, size: int, seed: int) -> None:
        self.lengths, self.size, self.seed = lengths, size, seed
        self.each_pass = ceil(len(lengths) / size)
        self._pass = lru_cache(maxsize=2)(self._make_pass)

    def rows(self, step: int) -> list[int]:
        """The examples of a step counted from 0."""
        return self._pass(step // self.each_pass)[step % self.each_pass]

    def _make_pass(self, number: int) -> list[list[int]]:
        generator = make_generator((self.seed << 64) + number)
        order = generator.permutation(len(self.lengths)).tolist()
        batches = []
        for start in range(0, len(order), POOL * self.size):
            pool = sorted(order[start : start + POOL * self.size], key=lambda row: self.lengths[row])
            batches += [pool[at : at + self.size] for at in range(0, len(pool), self.size)]
        return [batches[place] for place in generator.permutation(len(batches)).tolist()]
