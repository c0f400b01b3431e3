"""Whether systems fail on the same examples: between the models of a split, and between replicates of one model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.evaluation.difficulty.agreement import agreement, chance_agreement
from recombine.evaluation.errors.shared_errors import chance_shared_errors, shared_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recombine.studies.tables.cell_outputs import CellOutputs, SplitOutputs


@dataclass(frozen=True)
class Agreement:
    """Shares of examples in percent, means over the comparisons."""

    split: str
    between: str
    systems: int
    comparisons: int
    """Sets of systems that were compared, each on one split."""
    alike: float
    """Examples that all systems have right, or all have wrong."""
    alike_by_chance: float
    shared: float | None
    """Of the examples that any system has wrong, those that all have wrong; none where nothing is wrong."""
    shared_by_chance: float | None

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return asdict(self)


def agreements(splits: Sequence[SplitOutputs]) -> list[Agreement]:
    """A row for the models of each group of splits, and one for the replicates of each model, where there are two."""
    rows: list[Agreement] = []
    for split in splits:
        models = split.by_model()
        between = f"{len(models)} models, equal seeds"
        rows += _row(split.label, between, _compared(split.cells, len(models), by_seed=True))
        for model, cells in models.items():
            rows += _row(split.label, f"replicates of {model}", _compared(cells, 2, by_seed=False))
    return rows


def _compared(cells: Sequence[CellOutputs], least: int, *, by_seed: bool) -> list[NDArray[np.bool_]]:
    """What is right (examples × systems) in cells on one split, of one seed or of all; incomplete sets are left out."""
    sets: dict[tuple[str, int | None], list[CellOutputs]] = {}
    for cell in cells:
        place = cell.result.cell
        sets.setdefault((place.recipe.name, place.seed if by_seed else None), []).append(cell)
    whole = max((len(together) for together in sets.values()), default=0) if not by_seed else least
    return [_matrix(together) for together in sets.values() if len(together) == whole and whole > 1]


def _matrix(cells: Sequence[CellOutputs]) -> NDArray[np.bool_]:
    return np.array([[row["correct"] for row in cell.rows] for cell in cells], np.bool_).T


def _row(split: str, between: str, compared: Sequence[NDArray[np.bool_]]) -> Iterator[Agreement]:
    if not compared:
        return
    systems = compared[0].shape[1]
    accuracies = [[float(share) for share in correct.mean(axis=0)] for correct in compared]
    yield Agreement(
        split,
        between,
        systems,
        len(compared),
        100 * fmean(agreement(correct, systems) for correct in compared),
        100 * fmean(chance_agreement(shares, systems) for shares in accuracies),
        _mean([shared_errors(correct) for correct in compared]),
        _mean([chance_shared_errors(shares) for shares in accuracies]),
    )


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [100 * share for share in shares if share is not None]
    return fmean(known) if known else None
