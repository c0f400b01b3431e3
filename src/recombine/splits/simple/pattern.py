"""The pattern splits: no test pattern occurs in train (CFQ paper, §4, after Finegan-Dollak et al., 2018).

Examples with the same pattern form a cluster. Clusters are divided at random between train and test in the proportion
of the sizes asked for, then each part is drawn from its side. What the pattern of a text is, the data set says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.errors import SizeError
from recombine.splits.simple.clusters import cluster_numbers
from recombine.splits.sizes import draw_rows, test_count
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class PatternSplitter(Splitter):
    """Clusters of one pattern stay together.

    >>> from recombine.datasets.catalogue import load
    >>> SourcePatternSplitter(train=8365, dev=1046, test=1045, seed=1).split(load("scan")).sizes()
    {'train': 8365, 'dev': 1046, 'test': 1045}
    """

    side: ClassVar[str] = ""

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide the clusters, then draw."""
        pattern = dataset.pattern(self.side)
        numbers = cluster_numbers([pattern.collapse(getattr(example, self.side)) for example in dataset])
        parts, extra = self.choose_rows(numbers, pattern.name, counts, generator)
        return {name: rows.tolist() for name, rows in parts.items()}, extra

    def choose_rows(
        self,
        numbers: NDArray[np.int64],
        pattern: str,
        counts: dict[str, int | None],
        generator: np.random.Generator,
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, object]]:
        """The same of the number of each example's pattern; `pattern` names the way of collapsing."""
        sizes = np.bincount(numbers)
        if len(sizes) < 2:
            raise SizeError(f"all examples share one {self.side} pattern", "split by another method")
        order = generator.permutation(len(sizes))
        total = len(numbers)
        held = test_count(counts, total) + (counts["dev"] or 0)
        share = held / (held + (total - held if counts["train"] is None else counts["train"]))
        number = max(1, min(len(order) - 1, int(share * len(order) + 0.5)))
        # Clusters differ in size: take further ones while test has too few and train can spare them.
        enough = int(np.searchsorted(np.cumsum(sizes[order]), held)) + 1
        number = max(number, min(enough, len(order) - 1))
        is_tested = np.zeros(len(sizes), np.bool_)
        is_tested[order[:number]] = True
        tested = is_tested[numbers]
        why = f"{number} of {len(order)} {self.side} patterns for testing"
        parts = draw_rows(np.flatnonzero(~tested), np.flatnonzero(tested), counts, generator, why)
        return parts, {"pattern": pattern}


@dataclass(frozen=True, kw_only=True)
class SourcePatternSplitter(PatternSplitter):
    """By the pattern of the source."""

    by: ClassVar[str] = "pattern:source"
    side: ClassVar[str] = "source"


@dataclass(frozen=True, kw_only=True)
class TargetPatternSplitter(PatternSplitter):
    """By the pattern of the target."""

    by: ClassVar[str] = "pattern:target"
    side: ClassVar[str] = "target"
