"""Kernels on sorted sets of ids, and on groups of literals: joins, comparisons, superlatives."""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part


@part
def _first_from(values, first, value):  # type: ignore[no-untyped-def]
    """The first place from one on whose value is at least another, by steps that double."""
    last, step = first, 1
    while last < len(values) and values[last] < value:
        first = last + 1
        last += step
        step *= 2
    last = min(last, len(values))
    while first < last:
        middle = (first + last) >> 1
        if values[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def intersect(one, other):  # type: ignore[no-untyped-def]
    """What two sorted sets have in common; the time goes with the smaller one where one is much smaller."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    common = np.empty(len(few), np.int32)
    count = place = 0
    for value in few:
        place = _first_from(many, place, value)
        if place == len(many):
            break
        if many[place] == value:
            common[count] = value
            count += 1
    return common[:count].copy()


@kernel
def groups_within(begins, ids, families, ranks, family, first, last):  # type: ignore[no-untyped-def]
    """Which groups of ids hold a literal of a family whose rank is in a range."""
    within = np.zeros(len(begins) - 1, np.bool_)
    for group in range(len(within)):
        for place in range(begins[group], begins[group + 1]):
            literal = ids[place]
            if 0 <= literal < len(families) and families[literal] == family and first <= ranks[literal] < last:
                within[group] = True
                break
    return within


@kernel
def count_families(ids, families, counts):  # type: ignore[no-untyped-def]
    """Count the ids that are literals of each family."""
    for literal in ids:
        if 0 <= literal < len(families):
            counts[families[literal]] += 1


@kernel
def extreme_groups(begins, ids, families, ranks, family, sign):  # type: ignore[no-untyped-def]
    """Which groups hold the largest rank of a family that any group holds; the smallest where the sign is -1."""
    extreme = np.zeros(len(begins) - 1, np.bool_)
    best = np.int64(-(1 << 62))
    for turn in range(2):
        for group in range(len(extreme)):
            for place in range(begins[group], begins[group + 1]):
                literal = ids[place]
                if 0 <= literal < len(families) and families[literal] == family:
                    value = sign * np.int64(ranks[literal])
                    if turn == 0:
                        best = max(best, value)
                    elif value == best:
                        extreme[group] = True
    return extreme
