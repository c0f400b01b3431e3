"""Draws from a pool in which what was drawn becomes less likely (GrailQA, section 3.1).

All weights are equal at first; each time one of the pool is drawn, its weight is divided by a divisor. Weights are kept
as the number of times that each was drawn, so that nothing runs out of the range of floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    import numpy as np


class ControlledPool:
    """A pool of so many things, each by its place.

    >>> import numpy as np
    >>> pool, rng = ControlledPool(3, 10), np.random.default_rng(1)
    >>> [pool.draw(rng) for _ in range(6)], pool.weights()
    ([1, 2, 0, 2, 0, 1], [1.0, 1.0, 1.0])
    """

    def __init__(self, size: int, divisor: float) -> None:
        if size < 1:
            raise ValueError("a pool has one thing or more")
        self.divisor = check_divisor(divisor)
        self.drawn = [0] * size
        """How often each was drawn."""

    def weights(self) -> list[float]:
        """The weights as they stand, that of what was drawn least being 1."""
        least = min(self.drawn)
        return [float(self.divisor ** (least - times)) for times in self.drawn]

    def draw(self, rng: np.random.Generator) -> int:
        """The place of one of them, which is less likely from now on."""
        weights = self.weights()
        left = rng.random() * sum(weights)
        chosen = len(weights) - 1
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                chosen = place
                break
        self.drawn[chosen] += 1
        return chosen


def check_divisor(divisor: float) -> float:
    """The divisor of weights, when it is one; with 1 nothing becomes less likely."""
    if not 1 <= divisor < float("inf"):
        raise OptionError(f"weights cannot be divided by {divisor:g}", "give a number of 1 or more; 1 changes nothing")
    return divisor
