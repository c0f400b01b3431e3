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
    """The cells of one model that were trained on so many examples of splits of one kind."""

    size: int
    results: tuple[CellResult, ...]

    @property
    def accuracy(self) -> float:
        """Their mean in percent."""
        return statistics.fmean(result.accuracy for result in self.results if result.accuracy is not None)

    @property
    def divergence(self) -> float | None:
        """The mean of the compound divergence of their splits, each once; none where one was not measured."""
        values = {result.cell.recipe.name: result.divergence for result in self.results}
        known = [value for value in values.values() if value is not None]
        return statistics.fmean(known) if len(known) == len(values) else None


@dataclass(frozen=True)
class SizeLine:
    """The points of one model on splits of one kind, from the smallest size on."""

    label: str
    points: tuple[SizePoint, ...]


def size_lines(results: Sequence[CellResult]) -> dict[str, list[SizeLine]]:
    """The lines of each model; models that have no splits of several sizes done are left out."""
    grouped: dict[str, dict[str, dict[int, list[CellResult]]]] = {}
    labels = {result.cell.data for result in results}
    for result in results:
        size = result.cell.recipe.train_size
        if size is not None and result.accuracy is not None:
            front = f"{result.cell.data}: " if len(labels) > 1 else ""
            kinds = grouped.setdefault(result.cell.model.name, {})
            kinds.setdefault(front + _kind(result.cell.recipe), {}).setdefault(size, []).append(result)
    lines = {model: [_line(label, sizes) for label, sizes in kinds.items()] for model, kinds in grouped.items()}
    return {model: drawn for model, drawn in lines.items() if any(len(line.points) > 1 for line in drawn)}


def _kind(recipe: Recipe) -> str:
    """The group of a split without the mark of its size, which is the last one."""
    return recipe.group.removesuffix(f",train={recipe.train_size}")


def _line(label: str, sizes: dict[int, list[CellResult]]) -> SizeLine:
    return SizeLine(label, tuple(SizePoint(size, tuple(found)) for size, found in sorted(sizes.items())))
