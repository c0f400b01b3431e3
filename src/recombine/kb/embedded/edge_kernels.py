"""Kernels that make of facts the sorted edges of every node.

The edges of a node `n` are `edges[starts[n]:starts[n + 1]]`; an edge is a relation and the node at its other end in one
number, `relation << 32 | node`, so that a node's edges are sorted by relation and then by node.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

_FEW = 24
"""So many numbers are sorted by insertion."""
_NODE = np.int64(0xFFFFFFFF)


@kernel
def count_subjects(facts, places, degrees):  # type: ignore[no-untyped-def]
    """Count the facts of every subject; facts hold numbers of terms, and places say which terms they are."""
    for row in range(len(facts)):
        degrees[places[facts[row, 0]]] += 1


@kernel
def place_facts(facts, places, ends, edges):  # type: ignore[no-untyped-def]
    """Put the edge of every fact behind those that its subject has so far."""
    for row in range(len(facts)):
        subject = places[facts[row, 0]]
        edges[ends[subject]] = np.int64(places[facts[row, 1]]) << 32 | np.int64(places[facts[row, 2]])
        ends[subject] += 1


@part
def _sort(numbers, first, last):  # type: ignore[no-untyped-def]
    if last - first > _FEW:
        numbers[first:last].sort()
        return
    for place in range(first + 1, last):
        value = numbers[place]
        back = place
        while back > first and numbers[back - 1] > value:
            numbers[back] = numbers[back - 1]
            back -= 1
        numbers[back] = value


@kernel
def sort_distinct(starts, edges):  # type: ignore[no-untyped-def]
    """Sort the edges of every node and keep each once; `starts` is changed, and the number of edges kept is given."""
    kept = 0
    first = starts[0]
    for node in range(len(starts) - 1):
        last = starts[node + 1]
        _sort(edges, first, last)
        starts[node] = kept
        for place in range(first, last):
            if place == first or edges[place] != edges[place - 1]:
                edges[kept] = edges[place]
                kept += 1
        first = last
    starts[len(starts) - 1] = kept
    return kept


@kernel
def turn_edges(starts, edges):  # type: ignore[no-untyped-def]
    """The same edges from their other ends."""
    ends = np.zeros(len(starts), np.int64)
    for place in range(len(edges)):
        ends[(edges[place] & _NODE) + 1] += 1
    for node in range(1, len(ends)):
        ends[node] += ends[node - 1]
    turned_starts = ends.copy()
    turned = np.empty(len(edges), np.int64)
    for node in range(len(starts) - 1):
        for place in range(starts[node], starts[node + 1]):
            target = edges[place] & _NODE
            turned[ends[target]] = (edges[place] & ~_NODE) | node
            ends[target] += 1
    for node in range(len(starts) - 1):
        _sort(turned, turned_starts[node], turned_starts[node + 1])
    return turned_starts, turned


@kernel
def count_relations(edges, counts):  # type: ignore[no-untyped-def]
    """Count the facts of every relation."""
    for place in range(len(edges)):
        counts[edges[place] >> 32] += 1
