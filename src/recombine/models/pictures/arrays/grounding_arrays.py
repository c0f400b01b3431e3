"""Descriptions of parts of pictures as arrays, with the regions that each of their nouns means.

The counterpart of what the paper's model has from its pre-training on pictures and sentences (COVR, 4). Needs numpy
alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.pictures.arrays.array_file import arrays_digest, read_arrays, write_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


@dataclass
class GroundingArrays:
    """N texts of at most L tokens and K nouns."""

    tokens: NDArray[np.int16]
    """[N, L]: places in the words; 0 after the end."""
    picture: NDArray[np.int32]
    """[N]: the picture that a text is about."""
    nouns: NDArray[np.int16]
    """[N, K]: where the last word of each noun stands; -1 after the last noun."""
    means: NDArray[np.uint32]
    """[N, K]: bit r is set where the noun means region r; none is where the description does not hold."""
    sides: NDArray[np.int8]
    """[N, K]: whether a noun is of the first description of its text or of the second; -1 after the last noun."""
    present: NDArray[np.int8]
    """[N]: 1 where what the text describes is there, 0 where it is not, -1 where one of two is."""

    def __len__(self) -> int:
        return len(self.tokens)

    def rows(self, places: Sequence[int] | NDArray[Any]) -> GroundingArrays:
        """Some of the texts."""
        at = np.asarray(places)
        return GroundingArrays(**{each.name: getattr(self, each.name)[at] for each in fields(self)})

    def digest(self) -> str:
        """A digest of all that is here."""
        return arrays_digest(self.packed())

    def write(self, path: Path | str) -> None:
        """Write an .npz file."""
        write_arrays(path, self.packed())

    @staticmethod
    def read(path: Path | str) -> GroundingArrays:
        """What such a file holds."""
        return GroundingArrays.unpacked(read_arrays(path))

    def packed(self) -> dict[str, NDArray[Any]]:
        """Arrays for an .npz file."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @staticmethod
    def unpacked(arrays: Mapping[str, NDArray[Any]]) -> GroundingArrays:
        """The texts of such arrays."""
        return GroundingArrays(**{each.name: arrays[each.name] for each in fields(GroundingArrays)})
