"""For an example, the one of those shown that is nearest to it: of its template, else with the most like items.

How alike two examples are is the share of schema items that both have among those that either has. Of examples that are
as near, the first of the data is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.measures.levels.level_features import LevelFeatures


class Nearest(NamedTuple):
    """The nearest example, and how many items it shares of how many."""

    row: int
    shared: int
    items: int
    """How many items the example asked about has."""


class NearestExamples:
    """Looks for the nearest of some examples; those with the same items are looked for once."""

    def __init__(self, features: LevelFeatures, shown: Sequence[int]) -> None:
        self._features = features
        self._by_template: dict[int, int] = {}
        firsts: dict[bytes, int] = {}
        for row in sorted(set(shown)):
            template = int(features.templates[row])
            if template >= 0:
                self._by_template.setdefault(template, row)
                firsts.setdefault(features.items_of(row).tobytes(), row)
        self._rows = np.array(list(firsts.values()), np.int64)
        at, owner = features.entries(self._rows)
        self._lengths = np.bincount(owner, minlength=len(self._rows))
        order = np.argsort(features.items[at], kind="stable")
        self._sets = owner[order]
        """Which sets have each item, item after item."""
        self._ends = np.searchsorted(features.items[at][order], np.arange(len(features.names) + 1))
        self._known: dict[bytes, Nearest | None] = {}

    def of(self, row: int) -> Nearest | None:
        """The nearest example; none where no example shares an item."""
        items = self._features.items_of(row)
        same = self._by_template.get(int(self._features.templates[row]))
        if same is not None:
            shared = len(np.intersect1d(items, self._features.items_of(same)))
            return Nearest(same, shared, len(items))
        key = items.tobytes()
        if key not in self._known:
            self._known[key] = self._look(items)
        return self._known[key]

    def _look(self, items: NDArray[np.int32]) -> Nearest | None:
        pieces = [self._sets[self._ends[item] : self._ends[item + 1]] for item in items]
        hits = np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
        if not len(hits):
            return None
        shared = np.bincount(hits, minlength=len(self._rows))
        best = int(np.argmax(shared / (self._lengths + len(items) - shared)))
        return Nearest(int(self._rows[best]), int(shared[best]), len(items))
