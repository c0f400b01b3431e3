"""The random split: every example is as likely as any other to be in any part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.options import option
from recombine.splits.simple.clusters import cluster_numbers, fill
from recombine.splits.sizes import draw_rows, test_count
from recombine.splits.splitter import Splitter
from recombine.structures.programs.templates import equal_programs

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        numbers = cluster_numbers(equal_programs(dataset)) if self.no_duplicates else None
        parts, extra = self.choose_rows(len(dataset), numbers, counts, generator)
        return {name: rows.tolist() for name, rows in parts.items()}, extra

    def choose_rows(
        self,
        total: int,
        numbers: NDArray[np.int64] | None,
        counts: dict[str, int | None],
        generator: np.random.Generator,
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, object]]:
        """The same of a number of examples, and with `no_duplicates` of the number of each one's program."""
        if numbers is not None:
            return self._groups(numbers, counts, generator), {"no_duplicates": True}
        dev, test = counts["dev"] or 0, test_count(counts, total)
        train = total - dev - test if counts["train"] is None else counts["train"]
        order = generator.permutation(total)
        parts = {"train": order[dev + test : dev + test + train], "dev": order[:dev], "test": order[dev : dev + test]}
        return {name: np.sort(rows) for name, rows in parts.items() if len(rows) or name != "dev"}, {}

    def _groups(
        self, numbers: NDArray[np.int64], counts: dict[str, int | None], generator: np.random.Generator
    ) -> dict[str, NDArray[np.int64]]:
        """Take whole groups for testing, in random order, each that still fits; train gets the others."""
        held = test_count(counts, len(numbers)) + (counts["dev"] or 0)
        taken = fill(np.bincount(numbers), held, generator)
        tested = taken[numbers]
        why = f"{np.count_nonzero(taken)} of {len(taken)} groups of equal programs for testing"
        return draw_rows(np.flatnonzero(~tested), np.flatnonzero(tested), counts, generator, why)
