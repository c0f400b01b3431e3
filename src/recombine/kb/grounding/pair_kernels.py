"""Kernels on pairs of ids that are kept by their first end, and on candidates with the number of ways that they have.

Pairs are three arrays: the first ends, sorted, each once; where the other ends of each begin; and all other ends, those
of one sorted. Candidates are sorted ids with a weight each.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part


@part
def _first_from(values, first, last, value):  # type: ignore[no-untyped-def]
    """The first place in a sorted range whose value is at least another."""
    while first < last:
        middle = (first + last) >> 1
        if values[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first


@part
def _first_on(values, first, value):  # type: ignore[no-untyped-def]
    """The first place from one on whose value is at least another, by steps that double."""
    last, step = first, 1
    while last < len(values) and values[last] < value:
        first = last + 1
        last += step
        step *= 2
    return _first_from(values, first, min(last, np.int64(len(values))), value)


@part
def _row(firsts, starts, value):  # type: ignore[no-untyped-def]
    """Where the other ends of an id begin and end."""
    place = _first_from(firsts, np.int64(0), np.int64(len(firsts)), value)
    if place == len(firsts) or firsts[place] != value:
        return np.int64(0), np.int64(0)
    return starts[place], starts[place + 1]


@kernel
def row_of(firsts, starts, others, value):  # type: ignore[no-untyped-def]
    """The other ends of an id."""
    first, last = _row(firsts, starts, value)
    return others[first:last]


@kernel
def has_pair(firsts, starts, others, one, other):  # type: ignore[no-untyped-def]
    """Whether two ids are a pair."""
    first, last = _row(firsts, starts, one)
    place = _first_from(others, first, last, other)
    return place < last and others[place] == other


@kernel
def weigh(firsts, starts, others, below, below_weights, ids, weights, counted, sums):  # type: ignore[no-untyped-def]
    """The ids that a pair joins to some candidates below, each with its weight times the sum of theirs.

    The pairs are kept by the ends below. Where ways are not counted the weight stays. `sums` is room for all ids, zero
    before and after.
    """
    lows, highs = np.empty(len(below), np.int64), np.empty(len(below), np.int64)
    size = rows = 0
    at = np.int64(0)
    for place in range(len(below)):
        at = _first_on(firsts, at, below[place])
        if at == len(firsts):
            break
        if firsts[at] == below[place]:
            lows[rows], highs[rows] = starts[at], starts[at + 1]
            size += highs[rows] - lows[rows]
            for each in range(lows[rows], highs[rows]):
                sums[others[each]] += below_weights[place]
            rows += 1
    kept = np.empty(min(len(ids), size), np.int32)
    kept_weights = np.empty(len(kept), np.float64)
    number = 0
    if size * 16 < len(ids):
        touched = np.empty(size, np.int32)
        count = 0
        for row in range(rows):
            for each in range(lows[row], highs[row]):
                touched[count] = others[each]
                count += 1
        touched.sort()
        at = np.int64(0)
        for place in range(count):
            value = touched[place]
            if place and touched[place - 1] == value:
                continue
            at = _first_on(ids, at, value)
            if at == len(ids):
                break
            if ids[at] == value:
                kept[number] = value
                kept_weights[number] = weights[at] * (sums[value] if counted else 1.0)
                number += 1
    else:
        for place in range(len(ids)):
            value = ids[place]
            if sums[value] > 0:
                kept[number] = value
                kept_weights[number] = weights[place] * (sums[value] if counted else 1.0)
                number += 1
    for row in range(rows):
        for each in range(lows[row], highs[row]):
            sums[others[each]] = 0.0
    return kept[:number].copy(), kept_weights[:number].copy()


@kernel
def draw_joined(firsts, starts, others, one, ids, weights, chance):  # type: ignore[no-untyped-def]
    """One of the candidates that a pair joins to an id, drawn in proportion to their weights; -1 where none is."""
    first, last = _row(firsts, starts, one)
    total = 0.0
    for turn in range(2):
        sofar = 0.0
        drawn = -1
        place = np.int64(0)
        for at in range(first, last):
            place = _first_on(ids, place, others[at])
            if place == len(ids):
                break
            if ids[place] == others[at]:
                sofar += weights[place]
                drawn = ids[place]
                if turn and sofar > chance * total:
                    return drawn
        if not turn:
            total = sofar
    return drawn


@kernel
def pairs_in_both(firsts, starts, others, second_firsts, second_starts, second_others):  # type: ignore[no-untyped-def]
    """The pairs that two sets of pairs have in common."""
    both_firsts = np.empty(min(len(firsts), len(second_firsts)), np.int32)
    both_starts = np.empty(len(both_firsts) + 1, np.int64)
    both_others = np.empty(min(len(others), len(second_others)), np.int32)
    rows = count = 0
    one = two = 0
    while one < len(firsts) and two < len(second_firsts):
        if firsts[one] < second_firsts[two]:
            one += 1
            continue
        if firsts[one] > second_firsts[two]:
            two += 1
            continue
        before = count
        left, right = starts[one], second_starts[two]
        while left < starts[one + 1] and right < second_starts[two + 1]:
            if others[left] < second_others[right]:
                left += 1
            elif others[left] > second_others[right]:
                right += 1
            else:
                both_others[count] = others[left]
                count += 1
                left += 1
                right += 1
        if count > before:
            both_firsts[rows] = firsts[one]
            both_starts[rows] = before
            rows += 1
        one += 1
        two += 1
    both_starts[rows] = count
    return both_firsts[:rows].copy(), both_starts[: rows + 1].copy(), both_others[:count].copy()


@kernel
def among(firsts, starts, others, ids, other_ids):  # type: ignore[no-untyped-def]
    """For each of some ids, the places of its other ends among other ids: where they begin, and all end to end."""
    begins = np.zeros(len(ids) + 1, np.int64)
    size = 0
    for place in range(len(ids)):
        first, last = _row(firsts, starts, ids[place])
        size += last - first
    places = np.empty(size, np.int32)
    count = 0
    for place in range(len(ids)):
        first, last = _row(firsts, starts, ids[place])
        at = np.int64(0)
        for each in range(first, last):
            at = _first_on(other_ids, at, others[each])
            if at == len(other_ids):
                break
            if other_ids[at] == others[each]:
                places[count] = at
                count += 1
        begins[place + 1] = count
    return begins, places[:count].copy()
