"""The kernel that finds the paths of relations between two nodes.

A walk may pass a node more than once, as a path that is followed may. The last step of a walk is not walked: it is
looked up among the edges of its end, so that a walk of two steps takes as many look-ups as its start has edges.
"""

from __future__ import annotations

import numpy as np

from recombine.kb.embedded.hop_kernels import Edges
from recombine.kernels.kernel import kernel, part

__all__ = ["Edges", "paths_between"]

_NODE = np.int64(0xFFFFFFFF)


@part
def _bounds(starts, edges, node):  # type: ignore[no-untyped-def]
    if node < 0 or node >= len(starts) - 1:
        return np.int64(0), np.int64(0)
    first, last = max(starts[node], 0), min(starts[node + 1], len(edges))
    return first, max(last, first)


@part
def _edge(graph, node, number):  # type: ignore[no-untyped-def]
    """The step of a node's edge of some number, those out of it first, and where it leads; -1 after the last."""
    first, last = _bounds(graph.forward_starts, graph.forward, node)
    if number < last - first:
        edge = graph.forward[first + number]
        return edge >> 32, edge & _NODE
    number -= last - first
    first, last = _bounds(graph.backward_starts, graph.backward, node)
    if number < last - first:
        edge = graph.backward[first + number]
        return ~(edge >> 32), edge & _NODE
    return np.int64(0), np.int64(-1)


@part
def _last_steps(graph, end):  # type: ignore[no-untyped-def]
    """The nodes from which one step leads to the end, sorted, and those steps."""
    count = 0
    while _edge(graph, end, count)[1] >= 0:
        count += 1
    nodes, steps = np.empty(count, np.int64), np.empty(count, np.int64)
    for number in range(count):
        step, nodes[number] = _edge(graph, end, number)
        steps[number] = ~step
    order = np.argsort(nodes)
    return nodes[order], steps[order]


@part
def _enter(table, rows, count, row, length):  # type: ignore[no-untyped-def]
    """Whether a row is new among the first rows; the table has room and gets it."""
    value = np.uint64(14695981039346656037)
    for number in range(length):
        value = (value ^ np.uint64(row[number])) * np.uint64(1099511628211)
        value ^= value >> np.uint64(29)
    mask = np.uint64(len(table) - 1)
    place = value & mask
    while table[place]:
        other, number = rows[table[place] - 1], 0
        while number < length and other[number] == row[number]:
            number += 1
        if number == length:
            return False
        place = (place + np.uint64(1)) & mask
    table[place] = count + 1
    return True


@kernel
def paths_between(graph, start, end, length, most):  # type: ignore[no-untyped-def]
    """The distinct paths of so many steps from one node to another, a row each; more than `most` end the search."""
    last_nodes, last_steps = _last_steps(graph, end)
    size = 64
    while size < 2 * (most + 2):
        size *= 2
    table = np.zeros(size, np.int64)
    rows = np.empty((most + 1, length), np.int64)
    count = 0
    nodes, numbers = np.empty(length, np.int64), np.zeros(length, np.int64)
    row = np.empty(length, np.int64)
    nodes[0] = start
    depth = 0
    while depth >= 0:
        if depth == length - 1:
            place = np.searchsorted(last_nodes, nodes[depth])
            while place < len(last_nodes) and last_nodes[place] == nodes[depth]:
                row[depth] = last_steps[place]
                if _enter(table, rows, count, row, length):
                    rows[count] = row
                    count += 1
                    if count > most:
                        return rows[:count]
                place += 1
            depth -= 1
            continue
        step, node = _edge(graph, nodes[depth], numbers[depth])
        numbers[depth] += 1
        if node < 0:
            depth -= 1
            continue
        row[depth] = step
        depth += 1
        nodes[depth], numbers[depth] = node, 0
    return rows[:count].copy()
