"""Forms as rows of codes, made of columns with holes where a form has nothing: how many forms are made at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import END

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

HOLE = -1


def without_holes(columns: NDArray[np.int32]) -> NDArray[np.int32]:
    """The codes of each row but its holes, with `END` after them as far as the longest row goes.

    >>> without_holes(np.array([[3, -1, 0], [5, 7, 0]], np.int32)).tolist()
    [[3, 0, 0], [5, 7, 0]]
    """
    said = columns != HOLE
    sizes = said.sum(axis=1)
    made = np.full((len(columns), int(sizes.max(initial=0))), END, np.int32)
    made[np.arange(made.shape[1]) < sizes[:, None]] = columns[said]
    return made


def stacked(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Rows of different widths below each other, the shorter ones with `END` after them."""
    wide = max((part.shape[1] for part in parts), default=0)
    made = np.full((sum(map(len, parts)), wide), END, np.int32)
    first = 0
    for part in parts:
        made[first : first + len(part), : part.shape[1]] = part
        first += len(part)
    return made
