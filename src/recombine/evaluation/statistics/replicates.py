"""Means over replicates and splits, with 95 % intervals by Student's t.

Over the replicates of one split the interval is the t interval of their mean. Over several splits there are two:

    within   the mean over splits of the half-widths within each: how far training chance alone moves the mean. None
             where a split has a single value: random splits with one seed each are one sample, so ask for `pooled`
    pooled   the t interval of all values as one sample, which also takes in how far splits differ

Table 4 of the CFQ paper prints the first, up to rounding: beside 34.9 ± 1.1, 8.2 ± 0.3 and 10.6 ± 1.1 for the
Transformer on the three MCD splits (README of the CFQ release) stands 17.9 ± 0.9, where pooled it would be above 6.
Where splits are alike the two are close. Either way the mean is over all values, so that each split counts as often as
it was replicated.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.statistics.intervals import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INTERVALS = ("within", "pooled")


@dataclass(frozen=True)
class Replicates:
    """The mean of replicated values."""

    mean: float
    half_width: float | None
    """Half of the interval; none where there is only one value to judge from."""
    n: int
    splits: int = 1
    interval: str = "replicates"

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {'–' if self.half_width is None else format(self.half_width, '.1f')}"

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def over_replicates(values: Sequence[float], *, level: float = LEVEL) -> Replicates:
    """The mean over the replicates of one split.

    >>> print(over_replicates([98.0, 99.0, 100.0]))
    99.0 ± 2.5
    """
    _check(values, level)
    return Replicates(fmean(values), _half_width(values, level), len(values))


def over_splits(values: Mapping[str, Sequence[float]], *, interval: str = "within", level: float = LEVEL) -> Replicates:
    """The mean over splits and their replicates.

    >>> accuracies = {"mcd1": [30.0, 31.0, 32.0], "mcd2": [8.0, 9.0, 10.0]}
    >>> print(over_splits(accuracies), over_splits(accuracies, interval="pooled"), sep=", ")
    20.0 ± 2.5, 20.0 ± 12.7
    """
    if interval not in INTERVALS:
        raise UnknownNameError("interval over splits", interval, INTERVALS)
    if not values:
        raise OptionError("there are no splits to take the mean over", "give at least one")
    for replicates in values.values():
        _check(replicates, level)
    every = [value for replicates in values.values() for value in replicates]
    widths = [_half_width(replicates, level) for replicates in values.values()]
    known = [width for width in widths if width is not None]
    if interval == "pooled":
        half_width = _half_width(every, level)
    else:
        half_width = fmean(known) if len(known) == len(widths) else None
    return Replicates(fmean(every), half_width, len(every), len(values), interval)


def _check(values: Sequence[float], level: float) -> None:
    if not values or not all(map(isfinite, values)):
        raise OptionError(f"{list(values)} cannot be averaged", "give at least one value, and numbers only")
    if not 0 < level < 1:
        raise OptionError(f"an interval cannot have the level {level}", "give a share between 0 and 1")


def _half_width(values: Sequence[float], level: float) -> float | None:
    if len(values) < 2:
        return None
    from scipy.stats import t

    return float(t.ppf((1 + level) / 2, len(values) - 1)) * stdev(values) / sqrt(len(values))
