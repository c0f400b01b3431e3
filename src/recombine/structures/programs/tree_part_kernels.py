"""Array kernels over flat trees: the downward paths and the cut sub-trees of every program, and their counts.

A part is made of cells, pairs of two codes; a code below the number of symbols is a symbol alone, any other one is that
number plus the number of a cell. Cells are interned by comparing both codes, never by a hash alone. Every kernel and
all it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ONE = np.uint64(1)


@njit(cache=True)
def _slot(table, firsts, seconds, first, second):  # type: ignore[no-untyped-def]
    """Where the table holds a cell, or the free place for it."""
    mask = np.uint64(len(table) - 1)
    mixed = (np.uint64(first) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(second) * np.uint64(0xBF58476D1CE4E5B9))
    at = (mixed ^ (mixed >> np.uint64(29))) & mask
    while table[at] >= 0 and (firsts[table[at]] != first or seconds[table[at]] != second):
        at = (at + ONE) & mask
    return at


@njit(cache=True)
def _grown(array, count):  # type: ignore[no-untyped-def]
    """The array with room for one more than count."""
    if count < len(array):
        return array
    larger = np.empty(2 * len(array), np.int64)
    larger[:count] = array[:count]
    return larger


@njit(cache=True)
def _intern(table, firsts, seconds, count, first, second):  # type: ignore[no-untyped-def]
    """The number of a cell, with the table and the cells as they are when it is in."""
    at = _slot(table, firsts, seconds, first, second)
    if table[at] >= 0:
        return table[at], table, firsts, seconds, count
    firsts, seconds = _grown(firsts, count), _grown(seconds, count)
    firsts[count] = first
    seconds[count] = second
    table[at] = count
    count += 1
    if 2 * count > len(table):
        table = np.full(2 * len(table), -1, np.int64)
        for number in range(count):
            table[_slot(table, firsts, seconds, firsts[number], seconds[number])] = number
    return count - 1, table, firsts, seconds, count


@njit(cache=True)
def argument_positions(lefts):  # type: ignore[no-untyped-def]
    """The place of every node among its parent's children, counted from 1, given the sibling to its left."""
    places = np.ones(len(lefts), np.int64)
    for node in range(len(lefts)):
        if lefts[node] >= 0:
            places[node] = places[lefts[node]] + 1
    return places


@njit(cache=True)
def list_paths(starts, labels, parents, slots, symbols, width, low, high):  # type: ignore[no-untyped-def]
    """The downward paths with low to high edges, program by program.

    A path is a cell of the symbol it begins with, times `width` plus the argument position it goes on to, and the code
    of the rest. Gives where each program's parts begin, the cells that are its parts, and the cells.
    """
    table = np.full(1 << 10, -1, np.int64)
    firsts, seconds, count = np.empty(1 << 9, np.int64), np.empty(1 << 9, np.int64), 0
    part_start = np.zeros(len(starts), np.int64)
    parts, total = np.empty(len(labels) + 1, np.int64), 0
    for program in range(len(starts) - 1):
        for node in range(starts[program], starts[program + 1]):
            code, below = labels[node], node
            for edges in range(1, high + 1):
                above = parents[below]
                if above < 0:
                    break
                head = labels[above] * width + slots[below]
                cell, table, firsts, seconds, count = _intern(table, firsts, seconds, count, head, code)
                code, below = symbols + cell, above
                if edges >= low:
                    parts = _grown(parts, total)
                    parts[total] = cell
                    total += 1
        part_start[program + 1] = total
    return part_start, parts[:total], firsts[:count], seconds[:count]


@njit(cache=True)
def list_subtrees(starts, labels, children, symbols, low, high):  # type: ignore[no-untyped-def]
    """Each node with all below it down to a depth, for each depth from low to high that it reaches.

    A node with n children is a chain of n cells, from its symbol on: what stands before a child, and the code of that
    child cut one level earlier. Gives where each program's parts begin, the cells that are its parts, and the cells.
    """
    table = np.full(1 << 10, -1, np.int64)
    firsts, seconds, count = np.empty(1 << 9, np.int64), np.empty(1 << 9, np.int64), 0
    part_start = np.zeros(len(starts), np.int64)
    parts, total = np.empty(len(labels) + 1, np.int64), 0
    longest = 0
    for program in range(len(starts) - 1):
        longest = max(longest, starts[program + 1] - starts[program])
    cuts = np.empty((longest, high + 1), np.int64)  # by node of the program and depth
    sizes, heights = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for program in range(len(starts) - 1):
        begin = starts[program]
        for node in range(starts[program + 1] - begin - 1, -1, -1):
            size, reach = 1, 0
            for _ in range(children[begin + node]):
                reach = max(reach, heights[node + size] + 1)
                size += sizes[node + size]
            sizes[node], heights[node] = size, min(high, reach)
            cuts[node, 0] = labels[begin + node]
            for depth in range(1, heights[node] + 1):
                code, child, cell = labels[begin + node], node + 1, 0
                for _ in range(children[begin + node]):
                    inner = cuts[child, min(depth - 1, heights[child])]
                    cell, table, firsts, seconds, count = _intern(table, firsts, seconds, count, code, inner)
                    code = symbols + cell
                    child += sizes[child]
                cuts[node, depth] = code
                if depth >= low:
                    parts = _grown(parts, total)
                    parts[total] = cell
                    total += 1
        part_start[program + 1] = total
    return part_start, parts[:total], firsts[:count], seconds[:count]


@njit(cache=True)
def count_parts(starts, parts, columns):  # type: ignore[no-untyped-def]
    """Rows of a compressed matrix: each row's parts once, in the order of their first occurrence, with their counts."""
    indptr = np.zeros(len(starts), np.int64)
    indices, counts = np.empty(len(parts), np.int32), np.empty(len(parts), np.int32)
    seen = np.zeros(columns, np.int32)
    total = 0
    for row in range(len(starts) - 1):
        first = total
        for at in range(starts[row], starts[row + 1]):
            if seen[parts[at]] == 0:
                indices[total] = parts[at]
                total += 1
            seen[parts[at]] += 1
        for at in range(first, total):
            counts[at] = seen[indices[at]]
            seen[indices[at]] = 0
        indptr[row + 1] = total
    return indptr, indices[:total], counts[:total]
