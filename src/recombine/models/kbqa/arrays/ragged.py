"""Rows of different lengths in one array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows: row `n` is `values[begins[n] : begins[n + 1]]`.

    >>> rows = Ragged.of([[3, 1], [], [2]])
    >>> len(rows), rows[0].tolist(), rows.take([2, 0]).values.tolist()
    (3, [3, 1], [2, 3, 1])
    """

    begins: NDArray[np.int64]
    values: NDArray[np.int32]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int] | NDArray[Any]]) -> Ragged:
        """These rows."""
        begins = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=begins[1:])
        parts = [np.asarray(row, np.int32) for row in rows]
        return cls(begins, np.concatenate([np.empty(0, np.int32), *parts]))

    def __len__(self) -> int:
        return len(self.begins) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        """One row."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        return self.values[self.begins[row] : self.begins[row + 1]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The length of each row."""
        return np.diff(self.begins)

    def take(self, rows: Sequence[int] | NDArray[Any]) -> Ragged:
        """Some rows, in a given order."""
        return Ragged.of([self[int(row)] for row in rows])
