"""Accuracy and the lengths of wrong outputs by the length of the gold program, for each group of splits and model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.lengths import lengths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.errors.lengths import Lengths
    from recombine.studies.tables.cell_outputs import CellOutputs, SplitOutputs


@dataclass(frozen=True)
class LengthTable:
    """The lengths of one group of splits, for each model over all its cells together."""

    split: str
    models: Mapping[str, Lengths]

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return {"splits": self.split, "models": {model: table.to_record() for model, table in self.models.items()}}


def length_tables(splits: Sequence[SplitOutputs]) -> list[LengthTable]:
    """A table for each group of splits."""
    return [LengthTable(s.label, {model: _lengths(cells) for model, cells in s.by_model().items()}) for s in splits]


def _lengths(cells: Sequence[CellOutputs]) -> Lengths:
    return lengths(
        (gold, row["prediction"], bool(row["correct"]))
        for cell in cells
        for gold, row in zip(cell.gold, cell.rows, strict=True)
    )
