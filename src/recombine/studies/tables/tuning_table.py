"""What tuned models were chosen by: each combination with its accuracy on held-back train, and which was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.studies.cells.cell import Tuning
    from recombine.studies.cells.plan import Plan


@dataclass(frozen=True)
class TuningRow:
    """One combination of a tuned model on one split."""

    label: str
    values: Mapping[str, Any]
    accuracy: float | None
    """In percent, of all seeds together."""
    n: int
    state: str
    chosen: bool
    error: str
    runs: Sequence[str]
    """The keys of its runs."""


@dataclass(frozen=True)
class TuningTable:
    """A tuned model on one split."""

    model: str
    split: str
    share: float
    seed: int
    seeds: Sequence[int]
    rows: Sequence[TuningRow]
    problem: str = ""

    @property
    def chosen(self) -> Mapping[str, Any] | None:
        """The chosen values; none while runs are to do, or where all failed."""
        return next((row.values for row in self.rows if row.chosen), None)

    def to_record(self) -> dict[str, Any]:
        """Plain values; accuracies in percent."""
        rows = [
            {
                "values": dict(row.values),
                "accuracy": row.accuracy,
                "n": row.n,
                "state": row.state,
                "chosen": row.chosen,
                "error": row.error or None,
                "runs": list(row.runs),
            }
            for row in self.rows
        ]
        return {
            "model": self.model,
            "split": self.split,
            "share": self.share,
            "seed": self.seed,
            "seeds": list(self.seeds),
            "chosen": None if self.chosen is None else dict(self.chosen),
            "trials": rows,
        }


def tuning_tables(plan: Plan) -> list[TuningTable]:
    """A table for each tuned model and split, in the order of the cells."""
    front = {data: f"{data}: " if len(plan.datasets) > 1 else "" for data in plan.datasets}
    return [_table(tuning, front[tuning.data]) for tuning in plan.tunings()]


def _table(tuning: Tuning, front: str) -> TuningTable:
    chosen = tuning.place
    rows = [
        TuningRow(
            ", ".join(f"{name}={value}" for name, value in trial.values.items()),
            trial.values,
            trial.accuracy,
            trial.n,
            trial.state,
            place == chosen,
            trial.errors[0] if trial.errors else "",
            trial.keys,
        )
        for place, trial in enumerate(tuning.results)
    ]
    how = tuning.how
    split = f"{front}{tuning.recipe.name}"
    return TuningTable(tuning.model.name, split, how.share, how.seed, how.seeds, rows, tuning.problem)
