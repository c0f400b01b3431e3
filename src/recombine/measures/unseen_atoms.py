"""Test examples that hold an atom which train never shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.structures.features import Features


def unseen_atoms(
    atoms: Features, train: Sequence[int], test: Sequence[int], *, least: int = 1
) -> tuple[list[int], list[str]]:
    """The entries of test with an atom seen less than `least` times (repeats count), and the names of those atoms.

    >>> from recombine.structures.features import Features
    >>> unseen_atoms(Features.from_rows([{"walk": 1}, {"jump": 1}]), [0], [0, 1])
    ([1], ['jump'])
    """
    unseen = atoms.sums(train) < least
    at = atoms.entries(test)
    lengths = np.diff(atoms.indptr)[np.asarray(test, np.int64)]
    owner = np.repeat(np.arange(len(test)), lengths)
    hit = unseen[atoms.indices[at]] & (atoms.data[at] > 0)
    rows = [test[int(position)] for position in np.unique(owner[hit])]
    return rows, [atoms.names[int(column)] for column in np.unique(atoms.indices[at][hit])]
