"""Sparse rows: which structures each example has, and how much of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

BLOCK = 1 << 17
"""The rows that are looked at together where there are many."""


@dataclass(frozen=True)
class Features:
    """A matrix of examples × structures in compressed rows; columns of a row ascend.

    >>> f = Features.from_rows([{"a": 2, "b": 1}, {"b": 3}])
    >>> f.names, f.sums([0, 1, 1]).tolist()
    (('a', 'b'), [2.0, 7.0])
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.float64]
    names: Sequence[str]
    orders: Sequence[tuple[Any, ...]] | None = None
    """What columns are ordered by, where that is not their names; for who puts columns of several features together."""
    kinds: tuple[int, ...] = (0,)
    """Where the columns of each kind begin; one kind unless several were put side by side."""

    @classmethod
    def from_rows(cls, rows: Sequence[dict[str, float]]) -> Features:
        """Features from one dictionary per example; columns are in the order of their names."""
        names = tuple(sorted({name for row in rows for name in row}))
        column = {name: number for number, name in enumerate(names)}
        pairs = [sorted((column[name], value) for name, value in row.items()) for row in rows]
        indptr = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in pairs], out=indptr[1:])
        indices = np.array([number for row in pairs for number, _ in row], np.int32)
        data = np.array([value for row in pairs for _, value in row], np.float64)
        return cls(indptr, indices, data, names)

    @classmethod
    def side_by_side(cls, features: Sequence[Features]) -> Features:
        """The rows of several features one after the other, each a kind of its own.

        >>> f = Features.from_rows([{"a": 2}, {"b": 3}])
        >>> both = Features.side_by_side([f, f])
        >>> both.names, both.kinds, both.row(1)
        (['a', 'b', 'a', 'b'], (0, 2), {'b': 3.0})
        """
        widths = [len(each.names) for each in features]
        starts = np.concatenate(([0], np.cumsum(widths)))
        sizes = np.stack([np.diff(each.indptr) for each in features])
        indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes.sum(axis=0), dtype=np.int64)))
        indices, data = np.empty(int(indptr[-1]), np.int32), np.empty(int(indptr[-1]))
        before = indptr[:-1].copy()
        for start, each, size in zip(starts, features, sizes, strict=False):
            places = np.repeat(before - each.indptr[:-1], size) + np.arange(len(each.indices))
            indices[places], data[places] = each.indices + np.int32(start), each.data
            before += size
        names = [name for each in features for name in each.names]
        return cls(indptr, indices, data, names, kinds=tuple(starts[:-1].tolist()))

    def kind(self, number: int) -> Features:
        """The columns of one kind alone."""
        if len(self.kinds) == 1:
            return self
        first, last = (*self.kinds, len(self.names))[number : number + 2]
        stays = (self.indices >= first) & (self.indices < last)
        held = np.concatenate((np.zeros(1, np.int64), np.cumsum(stays, dtype=np.int64)))
        return Features(
            held[self.indptr], self.indices[stays] - np.int32(first), self.data[stays], self.names[first:last]
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Examples and structures."""
        return len(self.indptr) - 1, len(self.names)

    def entries(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the entries of these rows are, row after row; a repeated row is repeated."""
        at = np.asarray(rows, np.int64)
        lengths = self.indptr[at + 1] - self.indptr[at]
        total = int(lengths.sum())
        if total == 0:
            return np.zeros(0, np.int64)
        starts = np.repeat(self.indptr[at] - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        return starts + np.arange(total)

    def taken(self, rows: Sequence[int] | NDArray[np.int64]) -> Features:
        """These rows in this order, over the same columns; one may come more than once."""
        if np.array_equal(rows, np.arange(len(self.indptr) - 1)):
            return self
        at = self.entries(rows)
        lengths = np.diff(self.indptr)[np.asarray(rows, np.int64)]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        return Features(starts, self.indices[at], self.data[at], self.names, self.orders, self.kinds)

    def sums(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of each column over these rows; a repeated row counts as often as it is named."""
        total = np.zeros(len(self.names))
        for at in self._iter_entries(rows):
            total += np.bincount(self.indices[at], weights=self.data[at], minlength=len(self.names))
        return total

    def held(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of these rows hold each column; a repeated row counts as often as it is named."""
        total = np.zeros(len(self.names), np.int64)
        for at in self._iter_entries(rows):
            total += np.bincount(self.indices[at], minlength=len(self.names))
        return total

    def _iter_entries(self, rows: Sequence[int] | NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """The entries of these rows, of some at a time: their places take more than they do."""
        listed = np.asarray(rows, np.int64)
        return (self.entries(listed[start : start + BLOCK]) for start in range(0, len(listed), BLOCK))

    def row(self, position: int) -> dict[str, float]:
        """One example's structures by name."""
        part = slice(int(self.indptr[position]), int(self.indptr[position + 1]))
        return {
            self.names[int(column)]: float(value)
            for column, value in zip(self.indices[part], self.data[part], strict=True)
        }

    def keep_top(self, count: int) -> Features:
        """Only the columns of the highest sums over all rows; among equal sums the earlier column stays."""
        if count >= len(self.names):
            return self
        sums = np.bincount(self.indices, weights=self.data, minlength=len(self.names))
        # Sums of the same numbers in another order differ in their last bits: round before ranking.
        order = np.lexsort((np.arange(len(sums)), -np.round(sums, 9)))
        keep = np.sort(order[:count])
        number = np.full(len(sums), -1, np.int32)
        number[keep] = np.arange(count, dtype=np.int32)
        stays = number[self.indices] >= 0
        lengths = np.add.reduceat(np.append(stays, False), self.indptr[:-1]) * (np.diff(self.indptr) > 0)
        indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        names = [self.names[int(column)] for column in keep]
        orders = None if self.orders is None else [self.orders[int(column)] for column in keep]
        return Features(indptr, number[self.indices[stays]], self.data[stays], names, orders)

    def matrix(self) -> Any:
        """The same as a `scipy.sparse.csr_matrix`."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)
