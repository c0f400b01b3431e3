"""How many compounds examples hold: one that holds none has no part in the compound divergence.

A test of such examples asks for no new combination, whatever the divergence of the others is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features


def held_compounds(compounds: Features) -> NDArray[np.int64]:
    """The number of different compounds that each example holds; of several kinds, that of the kind it holds most of.

    >>> from recombine.structures.features import Features
    >>> held_compounds(Features.from_rows([{"a": 3, "b": 1}, {}, {"a": 1}])).tolist()
    [2, 0, 1]
    """
    if len(compounds.kinds) > 1:
        by_kind = [held_compounds(compounds.kind(number)) for number in range(len(compounds.kinds))]
        return np.asarray(np.max(by_kind, axis=0), np.int64)
    if (compounds.data > 0).all():
        return np.diff(compounds.indptr).astype(np.int64)
    running = np.concatenate(([0], np.cumsum(compounds.data > 0)))
    return np.asarray(running[compounds.indptr[1:]] - running[compounds.indptr[:-1]], np.int64)


def without_compounds(compounds: Features, parts: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Under `without_compounds`, how many entries of each part hold no compound; nothing where each entry holds one.

    Of several kinds, those that hold none of any.

    >>> from recombine.structures.features import Features
    >>> without_compounds(Features.from_rows([{"a": 3}, {}]), {"train": [0], "test": [0, 1, 1]})
    {'without_compounds': {'train': 0, 'test': 2}}
    """
    held = held_compounds(compounds)
    counts = {name: int(np.count_nonzero(held[np.asarray(rows, np.int64)] == 0)) for name, rows in parts.items()}
    return {"without_compounds": counts} if any(counts.values()) else {}
