"""Target maximum compound divergence splits: from the programs alone (NQG paper, §3).

Atoms are the symbols of the programs, and every test atom must be in train; the atom divergence is otherwise free. The
search, its constraints and its options are those of `mcd`; a quota and a least number of distinct patterns are of the
target side, which keeps test varied: for data without collapsing rules patterns are programs. With `published`, the
greedy procedure of the paper is followed instead of the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.options import option
from recombine.splits.search.mcd import MCDSplitter
from recombine.splits.sizes import test_count

if TYPE_CHECKING:
    import numpy as np

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class TMCDSplitter(MCDSplitter):
    """A split of maximum compound divergence over programs, with every test atom in train."""

    max_atom_divergence: float = option(1.0, "the cap on D_A; 1 is none")
    quota_side: str = option("target", "whose patterns the quota and the distinct ones are")

    by: ClassVar[str] = "tmcd"

    def _searched(self) -> tuple[str, ...]:
        """The paper's swaps know nothing of a wanted value either."""
        return ("divergence", "max_atom_divergence", "atom_divergence", *super()._searched())

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Search, or follow the published procedure."""
        if not self.published:
            return super().choose(dataset, counts, generator)
        from recombine.splits.search.tmcd_published import swap_greedily

        features = self.extracted(dataset)
        self._check_one_kind(features)
        test, dev = test_count(counts, len(dataset)), counts["dev"] or 0
        train = len(dataset) - test - dev if counts["train"] is None else counts["train"]
        order = generator.permutation(len(dataset))[: train + dev + test]
        lists = swap_greedily(
            features,
            order,
            train,
            alpha=features.structures.compounds.alpha,
            min_atom_count=self.min_atom_count,
            progress=self.progress,
        )
        pool = [lists[1][int(place)] for place in generator.permutation(dev + test)]
        parts = {"train": sorted(lists[0]), **({"dev": sorted(pool[:dev])} if dev else {}), "test": sorted(pool[dev:])}
        signature = {"optimised": features.structures, "published": True, "min_atom_count": self.min_atom_count}
        return parts, {**signature, "min_atom_count": None} if self.min_atom_count == 1 else signature
