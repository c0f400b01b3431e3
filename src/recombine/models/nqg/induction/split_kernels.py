"""Compiled ways to split a rule into two of which one already follows from the others (NQG-T5 paper, App. A.2).

The inner half of a split is a part of the source with a string of the target; the outer half is what is left, with a
hole. The chart of a rule's sides says which inner halves follow. Contexts say which outer halves do: they are derived
from the top down, each by putting a rule into the hole of another, with a smaller hole in one of its slots.

The first functions are those of the same names in `chart_kernels`: every kernel and all it calls are in one file,
since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import inlined, kernel, part
from recombine.models.nqg.forest.arrays import Chart, Rules

SLOT, ROOT = 0, 0
TUPLES = (Chart, Rules)
"""What the kernels take: where its fields change, so does what is compiled."""


@part
def grown(array, needed):  # type: ignore[no-untyped-def]
    """Return the array with room for `needed` rows."""
    if needed <= array.shape[0]:
        return array
    larger = np.empty((2 * needed, array.shape[1]), array.dtype)
    for row in range(array.shape[0]):  # a slice would do, and compile ten times as long
        for column in range(array.shape[1]):
            larger[row, column] = array[row, column]
    return larger


@inlined
def put(table, row, a, b, c, d):  # type: ignore[no-untyped-def]
    """Write the first four columns of a row."""
    table[row, 0], table[row, 1], table[row, 2], table[row, 3] = a, b, c, d


@part
def put_row(table, row, values):  # type: ignore[no-untyped-def]
    """Write a row."""
    for column in range(values.size):
        table[row, column] = values[column]


@part
def find_slot(keys, key):  # type: ignore[no-untyped-def]
    """Return where a key is in the table, or where it would be."""
    mask = keys.size - 1
    at = (key * 0x1E3779B97F4A7C15 >> 40) & mask
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@part
def step(keys, nodes, alive, node, symbol):  # type: ignore[no-untyped-def]
    """Return the node that a symbol leads to, or -1 where no rule in use goes on there."""
    key = (np.int64(node) << 32) + symbol + 1
    at = find_slot(keys, key)
    return nodes[at] if keys[at] == key and alive[nodes[at]] > 0 else -1


@part
def find_entry(entry, entries, start, length):  # type: ignore[no-untyped-def]
    """Return the entry with this target string among those of a span, which begin at `entry`; or -1."""
    while entry >= 0 and (entries[entry, 2] != start or entries[entry, 3] != length):
        entry = entries[entry, 4]
    return entry


@part
def slot_counts(symbols):  # type: ignore[no-untyped-def]
    """Return for each slot how often it stands before each place."""
    before = np.zeros((symbols.size + 1, 2), np.int32)
    for k in range(symbols.size):
        before[k + 1, 0], before[k + 1, 1] = before[k, 0], before[k, 1]
        if symbols[k] < 2:
            before[k + 1, symbols[k]] += 1
    return before


@part
def slots_fit(inner, outer, i, j, first, length, times):  # type: ignore[no-untyped-def]
    """Return whether a part of the source has just those slots that `times` copies of a part of the target have."""
    outside = 0
    for slot in range(2):
        inside = inner[j, slot] - inner[i, slot]
        copied = (outer[first + length, slot] - outer[first, slot]) * times
        outside += inner[-1, slot] - inside
        if copied != (outer[-1, slot] if inside else 0):
            return False
    return outside < 2


@part
def hole_of(rules, rule, slot, length, place, filler, chart, target, offsets):  # type: ignore[no-untyped-def]
    """Return the first occurrence and length of what `slot` must hold for a rule to make a part of the target.

    The part is at `place` and has this `length`; the entry `filler` fills the other slot. Where the slot is in the part
    is written to `offsets`, and how often it is there is returned last, 0 where nothing fits.
    """
    known, times = 0, 0
    for k in range(rules.target_at[rule], rules.target_at[rule + 1]):
        symbol = rules.target[k]
        times += symbol == slot
        known += 0 if symbol == slot else 1 if symbol > 1 else chart.entries[filler, 3]
    rest = (length - known) // times
    if rest < 1 or rest * times + known != length:
        return 0, 0, 0
    at, first, placed = place, -1, 0
    for k in range(rules.target_at[rule], rules.target_at[rule + 1]):
        symbol = rules.target[k]
        if symbol == slot:
            if first >= 0 and chart.canon[at, rest] != first:
                return 0, 0, 0
            first = chart.canon[at, rest]
            offsets[placed] = at - place
            placed += 1
            at += rest
        elif symbol > 1:
            if target[at] != symbol:
                return 0, 0, 0
            at += 1
        else:
            if chart.canon[at, chart.entries[filler, 3]] != chart.entries[filler, 2]:
                return 0, 0, 0
            at += chart.entries[filler, 3]
    return first, rest, times


@part
def find_context(heads, table, places, cell, first, length, wanted, number):  # type: ignore[no-untyped-def]
    """Return the row of a context with these places, or -1."""
    row = heads[cell]
    while row >= 0:
        if table[row, 2] == first and table[row, 3] == length and table[row, 5] == number:
            same = True
            for k in range(number):
                same = same and places[table[row, 4] + k, 0] == wanted[k]
            if same:
                return row
        row = table[row, 6]
    return -1


@part
def push_holes(stack, top, rules, source, chart, stop):  # type: ignore[no-untyped-def]
    """Take the top partial match with a hole off the stack, push what may follow it, and return its row."""
    top -= 1
    state = stack[top].copy()
    node, at = state[0], state[1]
    if at < stop:
        after = step(rules.keys, rules.nodes, rules.alive, node, source[at]) if source[at] > 1 else -1
        if after >= 0:
            put_row(stack, top, state)
            stack[top, 0], stack[top, 1] = after, at + 1
            top += 1
        after = step(rules.keys, rules.nodes, rules.alive, node, np.int32(SLOT))
        if after >= 0:
            for end in range(at + 1, stop + 1):
                if state[5] < 0 and not (end == at + 1 and source[at] < 2):
                    stack = grown(stack, top + 1)
                    put_row(stack, top, state)
                    stack[top, 0], stack[top, 1], stack[top, 3], stack[top, 4] = after, end, at, end
                    stack[top, 5], stack[top, 6] = state[6], state[6] + 1
                    top += 1
                entry = chart.first[at, end]
                while entry >= 0:
                    stack = grown(stack, top + 1)
                    put_row(stack, top, state)
                    stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 6] = after, end, entry, state[6] + 1
                    top += 1
                    entry = chart.entries[entry, 4]
    return stack, top, state


@part
def contexts(source, target, rules, skip, chart):  # type: ignore[no-untyped-def]
    """Return every way to derive source and target with a hole left in them.

    A row has the span of the hole in the source, where its content first occurs in the target, its length, and where
    its places in the target stand in the pool, how many they are, and the next row of the same span.
    """
    n = source.size
    inner, outer = slot_counts(source), slot_counts(target)
    heads = np.full((n + 1) * (n + 1), -1, np.int32)
    table, places = np.zeros((64, 7), np.int32), np.zeros((64, 1), np.int32)
    put(table, 0, 0, n, 0, target.size)
    table[0, 5], table[0, 6] = 1, -1
    size, used, done = 1, 1, 0
    stack = np.empty((64, 7), np.int32)
    offsets, wanted = np.empty(target.size + 1, np.int32), np.empty(target.size + 1, np.int32)
    while done < size:
        i, j, length, base, copies = table[done, 0], table[done, 1], table[done, 3], table[done, 4], table[done, 5]
        for column in range(7):
            stack[0, column] = -1
        stack[0, 0], stack[0, 1], stack[0, 6] = ROOT, i, 0
        top = np.int64(1)
        while top > 0:
            stack, top, state = push_holes(stack, top, rules, source, chart, j)
            rule = rules.head[state[0]] if state[1] == j and state[5] >= 0 else -1
            while rule >= 0:
                times = 0
                if rule != skip:
                    first, rest, times = hole_of(
                        rules, rule, state[5], length, places[base, 0], state[2], chart, target, offsets
                    )
                if times > 0 and slots_fit(inner, outer, state[3], state[4], first, rest, times * copies):
                    number = 0
                    for c in range(copies):
                        for k in range(times):
                            wanted[number] = places[base + c, 0] + offsets[k]
                            number += 1
                    cell = state[3] * (n + 1) + state[4]
                    if find_context(heads, table, places, cell, first, rest, wanted, np.int64(number)) < 0:
                        table, places = grown(table, size + 1), grown(places, used + number)
                        put(table, size, state[3], state[4], first, rest)
                        table[size, 4], table[size, 5], table[size, 6] = used, number, heads[cell]
                        for k in range(number):
                            places[used + k, 0] = wanted[k]
                        heads[cell] = size
                        size, used = size + 1, used + number
                rule = rules.after[rule]
        done += 1
    return heads, table[:size], places


@kernel
def occurrences(part_at, length, target, wanted):  # type: ignore[no-untyped-def]
    """Write where a part of the target stands, without overlap; return how often, and how often with overlap."""
    number, total, free = 0, 0, 0
    for at in range(target.size - length + 1):
        same = True
        for k in range(length):
            if target[at + k] != target[part_at + k]:
                same = False
                break
        if same:
            total += 1
            if at >= free:
                wanted[number] = at
                number += 1
                free = at + length
    return number, total


@part
def is_once(source, i, j):  # type: ignore[no-untyped-def]
    """Return whether a part of the source stands only once in it."""
    for at in range(source.size - (j - i) + 1):
        if at != i:
            same = True
            for k in range(j - i):
                if source[at + k] != source[i + k]:
                    same = False
                    break
            if same:
                return False
    return True


@kernel
def splits(source, target, rules, skip, repeat, chart):  # type: ignore[no-untyped-def]
    """Return the ways to split a rule, of which one half follows from the others.

    The chart is that of the rule's sides without the rule, and has no derivation of them. A way is a row: 1 where the
    outer half is new and 0 where the inner one is, the inner half's span in the source, its first place in the target,
    and its length there.
    """
    n = source.size
    ways, size = np.empty((64, 5), np.int32), 0
    heads, table, places = contexts(source, target, rules, skip, chart)
    inner, outer = slot_counts(source), slot_counts(target)
    wanted = np.empty(target.size + 1, np.int32)
    total = chart.entries.shape[0]
    for number in range(total + table.shape[0]):
        row = chart.entries[number] if number < total else table[number - total]
        i, j, first, length = row[0], row[1], row[2], row[3]
        if j - i == n or (j == i + 1 and source[i] < 2) or not is_once(source, i, j):
            continue
        copies, times = occurrences(first, length, target, wanted)
        if (times > 1 and not repeat) or not slots_fit(inner, outer, i, j, first, length, copies):
            continue
        cell = i * (n + 1) + j
        context = find_context(heads, table, places, cell, first, length, wanted, copies)
        if number < total:
            new = context < 0
        else:
            new = context == number - total and find_entry(chart.first[i, j], chart.entries, first, length) < 0
        if new:
            ways = grown(ways, size + 1)
            put(ways, size, number < total, i, j, first)
            ways[size, 4] = length
            size += 1
    return ways[:size]
