"""Errors by the types of their language, such as Table 7 of the CFQ paper has, for each group of splits and model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.known import find_analysis
from recombine.studies.tables.summary import choose_kind, mean_over_splits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.file.study_file import PaperErrorsTable
    from recombine.studies.tables.cell_outputs import SplitOutputs


@dataclass(frozen=True)
class ErrorTypes:
    """Percent of the examples with each type of error: means over cells with half of their intervals of one kind."""

    split: str
    model: str
    cells: int
    examples: int
    """Predictions in all cells together."""
    means: Mapping[str, tuple[float | None, float | None]]
    interval_kind: str | None = None
    """The kind of the intervals; none where there are too few cells for one."""
    paper: PaperErrorsTable | None = None

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return {
            "splits": self.split,
            "model": self.model,
            "cells": self.cells,
            "examples": self.examples,
            "percent": {kind: mean for kind, (mean, _) in self.means.items()},
            "interval": {kind: half for kind, (_, half) in self.means.items()},
            "interval_kind": self.interval_kind,
        }


def error_types(plan: Plan, splits: Sequence[SplitOutputs]) -> list[ErrorTypes]:
    """A row for each group of splits and model; none of data whose language has no types of errors in percent."""
    rows = []
    for split in splits:
        analysis = find_analysis(plan.datasets[split.data].language)
        if analysis is None or analysis.percents is None:
            continue
        for model, cells in split.by_model().items():
            percents: dict[str, list[Mapping[str, float]]] = {}
            for cell in cells:
                percents.setdefault(cell.result.cell.recipe.name, []).append(
                    analysis.percents(analysis.analyse(cell.pairs))
                )
            way = choose_kind(len(runs) for runs in percents.values())
            kinds = dict.fromkeys(kind for runs in percents.values() for run in runs for kind in run)
            over = {}
            for kind in kinds:  # what an analysis does not name in a run occurs in none of its outputs
                by_split = {name: [run.get(kind, 0.0) for run in runs] for name, runs in percents.items()}
                over[kind] = mean_over_splits(by_split, way)
            means = {kind: (mean, half) for kind, (mean, half, _) in over.items()}
            named = next((shown for _, _, shown in over.values()), None)
            examples = sum(len(cell.rows) for cell in cells)
            paper = next((p for p in plan.study.paper_errors if p.model == model and p.splits == [split.group]), None)
            rows.append(ErrorTypes(split.label, model, len(cells), examples, means, named, paper))
    return rows
