"""Runs of consecutive words that train lacks, for each text of test.

Words are what blanks separate. A text with fewer words than a run is one run by itself. Runs are numbered from those
half as long, over the texts of test alone: train is looked at block by block, and memory grows with test. No two
different runs are taken for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

BLOCK = 1 << 13
"""How many texts of train are looked at together."""


def unseen_runs(train: Sequence[str], test: Sequence[str], size: int) -> tuple[Numbers, Numbers]:
    """How many distinct runs of each text of test train lacks, and how many there are.

    >>> unseen, held = unseen_runs(["jump twice and walk"], ["walk and jump twice", "jump"], 2)
    >>> unseen.tolist(), held.tolist()
    ([2, 1], [3, 1])
    """
    words: dict[str, int] = {}
    split = [[words.setdefault(word, len(words)) for word in text.split()] for text in test]
    end = len(words)
    numbers, owners, left = _laid_out(split, size, end)
    tables = []
    for half, whole in _steps(size):
        pairs = _pairs(numbers, left, half, whole, end)
        tables.append(np.unique(pairs[pairs >= 0]))
        numbers, end = _looked_up(pairs, tables[-1]), len(tables[-1])
    seen = np.zeros(end + 1, np.bool_)
    for start in range(0, len(train), BLOCK):
        seen[_found(train[start : start + BLOCK], words, size, tables)] = True
    held = np.unique(owners[numbers >= 0] * np.int64(len(seen)) + numbers[numbers >= 0])
    owner, run = np.divmod(held, len(seen))
    unseen = np.bincount(owner[~seen[run]], minlength=len(test))
    return unseen.astype(np.int64), np.bincount(owner, minlength=len(test)).astype(np.int64)


def _steps(size: int) -> list[tuple[int, int]]:
    """From which length to which runs are put together: a run is its first and its last words, which may overlap.

    >>> _steps(8), _steps(3)
    ([(1, 2), (2, 4), (4, 8)], [(1, 2), (2, 3)])
    """
    steps, half = [], 1
    while half < size:
        steps.append((half, min(2 * half, size)))
        half = steps[-1][1]
    return steps


def _laid_out(texts: Sequence[Sequence[int]], size: int, end: int) -> tuple[Numbers, Numbers, Numbers]:
    """All words one after the other, short texts filled up: their numbers, their texts, and how many are left there."""
    lengths = np.array([max(len(text), size) for text in texts], np.int64)
    numbers = np.full(int(lengths.sum()), end, np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    own = np.array([len(text) for text in texts], np.int64)
    places = np.repeat(starts[:-1] - (np.cumsum(own) - own), own) + np.arange(int(own.sum()))
    numbers[places] = [number for text in texts for number in text]
    owners = np.repeat(np.arange(len(texts)), lengths)
    return numbers, owners, starts[owners + 1] - np.arange(len(numbers))


def _pairs(numbers: Numbers, left: Numbers, half: int, whole: int, end: int) -> Numbers:
    """One number for the two halves of the run at each place; -1 where there is none, or a half is unknown."""
    last = np.full(len(numbers), -1, np.int64)
    last[: max(len(numbers) - (whole - half), 0)] = numbers[whole - half :]
    known = (numbers >= 0) & (last >= 0) & (left >= whole)
    return np.where(known, numbers * np.int64(end + 1) + last, -1)


def _looked_up(pairs: Numbers, table: Numbers) -> Numbers:
    """Where each pair stands in a table; -1 where it does not."""
    if not len(table):
        return np.full(len(pairs), -1, np.int64)
    at = np.minimum(np.searchsorted(table, pairs), len(table) - 1)
    return np.where(table[at] == pairs, at, -1).astype(np.int64)


def _found(texts: Sequence[str], words: dict[str, int], size: int, tables: Sequence[Numbers]) -> Numbers:
    """The numbers of the runs of some texts that test has too."""
    split = [[words.get(word, -1) for word in text.split()] for text in texts]
    end = len(words)
    numbers, _, left = _laid_out(split, size, end)
    for (half, whole), table in zip(_steps(size), tables, strict=True):
        numbers, end = _looked_up(_pairs(numbers, left, half, whole, end), table), len(table)
    return np.unique(numbers[numbers >= 0])
