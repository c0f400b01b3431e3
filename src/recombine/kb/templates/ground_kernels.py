"""Kernels that draw groundings of a template and find their answers, many at once.

A tree of nodes is given by arrays, parents before children: the parent of each, the step from there, and what each can
be. A step is the id of a relation, or its complement against facts. `marks` has a zero for every term and is left so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recombine.kb.embedded.hop_kernels import Edges
from recombine.kernels.kernel import kernel, part

__all__ = [
    "BY_BIN",
    "GIVEN",
    "INNER",
    "PLAIN",
    "WITHIN",
    "Edges",
    "Given",
    "Nodes",
    "Order",
    "answers_many",
    "draw_walks",
    "edge_counts",
    "step_from",
]

INNER, GIVEN, WITHIN = 0, 1, 2
"""A node that its children decide; a leaf with ids that are given; a literal whose rank is within a range."""
PLAIN, BY_BIN = 0, 1
"""A node of a walk that is drawn from all that it can be alike, or from ranges of popularity alike."""
_NODE = np.int64(0xFFFFFFFF)
_BINS = 128
_MANY = 8
"""Edges of a value that are more than so many times the candidates are looked up from these."""


class Nodes(NamedTuple):
    """The nodes of a tree, the root first."""

    parents: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    """Which of the leaves that are given a node is."""
    listed: npt.NDArray[np.bool_]
    """Whether all that a node can be is listed."""
    starts: npt.NDArray[np.int64]
    """Where the list of each node begins."""
    lists: npt.NDArray[np.int32]


class Given(NamedTuple):
    """What stands at the leaves, row by row."""

    starts: npt.NDArray[np.int64]
    """Where the ids of each leaf of each row begin."""
    ids: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.int64]
    """By row and leaf the family of a literal, and its first rank and the one after its last."""


class Order(NamedTuple):
    """The family and the rank in it of each literal."""

    families: npt.NDArray[np.int8]
    ranks: npt.NDArray[np.int32]


@part
def _first_from(edges, first, last, value):  # type: ignore[no-untyped-def]
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
def _range(graph, node, step):  # type: ignore[no-untyped-def]
    """Where the edges of a node along a step begin and end, among those along facts or those against."""
    starts, edges = (graph.forward_starts, graph.forward) if step >= 0 else (graph.backward_starts, graph.backward)
    relation = step if step >= 0 else ~step
    if node < 0 or node >= len(starts) - 1:
        return np.int64(0), np.int64(0)
    first, last = max(starts[node], 0), min(starts[node + 1], len(edges))
    first = _first_from(edges, first, last, relation << 32)
    return first, _first_from(edges, first, last, (relation + 1) << 32)


@part
def _edge_of(graph, step):  # type: ignore[no-untyped-def]
    return graph.forward if step >= 0 else graph.backward


@part
def _holds(ids, first, last, value):  # type: ignore[no-untyped-def]
    """Whether a sorted part of ids has a value."""
    while first < last:
        middle = (first + last) >> 1
        if ids[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first < len(ids) and ids[first] == value


@part
def _room(pool, top, more):  # type: ignore[no-untyped-def]
    """The pool, larger where there is no room for more at its top."""
    if top + more <= len(pool):
        return pool
    larger = np.empty(2 * (top + more), np.int32)
    larger[:top] = pool[:top]
    return larger


@part
def _reach(graph, ids, first, last, step, pool, top, marks):  # type: ignore[no-untyped-def]
    """Put all that a step leads to from some ids at the top of the pool, each once; the pool and its new top."""
    begin = top
    edges = _edge_of(graph, step)
    alone = last - first == 1
    for place in range(first, last):
        low, high = _range(graph, np.int64(ids[place]), step)
        pool = _room(pool, top, high - low)
        for edge in range(low, high):
            node = edges[edge] & _NODE
            if node < len(marks) and (alone or not marks[node]):
                marks[node] = 1
                pool[top] = node
                top += 1
    for place in range(begin, top):
        marks[pool[place]] = 0
    return pool, top


@part
def _degree(graph, ids, first, last, step):  # type: ignore[no-untyped-def]
    total = 0
    for place in range(first, last):
        low, high = _range(graph, np.int64(ids[place]), step)
        total += high - low
    return total


@part
def _keep_marked(graph, ids, first, last, step, pool, begin, top, marks):  # type: ignore[no-untyped-def]
    """Of a part of the pool keep what a step leads to from any of some ids; its new end."""
    edges = _edge_of(graph, step)
    for place in range(first, last):
        low, high = _range(graph, np.int64(ids[place]), step)
        for edge in range(low, high):
            if edges[edge] & _NODE < len(marks):
                marks[edges[edge] & _NODE] = 1
    kept = begin
    for place in range(begin, top):
        if marks[pool[place]]:
            pool[kept] = pool[place]
            kept += 1
    for place in range(first, last):
        low, high = _range(graph, np.int64(ids[place]), step)
        for edge in range(low, high):
            if edges[edge] & _NODE < len(marks):
                marks[edges[edge] & _NODE] = 0
    return kept


@part
def _keep_leading(graph, pool, begin, top, step, node):  # type: ignore[no-untyped-def]
    """Of a part of the pool keep that from which a step leads to a node; its new end."""
    edges, kept = _edge_of(graph, step), begin
    for place in range(begin, top):
        low, high = _range(graph, np.int64(pool[place]), step)
        relation = step if step >= 0 else ~step
        edge = relation << 32 | np.int64(node)
        found = _first_from(edges, low, high, edge)
        if found < high and edges[found] == edge:
            pool[kept] = pool[place]
            kept += 1
    return kept


@part
def _keep_ranked(graph, pool, begin, top, step, order, bounds):  # type: ignore[no-untyped-def]
    """Of a part of the pool keep that from which a step leads to a literal of a family within ranks; its new end."""
    edges, kept = _edge_of(graph, step), begin
    for place in range(begin, top):
        low, high = _range(graph, np.int64(pool[place]), step)
        for edge in range(low, high):
            literal = edges[edge] & _NODE
            if (
                literal < len(order.families)
                and order.families[literal] == bounds[0]
                and bounds[1] <= order.ranks[literal] < bounds[2]
            ):
                pool[kept] = pool[place]
                kept += 1
                break
    return kept


@kernel
def step_from(graph, ids, step, marks):  # type: ignore[no-untyped-def]
    """All that a step leads to from some ids, sorted."""
    pool, top = _reach(graph, ids, np.int64(0), np.int64(len(ids)), step, np.empty(64, np.int32), np.int64(0), marks)
    if top * 4 < len(marks):
        found = pool[:top].copy()
        found.sort()
        return found
    for place in range(top):  # a look at every term is quicker than to sort most of them
        marks[pool[place]] = 1
    found = np.empty(top, np.int32)
    count = 0
    for node in range(len(marks)):
        if marks[node]:
            found[count] = node
            count += 1
            marks[node] = 0
    return found


@kernel
def edge_counts(graph, ids, step):  # type: ignore[no-untyped-def]
    """How many edges each of some ids has along a step."""
    counts = np.empty(len(ids), np.int64)
    for place in range(len(ids)):
        low, high = _range(graph, np.int64(ids[place]), step)
        counts[place] = high - low
    return counts


@part
def _narrow(graph, nodes, given, order, row, pool, ends, marks):  # type: ignore[no-untyped-def]
    """What the root of a tree can be, given its leaves: the pool, and where in it that begins and ends."""
    number = len(nodes.parents)
    width = np.int64(given.bounds.shape[1])
    top = np.int64(0)
    for place in range(number - 1, -1, -1):
        if nodes.kinds[place] != INNER:
            continue
        begin, known = top, False
        for child in range(place + 1, number):
            if nodes.parents[child] == place and nodes.kinds[child] == INNER:
                first, last, back = ends[child, 0], ends[child, 1], ~nodes.steps[child]
                if known:
                    top = _keep_marked(graph, pool, first, last, back, pool, begin, top, marks)
                else:
                    pool, top = _reach(graph, pool, first, last, back, pool, top, marks)
                    known = True
        while True:  # given leaves by the number of their edges
            best, fewest = -1, np.int64(0)
            for child in range(place + 1, number):
                if nodes.parents[child] == place and nodes.kinds[child] == GIVEN and ends[child, 0] != ~row:
                    at = row * width + nodes.leaves[child]
                    back = ~nodes.steps[child]
                    size = _degree(graph, given.ids, given.starts[at], given.starts[at + 1], back)
                    if best < 0 or size < fewest:
                        best, fewest = child, size
            if best < 0:
                break
            at = row * width + nodes.leaves[best]
            ends[best, 0] = ~row  # done in this row
            first, last, back = given.starts[at], given.starts[at + 1], ~nodes.steps[best]
            if not known:
                pool, top = _reach(graph, given.ids, first, last, back, pool, top, marks)
                known = True
            elif last - first == 1 and fewest > _MANY * (top - begin):
                top = _keep_leading(graph, pool, begin, top, nodes.steps[best], given.ids[first])
            else:
                top = _keep_marked(graph, given.ids, first, last, back, pool, begin, top, marks)
        if nodes.listed[place]:
            first, last = nodes.starts[place], nodes.starts[place + 1]
            if known:
                kept = begin
                for each in range(begin, top):
                    if _holds(nodes.lists[:last], first, last, pool[each]):
                        pool[kept] = pool[each]
                        kept += 1
                top = kept
            else:
                pool = _room(pool, top, last - first)
                for each in range(first, last):
                    pool[top] = nodes.lists[each]
                    top += 1
        for child in range(place + 1, number):
            if nodes.parents[child] == place and nodes.kinds[child] == WITHIN:
                own = given.bounds[row, nodes.leaves[child]]
                top = _keep_ranked(graph, pool, begin, top, nodes.steps[child], order, own)
        ends[place, 0], ends[place, 1] = begin, top
    return pool, ends[0, 0], ends[0, 1]


@kernel
def answers_many(graph, nodes, given, order, marks, keep):  # type: ignore[no-untyped-def]
    """What the root of a tree can be for each row of leaves: where each row's answers begin, and all of them, sorted.

    Without `keep` the answers are counted and not given.
    """
    rows = given.bounds.shape[0]
    begins = np.zeros(rows + 1, np.int64)
    answers = np.empty(64, np.int32)
    pool = np.empty(256, np.int32)
    ends = np.zeros((len(nodes.parents), 2), np.int64)
    total = np.int64(0)
    for row in range(rows):
        pool, first, last = _narrow(graph, nodes, given, order, np.int64(row), pool, ends, marks)
        count = last - first
        if keep:
            answers = _room(answers, total, count)
            own = pool[first:last].copy()
            own.sort()
            answers[total : total + count] = own
        total += count
        begins[row + 1] = total
    return begins, answers[: total if keep else 0].copy()


@part
def _fits(nodes, place, named, node):  # type: ignore[no-untyped-def]
    """Whether a node of a walk can be a term."""
    if nodes.listed[place]:
        last = nodes.starts[place + 1]
        if not _holds(nodes.lists[:last], nodes.starts[place], last, node):
            return False
    return node < len(named) and (nodes.kinds[place] == PLAIN or named[node])


@kernel
def draw_walks(graph, nodes, named, bins, firsts, chances):  # type: ignore[no-untyped-def]
    """A term for every node of a tree in each row, from that of its root on; -1 where nothing fits.

    A node is drawn from all terms that fit. One of kind `BY_BIN` is drawn from those that have a name: first a range of
    popularity among those that are there, then one of it.
    """
    rows, number = len(firsts), len(nodes.parents)
    drawn = np.full((rows, number), -1, np.int32)
    counts = np.zeros(_BINS, np.int64)
    for row in range(rows):
        drawn[row, 0] = firsts[row]
        for place in range(1, number):
            node, step = np.int64(drawn[row, nodes.parents[place]]), nodes.steps[place]
            if node < 0:
                break
            edges = _edge_of(graph, step)
            low, high = _range(graph, node, step)
            counts[:] = 0
            by_bin = nodes.kinds[place] == BY_BIN
            for edge in range(low, high):
                other = edges[edge] & _NODE
                if _fits(nodes, place, named, other):
                    counts[bins[other] if by_bin else 0] += 1
            met = np.count_nonzero(counts)
            if met == 0:
                break
            scaled = chances[row, place] * met
            turn = min(np.int64(scaled), met - 1)
            chance = scaled - turn
            chosen = -1
            while turn >= 0:
                chosen += 1
                if counts[chosen] > 0:
                    turn -= 1
            wanted = min(np.int64(chance * counts[chosen]), counts[chosen] - 1)
            for edge in range(low, high):
                other = edges[edge] & _NODE
                if (not by_bin or bins[other] == chosen) and _fits(nodes, place, named, other):
                    if wanted == 0:
                        drawn[row, place] = other
                        break
                    wanted -= 1
    return drawn
