"""Runs whose training loss stayed where it began, while another run of the same model on the same splits learned.

Such a run says something of where its training began, not of the split, and moves a mean and its interval far. It is
known by its training loss alone: at the end it is more than half of what it was at the first point of the curve, and
more than three times that of the run that ended lowest. Means hold these runs all the same; nothing is left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from recombine.studies.cells.read_record import DONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult

STAYED, APART = 0.5, 3.0
"""The share of its first loss, and the multiple of the lowest last loss, that a stuck run ends above."""


@dataclass(frozen=True)
class StuckRuns:
    """The runs of one model on splits of one kind that are stuck."""

    split: str
    model: str
    seeds: tuple[int, ...]
    losses: tuple[float, ...]
    """The training loss that each of them ends with."""
    lowest: float
    """The lowest that another run ends with."""
    runs: int
    """All runs that are done."""
    others: float
    """The mean accuracy of those that are not stuck, in percent."""

    def __str__(self) -> str:
        """As `status` and the page say it.

        >>> print(StuckRuns("random", "a", (1, 4), (2.245, 2.489), 0.0312, 5, 77.4))
        a on random, seeds 1, 4 (of 5 runs): training loss 2.25, 2.49 at the end, 0.0312 in another; others have 77.4 %
        """
        seeds, losses = ", ".join(map(str, self.seeds)), ", ".join(f"{loss:.3g}" for loss in self.losses)
        named = "seed" if len(self.seeds) == 1 else "seeds"
        return (
            f"{self.model} on {self.split}, {named} {seeds} (of {self.runs} runs): training loss {losses} at the end, "
            f"{self.lowest:.3g} in another; others have {self.others:.1f} %"
        )

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return asdict(self)


def stuck_runs(plan: Plan, results: Sequence[CellResult]) -> list[StuckRuns]:
    """A row for each model and kind of split that has such runs."""
    groups: dict[tuple[str, str, str], list[CellResult]] = {}
    for result in results:
        if result.state == DONE and len(_losses(result)) > 1:
            place = (result.cell.model.name, result.cell.data, result.cell.recipe.group)
            groups.setdefault(place, []).append(result)
    front = {data: f"{data}: " if len(plan.datasets) > 1 else "" for data in plan.datasets}
    rows = []
    for (model, data, group), runs in groups.items():
        lowest = min(_losses(run)[-1] for run in runs)
        stuck = [run for run in runs if _is_stuck(_losses(run), lowest)]
        if stuck:
            seeds, losses = tuple(run.cell.seed for run in stuck), tuple(_losses(run)[-1] for run in stuck)
            others = fmean(run.accuracy or 0.0 for run in runs if run not in stuck)
            rows.append(StuckRuns(f"{front[data]}{group}", model, seeds, losses, lowest, len(runs), others))
    return rows


def _is_stuck(losses: Sequence[float], lowest: float) -> bool:
    return losses[-1] > STAYED * losses[0] and losses[-1] > APART * lowest


def _losses(result: CellResult) -> list[float]:
    """The losses of a run's curve, where each of its points has one."""
    curve = [] if result.record is None else result.record.get("curve", [])
    losses = [point[1] for point in curve]
    return [] if None in losses else losses
