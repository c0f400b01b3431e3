"""Means over the cells of a study, beside the numbers of a paper where the study file gives them.

Each interval is of a named kind (`evaluation/replicates.py`): `within` splits where each has several runs, as in Table
4 of the CFQ paper; `pooled` where the paper's is, or where a split has a single run, as random splits of one seed have.
"""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.statistics.replicates import over_replicates, over_splits
from recombine.studies.cells.read_record import DONE, FAILED, main_metric
from recombine.studies.cells.results import read_result
from recombine.studies.file.recipe import iter_recipes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan
    from recombine.studies.file.study_file import PaperTable, StudyFile

KINDS = {
    "within": "the mean of the half-widths of each split: how far training chance alone moves the mean",
    "pooled": "of all runs as one sample, which also holds how far splits differ",
}
"""The kinds of intervals, in words."""


@dataclass(frozen=True)
class CellResult:
    """A cell of the plan with its record, where it has one."""

    cell: Cell
    record: dict[str, Any] | None

    @property
    def state(self) -> str:
        """Whether it is done, failed or still to do."""
        return "to do" if self.record is None else str(self.record["state"])

    @property
    def accuracy(self) -> float | None:
        """The exact match in percent; the share that is right where the study compares in another way."""
        if self.record is None or self.record["state"] != DONE:
            return None
        return 100 * float(self.record["score"][main_metric(self.record)])

    @property
    def measured(self) -> Mapping[str, Any]:
        """What was measured on its split, as the record says where the split is not at hand."""
        if self.cell.split is not None:
            return self.cell.split.measured
        recorded = {} if self.record is None else self.record["split"]["measured"] or {}
        return self.cell.kept.measured if not recorded and self.cell.kept is not None else recorded

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the parts of its split, as far as they are known."""
        if self.cell.split is not None:
            return self.cell.split.sizes()
        recorded = {} if self.record is None else self.record["split"]["sizes"] or {}
        return self.cell.kept.sizes if not recorded and self.cell.kept is not None else recorded

    @property
    def divergence(self) -> float | None:
        """The compound divergence of its split, where it was measured."""
        value = self.measured.get("compound_divergence")
        return None if value is None else float(value)

    def length_ratio(self, side: str) -> float | None:
        """The ratio of the lengths of train and test, of their sources or targets, where it was measured."""
        ratio = (self.measured.get("length_ratio") or {}).get(side)
        return None if ratio is None else float(ratio)


@dataclass(frozen=True)
class Mean:
    """A mean over cells, with half the width of its interval and its kind where there are runs enough for one."""

    n: int
    mean: float | None
    interval: float | None
    interval_kind: str | None = None
    paper: PaperTable | None = None
    failed: int = 0
    to_do: int = 0


@dataclass(frozen=True)
class SummaryRow:
    """One line of the table: splits that belong together, and a mean for each model."""

    label: str
    groups: tuple[str, ...]
    divergence: float | None
    means: dict[str, Mean]


def read_results(plan: Plan) -> list[CellResult]:
    """Every cell of the plan with its record."""
    return [CellResult(cell, read_result(plan.results, cell.key)) for cell in plan.cells]


def mean_interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The mean over the replicates of one split, and half of its interval by Student's t.

    >>> mean, half = mean_interval([1.0, 2.0, 3.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    """
    if not values:
        return None, None
    estimate = over_replicates(values)
    return estimate.mean, estimate.half_width


def choose_kind(runs: Iterable[int], paper: str | None = None) -> str:
    """The kind of interval for splits with these numbers of runs: that of the paper beside it, where the runs allow it.

    >>> choose_kind([5, 5]), choose_kind([1, 1, 1]), choose_kind([5, 5], "pooled"), choose_kind([1, 1], "within")
    ('within', 'pooled', 'pooled', 'pooled')
    """
    return "within" if paper != "pooled" and all(number > 1 for number in runs) else "pooled"


def mean_over_splits(values: Mapping[str, Sequence[float]], kind: str) -> tuple[float | None, float | None, str | None]:
    """The mean over splits and their runs, half of its interval, and the kind of that where there is one.

    >>> mean_over_splits({"mcd1": [30.0, 31.0, 32.0], "mcd2": [8.0]}, "within")
    (25.25, None, None)
    """
    done = {split: runs for split, runs in values.items() if runs}
    if not done:
        return None, None, None
    estimate = over_splits(done, interval=kind)
    # A split that waits for its first run has no interval yet, so that none holds for all splits.
    half = estimate.half_width if kind == "pooled" or len(done) == len(values) else None
    return estimate.mean, half, None if half is None else kind


def summarise(plan: Plan, results: Sequence[CellResult]) -> list[SummaryRow]:
    """A row for each group of splits, then one for each combination of groups that a paper gives a number for."""
    labels = [data.label for data in plan.study.data]
    rows = []
    for data in labels:
        on_data = [result for result in results if result.cell.data == data]
        named: dict[tuple[str, ...], str] = {(r.cell.recipe.group,): r.cell.recipe.group for r in on_data}
        for paper in plan.study.paper:
            named.setdefault(tuple(paper.splits), paper.label or " + ".join(paper.splits))
        front = f"{data}: " if len(labels) > 1 else ""
        for group, label in named.items():
            grouped = [result for result in on_data if result.cell.recipe.group in group]
            if grouped or _has_left_out(plan, data, group):
                rows.append(_row(plan, data, f"{front}{label}", group, grouped))
    return rows


def _has_left_out(plan: Plan, data: str, group: tuple[str, ...]) -> bool:
    """Whether a paper has a number for a model on this data and splits that is left out: a row then says so."""
    recipes = (recipe for split in plan.study.split if split.splits_data(data) for recipe in iter_recipes(split, [0]))
    if not {*group} <= {recipe.group for recipe in recipes}:
        return False
    on_data = {model.label for model in plan.study.model if model.data is not None and data in model.data}
    named = {paper.model for paper in plan.study.paper if tuple(paper.splits) == group}
    return bool(on_data & named & plan.left_out.keys())


def _row(plan: Plan, data: str, label: str, groups: tuple[str, ...], results: Sequence[CellResult]) -> SummaryRow:
    measured = {r.cell.recipe.name: r.divergence for r in results if r.divergence is not None}
    means = {}
    for model in plan.study.model:
        of_model = [result for result in results if result.cell.model.name == model.label]
        states = Counter(result.state for result in of_model)
        papers = [paper for paper in plan.study.paper if model.is_on(data) and paper.model == model.label]
        paper = next((each for each in papers if tuple(each.splits) == groups), None)
        runs = Counter(result.cell.recipe.name for result in of_model)
        kind = choose_kind(runs.values(), None if paper is None else paper.interval_kind)
        values = {
            split: [r.accuracy for r in of_model if r.cell.recipe.name == split and r.accuracy is not None]
            for split in runs
        }
        estimate = mean_over_splits(values, kind)
        means[model.label] = Mean(states[DONE], *estimate, paper, states[FAILED], states["to do"])
    return SummaryRow(label, groups, statistics.fmean(measured.values()) if measured else None, means)


def metric_title(study: StudyFile) -> str:
    """What the means of a study are of."""
    if study.metric:
        return f"{study.metric.replace('_', ' ')}, %"
    return "right answers, %" if study.match == "answer" else "exact match, %"


def mean_text(mean: float | None, interval: float | None) -> str:
    """A mean as it is shown.

    >>> mean_text(97.25, 1.0), mean_text(50.0, None), mean_text(None, None)
    ('97.2 ± 1.0', '50.0', '–')
    """
    if mean is None:
        return "–"
    return f"{mean:.1f}" if interval is None else f"{mean:.1f} ± {interval:.1f}"
