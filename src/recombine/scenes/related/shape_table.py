"""The sub-graphs of one shape in all scenes: a table of integers with a posting list for each name in each column.

A row is a sub-graph in a scene; a column is a node. Where a shape has relations that could change places, a row stands
there in each order, so that a query need not try them. Rows are in the order of scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.scenes.subgraphs.shape import Shape, nodes_of, orders_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = NDArray[np.int32]
    Mask = NDArray[np.bool_]

WILD = -1
UNKNOWN = -2
"""The number of a name that no scene has."""


class ShapeTable:
    """A table of rows, each with its scene, the number of its roots, and whether it may be asked about."""

    def __init__(
        self,
        shape: Shape,
        rows: Integers,
        scenes: Integers,
        roots: Integers,
        asked: Mask,
        sizes: Sequence[int],
    ) -> None:
        """Take rows of names in order of scenes; `sizes` are the numbers of names of each column's type."""
        self.shape, self.nodes = shape, nodes_of(shape)
        orders = orders_of(shape)
        self.orders = orders
        count = len(rows)
        self.scenes = np.repeat(scenes, len(orders))
        self.roots = np.repeat(roots, len(orders))
        self.asked = np.repeat(asked, len(orders))
        self.all_asked = bool(asked.all())
        self.graphs = np.repeat(np.arange(count, dtype=np.int32), len(orders))
        """Which rows are one sub-graph in other orders."""
        # every order of a row beside it, so that scenes stay in order
        self.columns = [
            np.ascontiguousarray(rows[:, [order[at] for order in orders]].reshape(-1)) for at in range(rows.shape[1])
        ]
        self._postings: list[Integers] = []
        self._starts: list[list[int]] = []
        self.lengths: list[NDArray[np.int64]] = []
        for column, size in zip(self.columns, sizes, strict=True):
            self._postings.append(np.argsort(column, kind="stable").astype(np.int32))
            lengths = np.bincount(column, minlength=size)
            self.lengths.append(lengths)
            self._starts.append([0, *np.cumsum(lengths).tolist()])

    def __len__(self) -> int:
        return len(self.scenes)

    @property
    def nbytes(self) -> int:
        """The memory of the table and its posting lists."""
        arrays = [self.scenes, self.roots, self.asked, self.graphs, *self.columns, *self._postings]
        return sum(each.nbytes for each in arrays)

    def of_scene(self, place: int) -> range:
        """The rows of a scene in the order in which they were given, without their other orders."""
        start, end = np.searchsorted(self.scenes, [place, place + 1]).tolist()
        return range(start, end, len(self.orders))

    def posting(self, column: int, name: int) -> Integers:
        """The rows that have a name in a column, in order."""
        starts = self._starts[column]
        return self._postings[column][starts[name] : starts[name + 1]]

    def select(self, pattern: Sequence[int]) -> Integers:
        """The rows that have the names of a pattern, which are WILD for any and UNKNOWN for one that none has."""
        fixed = []
        for column, name in enumerate(pattern):
            if name >= 0:
                starts = self._starts[column]
                fixed.append((starts[name + 1] - starts[name], column, name))
            elif name == UNKNOWN:
                return _NONE
        if not fixed:
            return np.arange(len(self), dtype=np.int32)
        fixed.sort()
        _, column, name = fixed[0]
        rows = self.posting(column, name)
        for _, column, name in fixed[1:]:
            if not len(rows):
                break
            rows = rows[self.columns[column][rows] == name]
        return rows

    def select_among(self, allowed: Sequence[Mask | None]) -> Integers:
        """The rows whose name in each column is one of those allowed; none where any is; in no certain order."""
        masks = [(column, mask) for column, mask in enumerate(allowed) if mask is not None]
        if not masks:
            return np.arange(len(self), dtype=np.int32)
        totals = [(int(self.lengths[column][mask].sum()), column) for column, mask in masks]
        least = min(totals)[1]
        names = np.flatnonzero(dict(masks)[least])
        rows = np.concatenate([self.posting(least, name) for name in names.tolist()]) if len(names) else _NONE
        for _, column in sorted(totals)[1:]:
            if not len(rows):
                break
            mask = allowed[column]
            assert mask is not None  # noqa: S101  # only columns with a mask are listed
            rows = rows[mask[self.columns[column][rows]]]
        return rows

    def distances(self, rows: Integers, names: Sequence[int]) -> NDArray[np.int64]:
        """In how many nodes rows differ from names, in the order in which they differ least."""
        least: NDArray[np.int64] | None = None
        for order in self.orders:
            differs = np.zeros(len(rows), dtype=np.int64)
            for column, at in enumerate(order):
                differs += self.columns[at][rows] != names[column]
            least = differs if least is None else np.minimum(least, differs)
        assert least is not None  # noqa: S101  # there is always the order of the row itself
        return least


_NONE = np.zeros(0, dtype=np.int32)
