"""Accuracy by training size, on splits whose train part is cut to several sizes: Figures 8 to 11 of the CFQ paper."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.studies.file.recipe import Recipe
    from recombine.studies.tables.summary import CellResult


@dataclass(frozen=True)
class SizePoint:
    """The cells of one model that are trained on so many examples of splits of one kind: those done, or all to do."""

    size: int
    results: tuple[CellResult, ...]

    @property
    def accuracy(self) -> float | None:
        """Their mean in percent; none where none is done."""
        known = [result.accuracy for result in self.results if result.accuracy is not None]
        return statistics.fmean(known) if known else None

    @property
    def divergence(self) -> float | None:
        """The mean of the compound divergence of their splits, each once; none where one was not measured."""
        values = {result.cell.recipe.name: result.divergence for result in self.results}
        known = [value for value in values.values() if value is not None]
        return statistics.fmean(known) if len(known) == len(values) else None


@dataclass(frozen=True)
class SizeLine:
    """The points of one model on splits of one kind, from the smallest size on; there may be none."""

    label: str
    points: tuple[SizePoint, ...]
    missing: tuple[SizePoint, ...] = ()
    """Those of which no cell is done."""

    @property
    def planned(self) -> list[SizePoint]:
        """All of them, in the order of sizes."""
        return sorted((*self.points, *self.missing), key=lambda point: point.size)


def size_lines(results: Sequence[CellResult]) -> dict[str, list[SizeLine]]:
    """The lines of each model, one for each kind of splits; a model without two sizes of a kind done is left out."""
    grouped: dict[str, dict[str, dict[int, list[CellResult]]]] = {}
    labels = {result.cell.data for result in results}
    for result in results:
        size = result.cell.recipe.train_size
        if size is not None:
            front = f"{result.cell.data}: " if len(labels) > 1 else ""
            kinds = grouped.setdefault(result.cell.model.name, {})
            kinds.setdefault(front + kind_of(result.cell.recipe), {}).setdefault(size, []).append(result)
    lines = {model: [_line(label, sizes) for label, sizes in kinds.items()] for model, kinds in grouped.items()}
    return {model: drawn for model, drawn in lines.items() if any(len(line.points) > 1 for line in drawn)}


def kind_of(recipe: Recipe) -> str:
    """The group of a split without the mark of its size, which is the last one."""
    return recipe.group.removesuffix(f",train={recipe.train_size}")


def _line(label: str, sizes: dict[int, list[CellResult]]) -> SizeLine:
    planned = [SizePoint(size, _done_or_all(found)) for size, found in sorted(sizes.items())]
    points = tuple(point for point in planned if point.accuracy is not None)
    return SizeLine(label, points, tuple(point for point in planned if point.accuracy is None))


def _done_or_all(found: list[CellResult]) -> tuple[CellResult, ...]:
    """The cells that have an accuracy, or all where none has."""
    return tuple(result for result in found if result.accuracy is not None) or tuple(found)
