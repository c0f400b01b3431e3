"""The random split: every example is as likely as any other to be in any part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.splits.sizes import test_count
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class RandomSplitter(Splitter):
    """A random split; without sizes a fifth is for testing.

    >>> from recombine.datasets.catalogue import load
    >>> RandomSplitter(train=8365, dev=1046, test=1045, seed=1).split(load("scan")).sizes()
    {'train': 8365, 'dev': 1046, 'test': 1045}
    """

    by: ClassVar[str] = "random"

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Cut one random order."""
        total = len(dataset)
        dev, test = counts["dev"] or 0, test_count(counts, total)
        train = total - dev - test if counts["train"] is None else counts["train"]
        order = [int(row) for row in generator.permutation(total)]
        parts = {"train": order[dev + test : dev + test + train], "dev": order[:dev], "test": order[dev : dev + test]}
        return {name: sorted(rows) for name, rows in parts.items() if rows or name != "dev"}, {}
