"""The pattern splits: no test pattern occurs in train (CFQ paper, §4, after Finegan-Dollak et al., 2018).

Examples with the same pattern form a cluster. Clusters are divided at random between train and test in the proportion
of the sizes asked for, then each part is drawn from its side. What the pattern of a text is, the data set says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import SizeError
from recombine.splits.sizes import draw_parts, test_count
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np

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
        clusters: dict[str, list[int]] = {}
        for row, example in enumerate(dataset):
            clusters.setdefault(pattern.collapse(getattr(example, self.side)), []).append(row)
        if len(clusters) < 2:
            raise SizeError(f"all examples share one {self.side} pattern", "split by another method")
        names = sorted(clusters)
        order = [names[int(place)] for place in generator.permutation(len(names))]
        total = len(dataset)
        held = test_count(counts, total) + (counts["dev"] or 0)
        share = held / (held + (total - held if counts["train"] is None else counts["train"]))
        number = max(1, min(len(order) - 1, int(share * len(order) + 0.5)))
        # Clusters differ in size: take further ones while test has too few and train can spare them.
        while number < len(order) - 1 and sum(len(clusters[name]) for name in order[:number]) < held:
            number += 1
        test_pool = [row for name in order[:number] for row in clusters[name]]
        train_pool = [row for name in order[number:] for row in clusters[name]]
        why = f"{number} of {len(order)} {self.side} patterns for testing"
        parts = draw_parts(sorted(train_pool), sorted(test_pool), counts, generator, why)
        return parts, {"pattern": pattern.name}


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
