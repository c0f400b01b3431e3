"""Whether two systems differ on the same questions, each with several runs: means of runs, paired question by question.

The unit is the question: of each, the mean over the runs of one system is set beside that of the other. The p-value is
of a permutation test that changes the sign of each question's difference with equal chance (Fisher, 1935); the interval
is of a bootstrap over questions. Both say how sure a difference is on other questions of this kind, with these runs.
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

_AT_ONCE = 250
"""Draws that are made together, so that memory stays small."""


@dataclass(frozen=True)
class PairedMeans:
    """A first system, a second, and the second less the first."""

    n: int
    runs: tuple[int, int]
    first: float
    second: float
    interval: tuple[float, float]
    """Of the difference."""
    p_value: float

    @property
    def difference(self) -> float:
        """The second's mean less the first's."""
        return self.second - self.first

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        values = {**asdict(self), "runs": list(self.runs), "interval": list(self.interval)}
        return {**values, "difference": self.difference}


def paired_means(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]], *, seed: int = 0, draws: int = RESAMPLES
) -> PairedMeans:
    """Compare two systems; each is a list of runs, and each run a value for every question, in the same order.

    >>> right, wrong = [1.0] * 12, [0.0] * 12
    >>> found = paired_means([wrong, wrong], [right])
    >>> found.difference, found.interval, found.p_value < 0.01
    (1.0, (1.0, 1.0), True)
    >>> paired_means([right], [right]).p_value
    1.0
    """
    one, other = _mean_of_runs(first), _mean_of_runs(second)
    if len(one) != len(other):
        raise OptionError(f"{len(one)} questions beside {len(other)}", "compare systems on the same questions")
    gaps = other - one
    return PairedMeans(
        len(gaps),
        (len(first), len(second)),
        float(one.mean()),
        float(other.mean()),
        _interval(gaps, seed, draws),
        _p_value(gaps, seed, draws),
    )


def _mean_of_runs(runs: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    sizes = {len(run) for run in runs}
    if len(sizes) != 1 or sizes == {0}:
        raise OptionError(f"runs of {sorted(sizes) or 'no'} questions", "give runs on the same questions, one or more")
    means: NDArray[np.float64] = np.asarray(runs, np.float64).mean(axis=0)
    return means


def _p_value(gaps: NDArray[np.float64], seed: int, draws: int) -> float:
    """The share of sign changes with as large a sum, the one that was seen among them."""
    moved = gaps[gaps != 0]
    if not len(moved):
        return 1.0
    generator = make_generator(seed)
    seen, extreme = abs(moved.sum()) - 1e-9, 1
    for begin in range(0, draws, _AT_ONCE):
        signs = generator.integers(0, 2, (min(_AT_ONCE, draws - begin), len(moved))) * 2 - 1
        extreme += int((np.abs(signs @ moved) >= seen).sum())
    return extreme / (draws + 1)


def _interval(gaps: NDArray[np.float64], seed: int, draws: int) -> tuple[float, float]:
    generator = make_generator(seed)
    values, counts = np.unique(gaps.round(9), return_counts=True)
    drawn = generator.multinomial(len(gaps), counts / len(gaps), draws) @ values / len(gaps)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
