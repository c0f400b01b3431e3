"""How much of the accuracy on different splits a measure explains (CFQ paper, §5.2).

R² is that of the least-squares line of accuracy over the measure: the square of Pearson's correlation. Spearman's is
Pearson's of the ranks, ties averaged; it asks for no line, only for order. Each split counts once, with its mean over
replicates, unless the caller gives single replicates.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.evaluation.statistics.auc import pearson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Explained:
    """The line of accuracy over one measure; none of its values exist where either does not vary."""

    r_squared: float | None
    pearson: float | None
    spearman: float | None
    slope: float | None
    intercept: float | None
    n: int

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def explained(accuracies: Sequence[float], measures: Mapping[str, Sequence[float | None]]) -> dict[str, Explained]:
    """What each measure explains of the accuracies, which are in the same order of splits.

    >>> by_measure = explained([100.0, 60.0, 20.0], {"divergence": [0.0, 0.3, 0.7], "length_ratio": [1.0, 1.0, 1.0]})
    >>> round(by_measure["divergence"].r_squared, 3), by_measure["length_ratio"].r_squared
    (0.993, None)
    """
    return {name: _explained(name, accuracies, values) for name, values in measures.items()}


def _explained(name: str, accuracies: Sequence[float], values: Sequence[float | None]) -> Explained:
    if len(values) != len(accuracies):
        raise OptionError(f"{len(accuracies)} accuracies beside {len(values)} values of {name}", "give one per split")
    if len(values) < 3:
        raise OptionError(f"{len(values)} splits are too few to fit a line to {name}", "give three or more")
    x = np.array([np.nan if value is None else value for value in values], np.float64)
    y = np.asarray(accuracies, np.float64)
    bad = np.flatnonzero(~np.isfinite(x) | ~np.isfinite(y))
    if len(bad):
        raise OptionError(f"split {int(bad[0]) + 1} of {len(values)} has no accuracy or no {name}", "leave it out")
    correlation = pearson(x.tolist(), y.tolist())
    if correlation is None:
        return Explained(None, None, None, None, None, len(values))
    from scipy.stats import rankdata

    slope = correlation * float(y.std() / x.std())
    return Explained(
        correlation**2,
        correlation,
        pearson(rankdata(x).tolist(), rankdata(y).tolist()),
        slope,
        float(y.mean()) - slope * float(x.mean()),
        len(values),
    )
