"""Intervals: how far a share, or the difference of two, may be off for the size of the sample alone."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from recombine.errors import OptionError
from recombine.seeds import make_generator

LEVEL = 0.95
RESAMPLES = 10_000


def wilson(right: float, n: float, *, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson, 1927): it stays within 0 and 1 and is not empty at either end.

    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    if not 0 <= right <= n or n == 0:
        raise OptionError(f"{right} of {n} is no share", "count between 0 and n, with n of 1 or more")
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (right + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(right * (n - right) / n + z * z / 4)
    # At its ends the interval is closed by 0 and 1, but for rounding.
    return centre - half if right > 0 else 0.0, centre + half if right < n else 1.0


def newcombe(right: tuple[int, int], n: tuple[int, int], *, level: float = LEVEL) -> tuple[float, float]:
    """The interval of the first of two independent shares less the second, from Wilson's of each (Newcombe, 1998).

    >>> low, high = newcombe((56, 48), (70, 80))
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    samples = list(zip(right, n, strict=True))
    one, other = (count / size for count, size in samples)
    (low, high), (other_low, other_high) = (wilson(count, size, level=level) for count, size in samples)
    difference = one - other
    below = sqrt((one - low) ** 2 + (other_high - other) ** 2)
    above = sqrt((high - one) ** 2 + (other - other_low) ** 2)
    return difference - below, difference + above


def paired_bootstrap(
    gained: int, lost: int, n: int, *, seed: int, level: float = LEVEL, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """The percentile interval of the difference of two accuracies on the same n examples, which are drawn anew.

    `gained` examples are right in the second system only, `lost` in the first only. The difference depends on how
    often each of the three kinds is drawn and on nothing else, so their numbers are drawn instead of examples.

    >>> paired_bootstrap(30, 10, 100, seed=0)
    (0.08, 0.32)
    """
    if gained < 0 or lost < 0 or gained + lost > n or n == 0:
        raise OptionError(f"{gained} gained and {lost} lost of {n}", "count examples, with n of 1 or more")
    import numpy as np

    kinds = [gained / n, lost / n, (n - gained - lost) / n]
    drawn = make_generator(seed).multinomial(n, kinds, size=resamples)
    differences = (drawn[:, 0] - drawn[:, 1]) / n
    low, high = np.quantile(differences, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
