"""Random choices of one scene, all from one generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

T = TypeVar("T")


class Draws:
    """Chances, choices and whole numbers, each of one number of the generator."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._numbers = generator.random

    def chance(self, share: float) -> bool:
        """True in a share of the cases."""
        return self._numbers() < share

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._numbers() * (high - low + 1))

    def one_of(self, choices: Sequence[T]) -> T:
        """One of some, all alike."""
        return choices[int(self._numbers() * len(choices))]

    def by_share(self, shares: Mapping[T, float]) -> T:
        """One of some by their shares, which need not make 1."""
        point = self._numbers() * sum(shares.values())
        for each, share in shares.items():
            point -= share
            if point < 0:
                return each
        return list(shares)[-1]


def scene_draws(seed: int, place: int, purpose: int) -> Draws:
    """The choices of a scene for one purpose, which depend on nothing that other scenes or purposes drew."""
    import numpy as np

    return Draws(np.random.default_rng([seed, place, purpose]))
