"""Means over the cells of a study, beside the numbers of a paper where the study file gives them."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.explained import explained
from recombine.studies.read_record import DONE, FAILED
from recombine.studies.results import read_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.explained import Explained
    from recombine.studies.plan import Cell, Plan
    from recombine.studies.study_file import PaperTable

LEVEL = 0.95


@dataclass(frozen=True)
class Result:
    """A cell of the plan with its record, where it has one."""

    cell: Cell
    record: dict[str, Any] | None

    @property
    def state(self) -> str:
        """Whether it is done, failed or still to do."""
        return "to do" if self.record is None else str(self.record["state"])

    @property
    def accuracy(self) -> float | None:
        """The exact match in percent."""
        if self.record is None or self.record["state"] != DONE:
            return None
        return 100 * float(self.record["score"]["exact_match"])

    @property
    def measured(self) -> Mapping[str, Any]:
        """What was measured on its split, as the record says where the split is not at hand."""
        if self.cell.split is not None:
            return self.cell.split.measured
        return {} if self.record is None else self.record["split"]["measured"] or {}

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the parts of its split, as far as they are known."""
        if self.cell.split is not None:
            return self.cell.split.sizes()
        return {} if self.record is None else self.record["split"]["sizes"] or {}

    @property
    def divergence(self) -> float | None:
        """The compound divergence of its split, where it was measured."""
        found = self.measured.get("compound_divergence")
        return None if found is None else float(found)


@dataclass(frozen=True)
class Mean:
    """A mean over cells, with half the width of its interval where there are two cells or more."""

    n: int
    mean: float | None
    interval: float | None
    paper: PaperTable | None = None
    failed: int = 0
    to_do: int = 0


@dataclass(frozen=True)
class Row:
    """One line of the table: splits that belong together, and a mean for each model."""

    label: str
    groups: tuple[str, ...]
    divergence: float | None
    means: dict[str, Mean]


def read_results(plan: Plan) -> list[Result]:
    """Every cell of the plan with its record."""
    return [Result(cell, read_result(plan.results, cell.key)) for cell in plan.cells]


def mean_interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The mean, and half of its interval by Student's t over replicates and splits.

    >>> mean, half = mean_interval([1.0, 2.0, 3.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    """
    if not values:
        return None, None
    if len(values) == 1:
        return values[0], None
    from scipy import stats

    spread = statistics.stdev(values) / len(values) ** 0.5
    return statistics.fmean(values), float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)) * spread


def summarise(plan: Plan, results: Sequence[Result]) -> list[Row]:
    """A row for each group of splits, then one for each combination of groups that a paper gives a number for."""
    labels = [data.label for data in plan.study.data]
    rows = []
    for data in labels:
        here = [result for result in results if result.cell.data == data]
        named: dict[tuple[str, ...], str] = {(r.cell.recipe.group,): r.cell.recipe.group for r in here}
        for paper in plan.study.paper:
            named.setdefault(tuple(paper.splits), paper.label or " + ".join(paper.splits))
        front = f"{data}: " if len(labels) > 1 else ""
        for group, label in named.items():
            found = [result for result in here if result.cell.recipe.group in group]
            if found:
                rows.append(_row(plan, f"{front}{label}", group, found))
    return rows


def _row(plan: Plan, label: str, groups: tuple[str, ...], results: Sequence[Result]) -> Row:
    measured = {r.cell.recipe.name: r.divergence for r in results if r.divergence is not None}
    means = {}
    for model in plan.study.model:
        mine = [result for result in results if result.cell.model.name == model.label]
        states = Counter(result.state for result in mine)
        mean, half = mean_interval([r.accuracy for r in mine if r.accuracy is not None])
        paper = next((p for p in plan.study.paper if p.model == model.label and tuple(p.splits) == groups), None)
        means[model.label] = Mean(states[DONE], mean, half, paper, states[FAILED], states["to do"])
    return Row(label, groups, statistics.fmean(measured.values()) if measured else None, means)


def correlations(results: Sequence[Result]) -> dict[str, Explained]:
    """For each model, how divergence explains the mean accuracy of splits: Pearson's and Spearman's correlation, R².

    Models with fewer than three splits, or splits that are all alike in either, have none.
    """
    found: dict[str, dict[tuple[str, str], tuple[float, list[float]]]] = {}
    for result in results:
        if result.accuracy is not None and result.divergence is not None:
            splits = found.setdefault(result.cell.model.name, {})
            name = (result.cell.data, result.cell.recipe.name)
            splits.setdefault(name, (result.divergence, []))[1].append(result.accuracy)
    made = {}
    for model, splits in found.items():
        if len(splits) > 2:
            means = [statistics.fmean(values) for _, values in splits.values()]
            one = explained(means, {"divergence": [divergence for divergence, _ in splits.values()]})["divergence"]
            if one.pearson is not None:
                made[model] = one
    return made


def mean_text(mean: float | None, interval: float | None) -> str:
    """A mean as it is shown.

    >>> mean_text(97.25, 1.0), mean_text(50.0, None), mean_text(None, None)
    ('97.2 ± 1.0', '50.0', '–')
    """
    if mean is None:
        return "–"
    return f"{mean:.1f}" if interval is None else f"{mean:.1f} ± {interval:.1f}"
