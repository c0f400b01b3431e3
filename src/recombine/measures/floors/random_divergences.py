"""The compound divergences of random splits of given sizes: one for each seed.

The split of a seed is the one that `split --by random` makes with these sizes of train and test: examples of the whole
data set, each as likely as any other to be in either part. Nothing is asked of them; in particular, a test example may
hold an atom that train lacks, which a search for divergence forbids. Sums of rows are taken from the compressed matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.measures.divergence import divergence_by_kind, joined_divergence
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features

SEEDS = tuple(range(20))
"""The seeds of the random splits."""


def random_divergences(
    features: Features, train: int, test: int, *, alpha: float, seeds: Sequence[int] = SEEDS
) -> NDArray[np.float64]:
    """The divergence of each random split; one with a side that holds no structure at all has none, and is left out.

    >>> from recombine.structures.features import Features
    >>> f = Features.from_rows([{"a": 1}, {"a": 1}, {"b": 1}])
    >>> random_divergences(f, 1, 1, alpha=0.5, seeds=range(5)).tolist()
    [1.0, 0.0, 1.0, 1.0, 0.0]
    """
    found = []
    for seed in seeds:
        order = make_generator(seed).permutation(features.shape[0])
        shown, asked = (features.sums(np.sort(rows)) for rows in (order[test : test + train], order[:test]))
        if all(part.any() for side in (shown, asked) for part in np.split(side, features.kinds[1:])):
            found.append(joined_divergence(divergence_by_kind(shown, asked, features.kinds, alpha)))
    return np.array(found, np.float64)
