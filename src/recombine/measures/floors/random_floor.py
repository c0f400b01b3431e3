"""The floor of a compound divergence: the mean and the spread of random splits of the same sizes.

A divergence by itself says little: with many rare compounds that of a random split is high too. Its floor is what
random splits of the data have; its ceiling is 1, where train and test share no compound. How much of that can be had
depends on the data, and only a search tells: `split --by mcd` and `--by tmcd` report the best that they found.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

SPREADS = 2
"""How many spreads above the mean of random splits a split that was made to be hard should be."""

_NOISE = 1e-9
"""Sums of the same numbers in another order may differ by less."""


@dataclass(frozen=True)
class RandomFloor:
    """The mean of the divergences of random splits, their sample standard deviation, and how many they are."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, divergences: NDArray[np.float64]) -> RandomFloor | None:
        """The floor that these divergences give; none where they are fewer than two.

        >>> RandomFloor.of(np.array([0.1, 0.2, 0.3]))
        RandomFloor(mean=0.2, sd=0.1, n=3)
        """
        if len(divergences) < 2:
            return None
        mean, sd = np.mean(divergences), np.std(divergences, ddof=1)
        return cls(float(round(mean, 12)), float(round(sd, 12)), len(divergences))

    def to_dict(self) -> dict[str, Any]:
        """What JSON has."""
        return asdict(self)

    @property
    def bound(self) -> float:
        """The divergence that a split must be above to be harder than random ones."""
        return self.mean + SPREADS * self.sd


def floor_text(floor: Mapping[str, Any]) -> str:
    """Mean and spread, with a digit more where the spread would be 0.

    >>> floor_text({"mean": 0.1912, "sd": 0.0098, "n": 20}), floor_text({"mean": 0.0441, "sd": 0.001, "n": 20})
    ('0.19 ± 0.01', '0.044 ± 0.001')
    """
    digits = 2 if round(floor["sd"], 2) > 0 else 3
    return f"{floor['mean']:.{digits}f} ± {floor['sd']:.{digits}f}"


def no_harder(divergence: float, floor: RandomFloor) -> str | None:
    """The warning of a split that was made to be hard and is not; none where it is harder than random splits.

    >>> no_harder(0.183, RandomFloor(0.19, 0.01, 20))[:75]
    'D_C 0.183 is within two spreads of random splits of the same sizes (0.19 ± '
    """
    if divergence > floor.bound + _NOISE:
        return None
    below = divergence < floor.mean - SPREADS * floor.sd - _NOISE
    where = "below that" if below else "within two spreads"
    return (
        f"D_C {divergence:.3f} is {where} of random splits of the same sizes ({floor_text(floor.to_dict())}): "
        "by its compounds, this split is no harder than a random one"
    )
