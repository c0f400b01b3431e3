"""The trie of many forms at once, by sorting: what `Tries.of` makes for a question, from arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import END

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int32]

_BITS = 62


def build_trie(forms: Codes) -> tuple[Codes, Codes]:
    """The parents and codes of the nodes of forms, one a row: the last code of each is `END`, and all after it are too.

    In sorted forms, a code is a node of its own where the form differs there or before from the form above it; else
    its node is the one of that form. Nodes are then counted level by level.

    >>> parents, codes = build_trie(np.array([[7, 5, 0], [7, 4, 0], [7, 0, 0], [7, 5, 0]], np.int32))
    >>> codes.tolist(), parents.tolist()
    ([7, 0, 4, 5, 0, 0], [-1, 0, 0, 0, 2, 3])
    """
    if not len(forms):
        return np.empty(0, np.int32), np.empty(0, np.int32)
    levels = np.ascontiguousarray(forms[_order(forms)].T)
    new = np.ones(levels.shape, bool)
    np.not_equal(levels[:, 1:], levels[:, :-1], out=new[:, 1:])
    np.logical_or.accumulate(new, axis=0, out=new)
    new[1:] &= levels[:-1] != END
    nodes = (np.cumsum(new.ravel()) - 1).reshape(new.shape)
    parents = np.full(levels.shape, -1, np.int32)
    parents[1:] = nodes[:-1]
    return parents[new], levels[new]


def _order(forms: Codes) -> NDArray[np.intp]:
    """The order of rows by their codes, of which as many as fit are compared as one number."""
    wide = max(int(forms.max(initial=0)).bit_length(), 1)
    at_once = _BITS // wide
    keys = []
    for first in range(0, forms.shape[1], at_once):
        key = np.zeros(len(forms), np.int64)
        for column in forms[:, first : first + at_once].T:
            key = key << wide | column
        keys.append(key)
    return np.lexsort(keys[::-1])
