"""Clusters of examples that must not be parted, dealt out to exact sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def cluster_rows(names: Sequence[str]) -> list[list[int]]:
    """The positions of each distinct name, in the order of the names.

    >>> cluster_rows(["b", "a", "b"])
    [[1], [0, 2]]
    """
    rows_by_name: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows_by_name.setdefault(name, []).append(row)
    return [rows_by_name[name] for name in sorted(rows_by_name)]


def fill(sizes: Sequence[int], wanted: int, generator: np.random.Generator) -> list[bool]:
    """Which clusters to take for a side of the wanted size: in random order, each that still fits.

    Where that leaves the side short, the smallest of the others fills it up, and over.
    """
    order = [int(place) for place in generator.permutation(len(sizes))]
    taken = [False] * len(sizes)
    room = wanted
    for place in order:
        if sizes[place] <= room:
            taken[place] = True
            room -= sizes[place]
    if room and not all(taken):
        taken[min((place for place in order if not taken[place]), key=lambda place: sizes[place])] = True
    return taken
