"""The rows of a pool that make the distribution of its structures even, level by level (CFQ paper, K.3).

Levels are gone through from the lowest up; of each, so many examples are taken that all levels are of one size, or all
that there are. At each step that example is taken that makes the entropy of the distribution of structures over all
that is taken highest; among equals, the order is drawn.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator
from recombine.selection.level_sizes import level_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features

FIXED_POINT_LIMIT = 1 << 22
"""The largest column sum of weights that are not whole."""


@dataclass(frozen=True)
class SampledRows:
    """What was taken of a pool."""

    rows: tuple[int, ...]
    """The positions in the order they were taken."""
    supply: Mapping[int, int]
    """The examples of the pool by level."""
    sizes: Mapping[int, int]
    """Those that were taken."""
    looked_at: int
    """How often the structures of an example were gone through."""


def subsample_rows(
    features: Features,
    levels: Sequence[int] | NDArray[np.int64],
    number: int,
    *,
    max_level: int | None = None,
    seed: int = 0,
) -> SampledRows:
    """`number` rows of a pool with these structures and levels; none above `max_level`.

    >>> from recombine.structures.features import Features
    >>> pool = Features.from_rows([{"a": 1.0}, {"a": 1.0}, {"b": 1.0}, {"a": 1.0, "b": 1.0}])
    >>> sorted(subsample_rows(pool, [1, 1, 1, 2], 3, max_level=1).rows), 2 in subsample_rows(pool, [1, 1, 1, 2], 3).rows
    ([0, 1, 2], True)
    """
    from recombine.selection.entropy_kernels import spread_table, take_examples

    at = np.asarray(levels, np.int64)
    if len(at) != features.shape[0]:
        raise OptionError(f"there are {len(at)} levels and {features.shape[0]} examples", "give one for each")
    order = make_generator(seed).permutation(len(at))
    order = order if max_level is None else order[at[order] <= max_level]
    supply = Counter(at[order].tolist())
    sizes = level_sizes(supply, number)
    data = whole_weights(features)
    largest = int(np.bincount(features.indices, data, 1).max())
    table, counts = spread_table(largest), np.zeros(len(features.names), np.int64)
    sums, rows, looked_at = np.zeros(2, np.int64), [], 0
    for level, size in sizes.items():
        waiting = order[at[order] == level]
        places, looked = take_examples(
            features.indptr, features.indices, data, table, counts, sums, waiting, np.int64(size)
        )
        rows += waiting[places].tolist()
        looked_at += int(looked)
    return SampledRows(tuple(rows), dict(sorted(supply.items())), sizes, looked_at)


def whole_weights(features: Features) -> NDArray[np.int32]:
    """What examples hold of structures as whole numbers: as they are, or times a power of two."""
    data = features.data
    if not np.array_equal(data, np.rint(data)):
        largest = float(np.bincount(features.indices, data, 1).max())
        scale = 2.0 ** np.floor(np.log2(FIXED_POINT_LIMIT / largest))
        data = np.maximum(data * max(scale, 16.0), data > 0)
    return np.rint(data).astype(np.int32)


def entropy_of(features: Features, rows: Sequence[int] | NDArray[np.int64]) -> float:
    """The entropy, in nats, of the distribution of structures over some rows; 0 where they have none.

    >>> from recombine.structures.features import Features
    >>> round(entropy_of(Features.from_rows([{"a": 1.0}, {"b": 1.0}]), [0, 1]), 4)
    0.6931
    """
    sums = features.sums(rows)
    shares = sums[sums > 0] / max(sums.sum(), 1e-300)
    return float(-(shares * np.log(shares)).sum()) + 0.0
