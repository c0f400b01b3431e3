"""Clusters of examples that must not be parted, dealt out to exact sizes.

A cluster is a number, the place of its name among the sorted names, so that clusters of any number of examples are one
array, wherever the names were compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def cluster_numbers(names: Sequence[str]) -> NDArray[np.int64]:
    """The cluster of each example: the place of its name among the distinct names, in their order.

    >>> cluster_numbers(["b", "a", "b"]).tolist()
    [1, 0, 1]
    """
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([place[name] for name in names], np.int64)


def cluster_rows(numbers: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The positions of the examples of each cluster, in the order of the clusters.

    >>> [rows.tolist() for rows in cluster_rows(np.array([1, 0, 1]))]
    [[1], [0, 2]]
    """
    return np.split(np.argsort(numbers, kind="stable"), np.cumsum(np.bincount(numbers))[:-1])


def fill(sizes: Sequence[int] | NDArray[np.int64], wanted: int, generator: np.random.Generator) -> NDArray[np.bool_]:
    """Which clusters to take for a side of the wanted size: in random order, each that still fits.

    Where that leaves the side short, the smallest of the others fills it up, and over.
    """
    sizes = np.asarray(sizes, np.int64)
    order = generator.permutation(len(sizes))
    taken = np.zeros(len(sizes), np.bool_)
    room = wanted
    for place, size in zip(order, sizes[order], strict=True):
        if size <= room:
            taken[place] = True
            room -= int(size)
            if not room:
                break
    if room and not taken.all():
        others = order[~taken[order]]
        taken[others[np.argmin(sizes[others])]] = True
    return taken
