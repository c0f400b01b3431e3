"""The floor of a divergence that was measured, kept in the user's cache.

Kept are the divergences themselves. Their key holds the compounds of every example in their order, which is all that
the data, its language and the definition of structures decide of them, the sizes, the exponent, the seeds, and the code
that sums and measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.data_cache import cache_folder, code_digest, content_key, read_stored, store
from recombine.measures.floors.random_divergences import SEEDS, random_divergences
from recombine.measures.floors.random_floor import RandomFloor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.structures.features import Features

FORM = 1
"""Raised with every change of what is kept."""
ROOMS = ("structures", "measures")
"""The rooms whose code decides the divergences of the same compounds."""
KEY = "random_compound_divergence"
"""Where measured values have the floor."""


def measured_floor(compounds: Features, train: int, test: int, *, alpha: float) -> RandomFloor | None:
    """The floor of splits with these sizes; none where the data is too small for them, or has no compounds.

    >>> from recombine.structures.features import Features
    >>> rows = [{"a": 1, "b": 1}, {"a": 1}, {"b": 1}, {"a": 2, "b": 1}]
    >>> measured_floor(Features.from_rows(rows), 3, 1, alpha=0.5).n
    20
    """
    if train + test > compounds.shape[0]:
        return None
    key = None if cache_folder() is None else _key(compounds, train, test, alpha)
    table = None if key is None else read_stored(key)
    if table is not None:
        return RandomFloor.of(np.array(table[KEY].to_numpy(), np.float64))
    found = random_divergences(compounds, train, test, alpha=alpha)
    if key is not None:
        _store(key, found)
    return RandomFloor.of(found)


def floor_values(floor: RandomFloor | None) -> dict[str, Any]:
    """The floor as measured values have it."""
    return {} if floor is None else {KEY: floor.to_dict()}


def no_floor(train: int, test: int, total: int) -> str:
    """Why there is no floor.

    >>> no_floor(80, 30, 100)
    'train and test have 110 entries, and no two parts of 100 examples have so many'
    """
    if train + test > total:
        return f"train and test have {train + test:,} entries, and no two parts of {total:,} examples have so many"
    return "of random splits of these sizes, fewer than two have compounds on both sides; take larger parts"


def _key(compounds: Features, train: int, test: int, alpha: float) -> str:
    """The key of what decides the divergences."""
    decided = ("random divergences", FORM, train, test, compounds.shape, compounds.kinds, alpha, SEEDS)
    arrays: tuple[Any, ...] = (compounds.indptr, compounds.indices, compounds.data)
    contents: list[Any] = [np.ascontiguousarray(array).view(np.uint8) for array in arrays]  # bytes, without a copy
    texts = [str(each).encode() for each in decided]
    return content_key([code_digest(ROOMS), *texts, *contents])


def _store(key: str, found: NDArray[np.float64]) -> None:
    import pyarrow as pa

    store(key, pa.table({KEY: pa.array(found)}))
