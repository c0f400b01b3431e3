"""Forms as rows of codes in one array, with holes where a form has nothing: how many forms are made at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.ragged import Ragged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

HOLE = -1


@dataclass(frozen=True, slots=True)
class FormRows:
    """Forms, each with the number of its question."""

    questions: NDArray[np.int64]
    codes: Ragged

    @classmethod
    def of_columns(cls, question: int, columns: NDArray[np.int32]) -> FormRows:
        """The forms of a question: the codes of a row but its holes.

        >>> FormRows.of_columns(0, np.array([[3, -1, 0], [5, 7, 0]], np.int32)).codes.values.tolist()
        [3, 0, 5, 7, 0]
        """
        said = columns != HOLE
        begins = np.zeros(len(columns) + 1, np.int64)
        np.cumsum(said.sum(axis=1), out=begins[1:])
        return cls(np.full(len(columns), question, np.int64), Ragged(begins, columns[said]))

    @classmethod
    def joined(cls, parts: Sequence[FormRows]) -> FormRows:
        """The forms of some, in their order."""
        questions = np.concatenate([np.empty(0, np.int64), *(part.questions for part in parts)])
        return cls(questions, Ragged.joined([part.codes for part in parts]))

    def __len__(self) -> int:
        return len(self.questions)
