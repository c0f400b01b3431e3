"""How compound divergence, and beside it the ratios of lengths, explain accuracy over the splits of a study.

§5.2 of the CFQ paper sets R² of compound divergence (0.81 to 0.88 there) beside that of the ratios of source and target
lengths (0.11 to 0.22). Intervals of the correlation are over splits. Splits that lie in two groups of divergence,
random ones and hard ones, always lie near a line: what is said of them is no correlation, so that at least three groups
are asked for.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.statistics.correlation_intervals import correlation_intervals
from recombine.evaluation.statistics.explained import explained

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.evaluation.statistics.correlation_intervals import CorrelationIntervals
    from recombine.evaluation.statistics.explained import Explained
    from recombine.studies.tables.summary import CellResult

APART = 0.05
"""How far the divergences of two groups of splits are apart, at the least."""
GROUPS = 3
"""The fewest groups that a correlation is shown for."""
SIDES = ("source", "target")


@dataclass(frozen=True)
class Correlation:
    """What divergence and ratios of lengths explain of one model's accuracy; nothing where `why_not` says why."""

    splits: int
    groups: int
    """Groups of divergences at least 0.05 apart."""
    divergence: Explained | None = None
    lengths: Mapping[str, Explained | None] | None = None
    """By side; none for a side that was not measured on every split."""
    intervals: CorrelationIntervals | None = None
    """Of the correlations with divergence, over splits."""
    why_not: str = ""

    def length_r_squared(self, side: str) -> float | None:
        """R² of the ratio of lengths of one side."""
        length = None if self.lengths is None else self.lengths[side]
        return None if length is None else length.r_squared

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        divergence, intervals = self.divergence, self.intervals
        return {
            "splits": self.splits,
            "groups": self.groups,
            "r": None if divergence is None else divergence.pearson,
            "spearman": None if divergence is None else divergence.spearman,
            "r_interval": None if intervals is None else intervals.pearson,
            "spearman_interval": None if intervals is None else intervals.spearman,
            "draws": None if intervals is None else intervals.draws,
            "undefined_draws": None if intervals is None else intervals.undefined,
            "r_squared": None if divergence is None else divergence.r_squared,
            **{f"r_squared_{side}_length_ratio": self.length_r_squared(side) for side in SIDES},
            "not_shown": self.why_not or None,
        }


def divergence_groups(divergences: Iterable[float]) -> int:
    """The most of these divergences of which no two are nearer than 0.05.

    >>> divergence_groups([0.043, 0.045, 0.734, 0.736, 0.746]), divergence_groups([0.1, 0.15, 0.2])
    (2, 3)
    """
    groups, low = 0, float("-inf")
    for divergence in sorted(divergences):
        # Less a little, so that 0.10 and 0.15 are apart although their difference in floats is below 0.05.
        if divergence - low >= APART - 1e-9:
            groups, low = groups + 1, divergence
    return groups


def correlations(results: Sequence[CellResult]) -> dict[str, Correlation]:
    """For each model with results on measured splits, what explains the mean accuracy of its splits."""
    results_by_model: dict[str, dict[tuple[str, str], list[CellResult]]] = {}
    for result in results:
        if result.accuracy is not None and result.divergence is not None:
            splits = results_by_model.setdefault(result.cell.model.name, {})
            splits.setdefault((result.cell.data, result.cell.recipe.name), []).append(result)
    return {model: _correlation(list(splits.values())) for model, splits in results_by_model.items()}


def _correlation(splits: Sequence[Sequence[CellResult]]) -> Correlation:
    means = [statistics.fmean(run.accuracy for run in runs if run.accuracy is not None) for runs in splits]
    divergences = [float(runs[0].divergence or 0.0) for runs in splits]
    groups = divergence_groups(divergences)
    if groups < GROUPS:
        made = f"{len(splits)} splits make {groups}" if len(splits) > 1 else "1 split makes 1"
        groups_made = f"{made} group{'' if groups == 1 else 's'} of divergence at least {APART} apart"
        return Correlation(len(splits), groups, why_not=f"{groups_made}, and a correlation needs {GROUPS}")
    by_divergence = explained(means, {"divergence": divergences})["divergence"]
    if by_divergence.pearson is None:
        return Correlation(len(splits), groups, why_not="the mean accuracy is the same on all splits")
    lengths = {side: _explained_by_length(means, [runs[0].length_ratio(side) for runs in splits]) for side in SIDES}
    return Correlation(len(splits), groups, by_divergence, lengths, correlation_intervals(divergences, means))


def _explained_by_length(means: Sequence[float], ratios: Sequence[float | None]) -> Explained | None:
    return None if None in ratios else explained(means, {"ratio": ratios})["ratio"]
