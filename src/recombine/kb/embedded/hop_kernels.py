"""Kernels that follow edges: from sets of nodes along paths of relations, many at once.

A step is the id of a relation, or its complement `~relation` against the direction of facts; `ANY` is every relation.
Numbers that come from files are held against the lengths of the arrays before they lead anywhere: a damaged file gives
a wrong answer at worst, and never a look beyond an array.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recombine.kernels.kernel import kernel, part

ANY = 1 << 40
_NODE = np.int64(0xFFFFFFFF)
_FEW = 24


class Edges(NamedTuple):
    """The edges of every node both ways, as `edge_kernels` makes them."""

    forward_starts: npt.NDArray[np.int64]
    forward: npt.NDArray[np.int64]
    backward_starts: npt.NDArray[np.int64]
    backward: npt.NDArray[np.int64]


@part
def _first_from(edges, first, last, value):  # type: ignore[no-untyped-def]
    """The first place in a sorted range whose number is at least a value."""
    while last - first > 8:
        middle = (first + last) >> 1
        if edges[middle] < value:
            first = middle + 1
        else:
            last = middle
    while first < last and edges[first] < value:
        first += 1
    return first


@part
def _range(starts, edges, node, relation):  # type: ignore[no-untyped-def]
    """Where the edges of a node along a relation begin and end."""
    if node < 0 or node >= len(starts) - 1:
        return np.int64(0), np.int64(0)
    first, last = max(starts[node], 0), min(starts[node + 1], len(edges))
    if relation != ANY:
        first = _first_from(edges, first, last, relation << 32)
        end = first
        while end < last and end < first + 8 and edges[end] >> 32 == relation:
            end += 1
        if end == first + 8:
            end = _first_from(edges, end, last, (relation + 1) << 32)
        last = end
    return first, last


@part
def _hop(starts, edges, relation, nodes, number, reached):  # type: ignore[no-untyped-def]
    """Put the ends of all edges along a relation from the first nodes one after the other, in room that grows."""
    count = 0
    for place in range(number):
        first, last = _range(starts, edges, np.int64(nodes[place]), relation)
        if count + last - first > len(reached):
            larger = np.empty(2 * (count + last - first), np.int32)
            larger[:count] = reached[:count]
            reached = larger
        for edge in range(first, last):
            reached[count] = edges[edge] & _NODE
            count += 1
    return reached, count


@part
def _distinct(nodes, count):  # type: ignore[no-untyped-def]
    """Sort the first nodes, keep each once, and give how many are left."""
    if count > _FEW:
        rising = True
        for place in range(1, count):
            if nodes[place] <= nodes[place - 1]:
                rising = False
                break
        if rising:
            return count
        nodes[:count].sort()
    else:
        for place in range(1, count):
            value = nodes[place]
            back = place
            while back > 0 and nodes[back - 1] > value:
                nodes[back] = nodes[back - 1]
                back -= 1
            nodes[back] = value
    kept = 0
    for place in range(count):
        if place == 0 or nodes[place] != nodes[place - 1]:
            nodes[kept] = nodes[place]
            kept += 1
    return kept


@part
def _walk(graph, path, nodes, count, spare):  # type: ignore[no-untyped-def]
    """The distinct nodes at the end of a path from the first nodes: where they are, how many, and the other room."""
    for step in path:
        if step >= 0:
            reached, number = _hop(graph.forward_starts, graph.forward, step, nodes, count, spare)
        else:
            reached, number = _hop(graph.backward_starts, graph.backward, ~step, nodes, count, spare)
        nodes, spare, count = reached, nodes, _distinct(reached, number)
    return nodes, count, spare


@kernel
def follow_one(graph, start, path):  # type: ignore[no-untyped-def]
    """The distinct nodes at the end of a path from one node, sorted."""
    nodes, spare = np.empty(64, np.int32), np.empty(64, np.int32)
    nodes[0] = start
    nodes, count, spare = _walk(graph, path, nodes, np.int64(start >= 0), spare)
    return nodes[:count].copy()


@kernel
def follow_set(graph, starts, path):  # type: ignore[no-untyped-def]
    """The distinct nodes at the end of a path from any of some nodes, sorted; the nodes themselves for no step."""
    nodes, spare = starts.copy(), np.empty(64, np.int32)
    count = _distinct(nodes, len(nodes))
    nodes, count, spare = _walk(graph, path, nodes, count, spare)
    return nodes[:count].copy()


@kernel
def follow_many(graph, starts, paths):  # type: ignore[no-untyped-def]
    """For every node and its path, the distinct nodes at its end: where each answer begins, and all end to end."""
    begins = np.zeros(len(starts) + 1, np.int64)
    answers = np.empty(max(64, len(starts)), np.int32)
    nodes, spare = np.empty(64, np.int32), np.empty(64, np.int32)
    total = 0
    for query in range(len(starts)):
        nodes[0] = starts[query]
        nodes, count, spare = _walk(graph, paths[query], nodes, np.int64(starts[query] >= 0), spare)
        if total + count > len(answers):
            larger = np.empty(max(2 * len(answers), total + count), np.int32)
            larger[:total] = answers[:total]
            answers = larger
        answers[total : total + count] = nodes[:count]
        total += count
        begins[query + 1] = total
    return begins, answers[:total].copy()


@kernel
def count_edges(starts, edges, node, relation):  # type: ignore[no-untyped-def]
    """How many edges a node has along a relation."""
    first, last = _range(starts, edges, node, relation)
    return last - first


@kernel
def has_edge(starts, edges, node, relation, other):  # type: ignore[no-untyped-def]
    """Whether a node has an edge along a relation to another node."""
    if node < 0 or node >= len(starts) - 1:
        return False
    first, last = max(starts[node], 0), min(starts[node + 1], len(edges))
    edge = relation << 32 | other
    place = _first_from(edges, first, last, edge)
    return place < last and edges[place] == edge


@kernel
def relations_to(starts, edges, node, other):  # type: ignore[no-untyped-def]
    """The relations of the edges from a node to another one."""
    first, last = _range(starts, edges, node, np.int64(ANY))
    found = np.empty(max(0, last - first), np.int32)
    count = 0
    for place in range(first, last):
        if edges[place] & _NODE == other:
            found[count] = edges[place] >> 32
            count += 1
    return found[:count].copy()


@kernel
def nodes_along(starts, edges, relation):  # type: ignore[no-untyped-def]
    """All nodes that have an edge along a relation, sorted."""
    found = np.empty(64, np.int32)
    count = 0
    for node in range(len(starts) - 1):
        first, last = _range(starts, edges, node, relation)
        if first < last:
            if count == len(found):
                larger = np.empty(2 * count, np.int32)
                larger[:count] = found
                found = larger
            found[count] = node
            count += 1
    return found[:count].copy()


@kernel
def nodes_with_edge(starts, edges, nodes, relation, other):  # type: ignore[no-untyped-def]
    """Which of some nodes have an edge along a relation to another node."""
    found = np.zeros(len(nodes), np.bool_)
    edge = np.int64(relation) << 32 | np.int64(other)
    for number in range(len(nodes)):
        node = nodes[number]
        if node < 0 or node >= len(starts) - 1:
            continue
        first, last = max(starts[node], 0), min(starts[node + 1], len(edges))
        place = _first_from(edges, first, last, edge)
        found[number] = place < last and edges[place] == edge
    return found
