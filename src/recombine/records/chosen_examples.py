"""Some examples of a data set, in an order of their own: what a part of a split is to those who read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from recombine.records.columns import StoredExamples
from recombine.records.example import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ChosenExamples(Sequence[Example]):
    """The examples at some positions, made when they are asked for.

    >>> walk, run = Example.of("walk", "I_WALK"), Example.of("run", "I_RUN")
    >>> chosen = ChosenExamples((walk, run), [1, 0, 1])
    >>> chosen[0].source, len(chosen), chosen.texts("target")
    ('run', 3, ['I_RUN', 'I_WALK', 'I_RUN'])
    """

    def __init__(self, examples: Sequence[Example], rows: Sequence[int] | NDArray[np.int64]) -> None:
        self._examples, self._rows = examples, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Example: ...
    @overload
    def __getitem__(self, key: slice) -> ChosenExamples: ...
    def __getitem__(self, key: int | slice) -> Example | ChosenExamples:
        if isinstance(key, slice):
            return ChosenExamples(self._examples, self._rows[key])
        return self._examples[int(self._rows[key])]

    def __iter__(self) -> Iterator[Example]:
        return (self._examples[int(row)] for row in self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | ChosenExamples) or len(self) != len(other):
            return False
        return all(one == another for one, another in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # rows may be a list

    def texts(self, side: str) -> list[str]:
        """All ids, sources or targets (`side`) in order, made without making examples of columns."""
        texts = texts_of(self._examples, side)
        return [texts[row] for row in self._rows]


def texts_of(examples: Sequence[Example], side: str) -> list[str]:
    """All ids, sources or targets (`side`) of examples, however they are kept."""
    if isinstance(examples, StoredExamples | ChosenExamples):
        return examples.texts(side)
    return [getattr(example, side) for example in examples]
