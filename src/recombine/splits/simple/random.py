"""The random split: every example is as likely as any other to be in any part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.options import option
from recombine.splits.simple.clusters import cluster_rows, fill
from recombine.splits.sizes import draw_parts, test_count
from recombine.splits.splitter import Splitter
from recombine.structures.programs.templates import equal_programs

if TYPE_CHECKING:
    import numpy as np

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class RandomSplitter(Splitter):
    """A random split; without sizes a fifth is for testing. `no_duplicates` keeps equal programs on one side.

    >>> from recombine.datasets.catalogue import load
    >>> RandomSplitter(train=8365, dev=1046, test=1045, seed=1).split(load("scan")).sizes()
    {'train': 8365, 'dev': 1046, 'test': 1045}
    """

    no_duplicates: bool = option(False, "equal programs stay on one side")

    by: ClassVar[str] = "random"

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Cut one random order."""
        if self.no_duplicates:
            return self._groups(dataset, counts, generator), {"no_duplicates": True}
        total = len(dataset)
        dev, test = counts["dev"] or 0, test_count(counts, total)
        train = total - dev - test if counts["train"] is None else counts["train"]
        order = generator.permutation(total).tolist()
        parts = {"train": order[dev + test : dev + test + train], "dev": order[:dev], "test": order[dev : dev + test]}
        return {name: sorted(rows) for name, rows in parts.items() if rows or name != "dev"}, {}

    def _groups(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> dict[str, list[int]]:
        """Take whole groups for testing, in random order, each that still fits; train gets the others."""
        groups = cluster_rows(equal_programs(dataset))
        held = test_count(counts, len(dataset)) + (counts["dev"] or 0)
        taken = fill([len(rows) for rows in groups], held, generator)
        pools = [
            [row for rows, tested in zip(groups, taken, strict=True) if tested is side for row in rows]
            for side in (False, True)
        ]
        why = f"{sum(taken)} of {len(taken)} groups of equal programs for testing"
        return draw_parts(sorted(pools[0]), sorted(pools[1]), counts, generator, why)
