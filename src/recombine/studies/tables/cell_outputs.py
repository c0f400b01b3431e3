"""The predictions of a study's cells beside their gold programs, read once for everything that is computed of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.studies.cells.read_record import DONE
from recombine.studies.cells.results import read_outputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult


@dataclass(frozen=True)
class CellOutputs:
    """The predictions of one cell that is done."""

    result: CellResult
    rows: tuple[dict[str, Any], ...]
    """As they are stored: `id`, `prediction` and `correct`."""
    gold: tuple[str, ...]

    @property
    def model(self) -> str:
        """The model's name."""
        return self.result.cell.model.name

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Gold programs and predictions."""
        return [(gold, row["prediction"]) for gold, row in zip(self.gold, self.rows, strict=True)]


@dataclass(frozen=True)
class SplitOutputs:
    """The predictions of all cells on splits that share a row of the table of means."""

    label: str
    data: str
    group: str
    cells: tuple[CellOutputs, ...]

    def by_model(self) -> dict[str, list[CellOutputs]]:
        """The cells of each model, in the order of the study."""
        cells_by_model: dict[str, list[CellOutputs]] = {}
        for cell in self.cells:
            cells_by_model.setdefault(cell.model, []).append(cell)
        return cells_by_model


def read_cell_outputs(plan: Plan, results: Sequence[CellResult]) -> list[SplitOutputs]:
    """The predictions of the cells that are done, by groups of splits."""
    groups: dict[tuple[str, str], list[CellOutputs]] = {}
    for result in results:
        if result.state == DONE:
            groups.setdefault((result.cell.data, result.cell.recipe.group), []).append(_read(plan, result))
    front = {data: f"{data}: " if len(plan.datasets) > 1 else "" for data in plan.datasets}
    return [SplitOutputs(f"{front[data]}{group}", data, group, tuple(cells)) for (data, group), cells in groups.items()]


def _read(plan: Plan, result: CellResult) -> CellOutputs:
    dataset = plan.datasets[result.cell.data]
    rows = tuple(read_outputs(plan.results, result.record or {}))
    unknown = next((row["id"] for row in rows if row["id"] not in dataset), None)
    if unknown is not None:
        path = plan.results / f"{result.cell.key}.jsonl.gz"
        raise InputFileError(
            f"{path}: the id {unknown!r} is not in {dataset.name}", "restore it, or delete it and run again"
        )
    return CellOutputs(result, rows, tuple(dataset[row["id"]].target for row in rows))


def iter_cells(splits: Sequence[SplitOutputs]) -> Iterator[CellOutputs]:
    """All cells."""
    for split in splits:
        yield from split.cells
