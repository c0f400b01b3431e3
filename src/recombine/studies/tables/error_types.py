"""Errors of SPARQL outputs by type, as in Table 7 of the CFQ paper, for each group of splits and model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.sparql_errors import OutputErrors, sparql_errors
from recombine.studies.tables.summary import choose_kind, mean_over_splits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.errors.sparql_errors import SparqlErrors
    from recombine.studies.cells.plan import Plan
    from recombine.studies.file.study_file import PaperErrorsTable
    from recombine.studies.tables.cell_outputs import SplitOutputs

KINDS = {
    "clause": ("clause", "sum"),
    "insertion": ("clause", "insertion"),
    "deletion": ("clause", "deletion"),
    "property": ("clause", "substitution", "property"),
    "node": ("clause", "substitution", "node"),
    "both": ("clause", "substitution", "both"),
    "filter": ("filter", "sum"),
    "filter_insertion": ("filter", "insertion"),
    "filter_deletion": ("filter", "deletion"),
    "filter_substitution": ("filter", "substitution"),
    "malformed": ("malformed",),
}
"""The columns of Table 7, and where `SparqlErrors.table` has them."""
OUTCOMES = {
    "right": OutputErrors.RIGHT,
    "same_clauses": OutputErrors.SAME_CLAUSES,
    "renamed": OutputErrors.RENAMED,
    "other_head": OutputErrors.OTHER_HEAD,
    "abstained": OutputErrors.ABSTAINED,
}
"""What else an output can be: the gold text, or something without a clause error."""


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
    """A row for each group of splits and model; none of data whose programs are not SPARQL."""
    rows = []
    for split in splits:
        language = plan.datasets[split.data].language
        if language is None or language.name != "sparql":
            continue
        for model, cells in split.by_model().items():
            percents: dict[str, list[dict[str, float]]] = {}
            for cell in cells:
                percents.setdefault(cell.result.cell.recipe.name, []).append(_percents(sparql_errors(cell.pairs)))
            way = choose_kind(len(runs) for runs in percents.values())
            over = {
                kind: mean_over_splits({split: [run[kind] for run in runs] for split, runs in percents.items()}, way)
                for kind in (*KINDS, *OUTCOMES)
            }
            means = {kind: (mean, half) for kind, (mean, half, _) in over.items()}
            named = next((shown for _, _, shown in over.values()), None)
            examples = sum(len(cell.rows) for cell in cells)
            paper = next((p for p in plan.study.paper_errors if p.model == model and p.splits == [split.group]), None)
            rows.append(ErrorTypes(split.label, model, len(cells), examples, means, named, paper))
    return rows


def _percents(errors: SparqlErrors) -> dict[str, float]:
    table = errors.table(errors.n)
    percents = {kind: 100 * _value(table, way) for kind, way in KINDS.items()}
    return percents | {kind: 100 * errors.outcomes[outcome] / errors.n for kind, outcome in OUTCOMES.items()}


def _value(table: Any, way: Sequence[str]) -> float:
    for name in way:
        table = table[name]
    return float(table)
