"""What the points of Figure 7 of the CFQ paper are labelled with: the share of data in train, and the atom divergence.

Both count each example of train once, however often it is there: published lists repeat what they show a few times, and
the paper's labels (63 % and 0.08 for jump alone, 94 % and 0.07 for turn left) are those without repeats. So is the
compound divergence here; the other tables of a study count repeats, as models do.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.measures.divergence import divergence
from recombine.structures.cached_features import cached_features
from recombine.structures.definition import ATOM_ALPHA, Structures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult


@dataclass(frozen=True)
class SplitPoint:
    """Splits of one kind: their mean label, and the accuracies of each model on them."""

    name: str
    train_share: float
    """Of the examples of the data, those that are in train."""
    atom_divergence: float | None
    compound_divergence: float | None
    results: Mapping[str, tuple[CellResult, ...]]
    """By model, those that are done."""

    @property
    def label(self) -> str:
        """The name with what the figure has in brackets: `length [81%, 0.03]`."""
        known = [] if self.atom_divergence is None else [f"{self.atom_divergence:.2f}"]
        return f"{self.name} [{', '.join([f'{self.train_share:.0%}', *known])}]"

    def accuracy(self, model: str) -> float | None:
        """The mean of a model in percent; none where nothing is done."""
        known = [result.accuracy for result in self.results.get(model, ()) if result.accuracy is not None]
        return statistics.fmean(known) if known else None


@dataclass(frozen=True)
class _Measured:
    """One split, each example of train counted once."""

    train_share: float
    atom_divergence: float | None
    compound_divergence: float | None


def split_points(plan: Plan, results: Sequence[CellResult]) -> list[SplitPoint]:
    """The points of a study, in the order of its splits; splits that are not made here are left out."""
    groups: dict[tuple[str, str], list[CellResult]] = {}
    for result in results:
        if result.cell.split is not None and result.cell.split.parts.get("train"):
            groups.setdefault((result.cell.data, result.cell.recipe.group), []).append(result)
    measuring = {name: _Measuring(dataset) for name, dataset in plan.datasets.items()}
    several = len(plan.datasets) > 1
    return [
        _point(f"{data}: {name}" if several else name, found, measuring[data]) for (data, name), found in groups.items()
    ]


def _point(name: str, found: Sequence[CellResult], measuring: _Measuring) -> SplitPoint:
    by_split = {result.cell.recipe.name: result for result in found}
    measured = [measuring.of(result, split) for result in by_split.values() if (split := result.cell.split) is not None]
    done: dict[str, list[CellResult]] = {}
    for result in found:
        if result.accuracy is not None:
            done.setdefault(result.cell.model.name, []).append(result)
    return SplitPoint(
        name,
        statistics.fmean(one.train_share for one in measured),
        _mean([one.atom_divergence for one in measured]),
        _mean([one.compound_divergence for one in measured]),
        {model: tuple(cells) for model, cells in done.items()},
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if len(known) == len(values) else None


class _Measuring:
    """Measures splits of one data set; its structures are found where a train part has repeats."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._features: DatasetFeatures | None = None

    def of(self, result: CellResult, split: Split) -> _Measured:
        """What is measured on the split of a cell."""
        train = sorted(set(split.positions(self._dataset, "train")))
        share = len(train) / len(self._dataset)
        values = [result.measured.get(f"{kind}_divergence") for kind in ("atom", "compound")]
        if None in values or len(train) == len(split.train):
            return _Measured(share, *values)
        if self._features is None:
            self._features = cached_features(self._dataset, Structures.parse(self._dataset.structures))
        tested = split.positions(self._dataset, result.cell.recipe.part)
        alpha = self._features.structures.compounds.alpha
        return _Measured(
            share,
            divergence(self._features.atoms, train, tested, alpha=ATOM_ALPHA),
            divergence(self._features.compounds, train, tested, alpha=alpha),
        )
