"""How sure a correlation over splits is: intervals of Pearson's and Spearman's by a bootstrap over the splits.

As many splits as there are, drawn with repetition, give a correlation each; the interval is the middle of these. A draw
in which one of the two values does not vary has none: it is left out and counted. With few splits the interval is
narrower than it should be, as with any bootstrap.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import LEVEL, RESAMPLES
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Interval = tuple[float, float]


@dataclass(frozen=True)
class CorrelationIntervals:
    """The middle 95 % of the correlations of all draws; none where no draw has one."""

    pearson: Interval | None
    spearman: Interval | None
    draws: int
    undefined: int
    """Draws that have no correlation."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


def correlation_intervals(
    one: Sequence[float], other: Sequence[float], *, seed: int = 0, draws: int = RESAMPLES, level: float = LEVEL
) -> CorrelationIntervals:
    """The intervals of the correlations of two values over the same splits.

    >>> intervals = correlation_intervals([0.0, 0.1, 0.3, 0.6, 0.7], [100, 99, 95, 40, 4], draws=500)
    >>> [round(bound, 2) for bound in intervals.pearson], intervals.undefined
    ([-1.0, -0.86], 1)
    """
    from scipy.stats import rankdata

    if len(one) != len(other):
        raise OptionError(f"{len(one)} values beside {len(other)}", "give both of every split")
    if len(one) < 3:
        raise OptionError(f"{len(one)} splits are too few for a correlation", "give three or more")
    x, y = np.asarray(one, np.float64), np.asarray(other, np.float64)
    rows = make_generator(seed).integers(0, len(x), (draws, len(x)))
    drawn_x, drawn_y = x[rows], y[rows]
    varying = (np.ptp(drawn_x, axis=1) > 0) & (np.ptp(drawn_y, axis=1) > 0)
    drawn_x, drawn_y = drawn_x[varying], drawn_y[varying]
    return CorrelationIntervals(
        _middle(_pearsons(drawn_x, drawn_y), level),
        _middle(_pearsons(rankdata(drawn_x, axis=1), rankdata(drawn_y, axis=1)), level),
        draws,
        int(draws - varying.sum()),
    )


def _pearsons(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's correlation of each row."""
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    values: NDArray[np.float64] = (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return values.clip(-1.0, 1.0)


def _middle(values: NDArray[np.float64], level: float) -> Interval | None:
    if not len(values):
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
