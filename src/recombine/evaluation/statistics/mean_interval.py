"""The interval of a mean of values between 0 and 1."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import LEVEL


def mean_interval(total: float, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval with the sum of the values in the place of a count.

    Values between 0 and 1 vary at most as much as ones and zeros of the same mean do, so that it is never too narrow,
    and for ones and zeros it is Wilson's own.

    >>> low, high = mean_interval(8.0, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    if n < 1 or not 0 <= total <= n:
        raise OptionError(f"{total:g} is no sum of {n} values between 0 and 1", "give one value or more")
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (total + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(total * (n - total) / n + z * z / 4)
    return centre - half if total > 0 else 0.0, centre + half if total < n else 1.0
