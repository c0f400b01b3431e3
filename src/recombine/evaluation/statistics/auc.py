"""How well a score tells right from wrong: the area under the curve, pooled and within splits, with intervals.

The area is the share of pairs of one right and one wrong example in which the right one has the higher score; equal
scores count one half. Pooled over many splits it also rewards a rule that only knows which splits are hard. Within
splits, only pairs of one split count. The constant rule, which gives every example the mean of its split, has exactly
one half within splits: what it has pooled is what telling splits apart is worth. Intervals resample whole splits. The
curve itself says how many right and wrong examples are at least that easy, for every easiness.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

REPEATS = 1000
LEVEL = 0.95


def auc(scores: Sequence[float] | NDArray[np.float64], labels: Sequence[int] | NDArray[np.int8]) -> float | None:
    """The area under the curve; labels other than 0 and 1 are left out; none where one of the two is missing.

    >>> auc([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1])
    0.875
    """
    check_same_length(scores, labels, "labels")
    wins, pairs = _wins(np.asarray(scores, np.float64), np.asarray(labels))
    return wins / pairs if pairs else None


def roc_curve(
    scores: Sequence[float] | NDArray[np.float64], labels: Sequence[int] | NDArray[np.int8]
) -> list[tuple[float, float]] | None:
    """Shares of wrong and of right examples, from (0, 0) to (1, 1); none where there are no right or no wrong ones.

    Examples of one easiness make one step, sideways and up at once, which is what counts a tie as one half. Labels
    other than 0 and 1 are left out.

    >>> roc_curve([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1])
    [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]
    """
    check_same_length(scores, labels, "labels")
    values, which = np.asarray(scores, np.float64), np.asarray(labels)
    levels = np.unique(values[(which == 0) | (which == 1)])[::-1]
    right, wrong = np.sort(values[which == 1]), np.sort(values[which == 0])
    if not len(right) or not len(wrong):
        return None
    sides = [(len(group) - np.searchsorted(group, levels, "left")) / len(group) for group in (wrong, right)]
    return [(0.0, 0.0), *zip(sides[0].tolist(), sides[1].tolist(), strict=True)]


def _wins(scores: NDArray[np.float64], labels: NDArray[Any]) -> tuple[float, int]:
    """Pairs in which the right example is above, halves for equal ones, and all pairs."""
    right, wrong = scores[labels == 1], np.sort(scores[labels == 0])
    below, up_to = np.searchsorted(wrong, right, "left"), np.searchsorted(wrong, right, "right")
    return float(below.sum() + up_to.sum()) / 2, len(right) * len(wrong)


@dataclass(frozen=True)
class AreaUnderCurve:
    """An area with its interval, and the counts without which it says little."""

    pooled: float | None
    low: float | None
    high: float | None
    within: float | None
    """Over pairs of one split."""
    within_low: float | None
    within_high: float | None
    positives: int
    negatives: int
    dropped: int
    """Examples without a label: ties, or models that disagree."""
    splits: int
    mixed_splits: int
    """Splits with both right and wrong examples; only they count within splits."""
    undefined: int = 0
    """Resamples without an area, because right or wrong examples were missing; the interval leaves them out."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def area_under_curve(
    scores: Sequence[NDArray[np.float64]] | NDArray[np.float64],
    labels: NDArray[np.int8],
    splits: Sequence[object],
    *,
    seed: int = 0,
    repeats: int = REPEATS,
) -> AreaUnderCurve:
    """Areas of a score, or the means of the areas of several (say, one for each sample of training sets).

    >>> area = area_under_curve(np.array([0.9, 0.1, 0.3, 0.2]), np.array([1, 0, 1, 0]), ["a", "a", "b", "b"])
    >>> area.pooled, area.within, area.negatives
    (1.0, 1.0, 2)
    """
    table = np.atleast_2d(np.asarray(scores, np.float64))
    check_same_length(table[0], labels, "labels")
    check_same_length(table[0], splits, "splits")
    if repeats < 1:
        raise OptionError(f"cannot resample {repeats} times", "give a count of 1 or more")
    number: dict[object, int] = {}
    which = np.array([number.setdefault(split, len(number)) for split in splits], np.int64)
    rows = [np.flatnonzero(which == split) for split in range(len(number))]
    inner = np.array([[_wins(line[part], labels[part]) for part in rows] for line in table])
    everything = np.arange(len(labels))
    generator = make_generator(seed)
    draws = [generator.integers(0, len(rows), len(rows)) for _ in range(repeats)]
    pooled = [_mean_area(table, labels, np.concatenate([rows[split] for split in draw])) for draw in draws]
    within = [_within(inner[:, draw]) for draw in draws]
    low, high = _interval(pooled)
    within_low, within_high = _interval(within)
    return AreaUnderCurve(
        _mean_area(table, labels, everything),
        low,
        high,
        _within(inner),
        within_low,
        within_high,
        int(np.count_nonzero(labels == 1)),
        int(np.count_nonzero(labels == 0)),
        int(np.count_nonzero((labels != 0) & (labels != 1))),
        len(rows),
        int(np.count_nonzero(inner[0, :, 1])),
        sum(value is None for value in pooled),
    )


def _mean_area(table: NDArray[np.float64], labels: NDArray[np.int8], rows: NDArray[np.int64]) -> float | None:
    tallies = [_wins(line[rows], labels[rows]) for line in table]
    return float(np.mean([wins / pairs for wins, pairs in tallies])) if tallies[0][1] else None


def _within(inner: NDArray[np.float64]) -> float | None:
    """From wins and pairs of every score and split."""
    wins, pairs = inner[:, :, 0].sum(axis=1), inner[:, :, 1].sum(axis=1)
    return float(np.mean(wins / pairs)) if pairs[0] else None


def _interval(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    known = [value for value in values if value is not None]
    if not known:
        return None, None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; none where one of the two does not vary.

    >>> round(pearson([1, 2, 3], [2, 4, 7]), 3)
    0.993
    """
    check_same_length(one, other, "values")
    a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / spread if spread > 0 else None


def check_same_length(scores: Sequence[Any] | NDArray[Any], others: Sequence[Any] | NDArray[Any], what: str) -> None:
    """Refuse lists that do not belong together."""
    if len(scores) != len(others):
        raise OptionError(f"there are {len(scores)} scores and {len(others)} {what}", "give one for each example")
