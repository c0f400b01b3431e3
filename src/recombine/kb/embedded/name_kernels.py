"""Kernels that find terms by their keys and give their keys back."""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part


@part
def _compare(terms, first, last, data, begin, end):  # type: ignore[no-untyped-def]
    """Below, at or above zero as a term sorts before, as or after a key."""
    length = min(last - first, end - begin)
    for number in range(length):
        one, other = terms[first + number], data[begin + number]
        if one != other:
            return -1 if one < other else 1
    return (last - first) - (end - begin)


@part
def _place(terms, starts, data, begin, end):  # type: ignore[no-untyped-def]
    """The first term that does not sort before a key."""
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high) >> 1
        first, last = max(starts[middle], 0), min(starts[middle + 1], len(terms))
        if _compare(terms, first, last, data, begin, end) < 0:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def find_keys(terms, starts, data, begins):  # type: ignore[no-untyped-def]
    """The ids of the terms of some keys, -1 where there is none."""
    ids = np.full(len(begins) - 1, -1, np.int32)
    for row in range(len(ids)):
        begin, end = begins[row], begins[row + 1]
        place = _place(terms, starts, data, begin, end)
        if place < len(starts) - 1:
            first, last = max(starts[place], 0), min(starts[place + 1], len(terms))
            if _compare(terms, first, last, data, begin, end) == 0:
                ids[row] = place
    return ids


@kernel
def find_key(terms, starts, data):  # type: ignore[no-untyped-def]
    """The id of the term of a key, -1 where there is none."""
    place = _place(terms, starts, data, 0, len(data))
    if place < len(starts) - 1:
        first, last = max(starts[place], 0), min(starts[place + 1], len(terms))
        if _compare(terms, first, last, data, 0, len(data)) == 0:
            return place
    return -1


@kernel
def first_not_before(terms, starts, data):  # type: ignore[no-untyped-def]
    """The first term that does not sort before a key."""
    return _place(terms, starts, data, 0, len(data))
