"""How often each structure occurs in a pool and in what was taken of it (Figures 4 and 5 of the CFQ paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.pages.splits.frequencies import Frequencies

if TYPE_CHECKING:
    from recombine.structures.features import Features


def pool_frequencies(pool: Features, data: Features) -> Frequencies:
    """The frequencies of all structures of two data sets, which are put together by their names.

    >>> from recombine.structures.features import Features
    >>> pool = Features.from_rows([{"a": 1}, {"a": 1, "b": 1}])
    >>> made = pool_frequencies(pool, Features.from_rows([{"b": 1, "c": 1}]))
    >>> made.names, made.train.tolist(), made.test.tolist()
    (('a', 'b', 'c'), [1.0, 0.5, 0.0], [0.0, 1.0, 1.0])
    """
    place = {name: number for number, name in enumerate(pool.names)}
    for name in data.names:
        place.setdefault(name, len(place))
    counts = np.zeros((2, len(place)), np.int64)
    for side, features in enumerate((pool, data)):
        counts[side, [place[name] for name in features.names]] = features.held(np.arange(features.shape[0]))
    names = np.array(list(place))
    order = np.lexsort((np.arange(len(place)), -counts[1], -counts[0]))
    order = order[counts.sum(axis=0)[order] > 0]
    before, after = counts[0][order], counts[1][order]
    return Frequencies(
        tuple(names[order].tolist()),
        order.astype(np.int64),
        before,
        after,
        before / max(pool.shape[0], 1),
        after / max(data.shape[0], 1),
        np.zeros(len(order)),
        0.0,
    )


def rare_and_common(frequencies: Frequencies, share: float = 0.1) -> tuple[tuple[float, float], tuple[float, float]]:
    """The mean frequency before and after, of the rarest structures of the pool and of its commonest."""
    here = np.flatnonzero(frequencies.train_counts > 0)
    size = max(1, round(len(here) * share))
    means = [
        (float(frequencies.train[rows].mean()), float(frequencies.test[rows].mean()))
        for rows in (here[-size:], here[:size])
    ]
    return means[0], means[1]
