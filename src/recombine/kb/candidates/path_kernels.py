"""Kernels that list the paths of one or two steps that lead somewhere from sets of nodes.

A step is the place of its relation among those that are gone along, or that place plus their number against the
direction of facts; `places` has the place of every term's id, -1 for what is no such relation. A literal ends a path.
The edges of a node lie by their relations, so that its steps are found by leaping from one relation to the next: a node
with a million facts of ten relations is ten leaps.
"""

from __future__ import annotations

import numpy as np

from recombine.kb.embedded.hop_kernels import Edges
from recombine.kernels.kernel import kernel, part

__all__ = ["Edges", "classed_paths", "near_schema", "paths_within", "valued_paths"]

NO_STEP = -1
_NODE = np.int64(0xFFFFFFFF)
_FEW = 8


@part
def _first_from(edges, first, last, value):  # type: ignore[no-untyped-def]
    """The first place in a sorted range whose number is at least a value."""
    while first < last:
        middle = (first + last) >> 1
        if edges[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first


@part
def _run_end(edges, first, last):  # type: ignore[no-untyped-def]
    """Where the edges of the relation at a place end."""
    relation = edges[first] >> 32
    end = first + 1
    while end < last and end < first + _FEW and edges[end] >> 32 == relation:
        end += 1
    if end == first + _FEW:
        end = _first_from(edges, end, last, (relation + 1) << 32)
    return end


@part
def _bounds(starts, edges, node):  # type: ignore[no-untyped-def]
    """Where the edges of a node begin and end."""
    if node < 0 or node >= len(starts) - 1:
        return np.int64(0), np.int64(0)
    return max(starts[node], 0), min(starts[node + 1], len(edges))


@part
def _place(places, edge):  # type: ignore[no-untyped-def]
    """The place of the relation of an edge, -1 where it is not gone along."""
    relation = edge >> 32
    return np.int64(places[relation]) if 0 <= relation < len(places) else np.int64(NO_STEP)


@part
def _mark(starts, edges, places, node, shift, seen, stamp, steps, count):  # type: ignore[no-untyped-def]
    """Put the steps that lead from a node one way after those that are known, each that is not marked yet."""
    first, last = _bounds(starts, edges, node)
    while first < last:
        place = _place(places, edges[first])
        if place >= 0 and seen[place + shift] != stamp:
            seen[place + shift] = stamp
            steps[count] = place + shift
            count += 1
        first = _run_end(edges, first, last)
    return count


@part
def _mark_both(graph, places, relations, node, seen, stamp, steps, count):  # type: ignore[no-untyped-def]
    """Put the steps that lead from a node, along facts and against them, after those that are known."""
    zero = np.int64(0)
    count = _mark(graph.forward_starts, graph.forward, places, node, zero, seen, stamp, steps, count)
    return _mark(graph.backward_starts, graph.backward, places, node, relations, seen, stamp, steps, count)


@part
def _along(graph, relation_ids, relations, node, step):  # type: ignore[no-untyped-def]
    """The edges of a node along a step: all edges of that direction, and where its own begin and end."""
    forward = step < relations
    starts = graph.forward_starts if forward else graph.backward_starts
    edges = graph.forward if forward else graph.backward
    relation = np.int64(relation_ids[step if forward else step - relations])
    first, last = _bounds(starts, edges, node)
    first = _first_from(edges, first, last, relation << 32)
    return edges, first, _first_from(edges, first, last, (relation + 1) << 32)


@part
def _room(rows, count):  # type: ignore[no-untyped-def]
    """The rows with room for one more."""
    if count < len(rows):
        return rows
    larger = np.empty((2 * count, rows.shape[1]), rows.dtype)
    larger[:count] = rows[:count]
    return larger


@kernel
def paths_within(graph, places, relation_ids, literals, begins, nodes, hops):  # type: ignore[no-untyped-def]
    """The paths of one step, and of two where hops are two, from sets of nodes: where the rows of each begin, and all.

    A row is a first and a second step, which is `NO_STEP` for a path of one. Rows of a set are in the order of steps.
    """
    relations = np.int64(len(relation_ids))
    row_begins = np.zeros(len(begins), np.int64)
    rows = np.empty((256, 2), np.int32)
    seen, seen_next = np.zeros(2 * relations, np.int64), np.zeros(2 * relations, np.int64)
    steps, next_steps = np.empty(2 * relations, np.int64), np.empty(2 * relations, np.int64)
    total, stamp = np.int64(0), np.int64(0)
    for number in range(len(begins) - 1):
        count = np.int64(0)
        for place in range(begins[number], begins[number + 1]):
            count = _mark_both(
                graph, places, relations, np.int64(nodes[place]), seen, np.int64(number + 1), steps, count
            )
        steps[:count].sort()
        for step in steps[:count]:
            rows = _room(rows, total)
            rows[total, 0], rows[total, 1] = step, NO_STEP
            total += 1
        for step in steps[: count if hops > 1 else 0]:
            stamp += 1
            found = np.int64(0)
            for place in range(begins[number], begins[number + 1]):
                edges, first, last = _along(graph, relation_ids, relations, np.int64(nodes[place]), step)
                for edge in range(first, last):
                    node = edges[edge] & _NODE
                    if node >= literals:
                        found = _mark_both(graph, places, relations, node, seen_next, stamp, next_steps, found)
            next_steps[:found].sort()
            for other in next_steps[:found]:
                rows = _room(rows, total)
                rows[total, 0], rows[total, 1] = step, other
                total += 1
        row_begins[number + 1] = total
    return row_begins, rows[:total].copy()


@part
def _distinct(codes, count):  # type: ignore[no-untyped-def]
    """Sort the first numbers, keep each once, and give how many are left."""
    codes[:count].sort()
    kept = np.int64(0)
    for place in range(count):
        if place == 0 or codes[place] != codes[place - 1]:
            codes[kept] = codes[place]
            kept += 1
    return kept


@part
def _add_classes(graph, types, node, step, codes, count):  # type: ignore[no-untyped-def]
    """Put a step with each class of the node that it leads to after the codes, each kept once where room is short."""
    for kind in range(len(types)):
        relation = np.int64(types[kind])
        first, last = _bounds(graph.forward_starts, graph.forward, node)
        first = _first_from(graph.forward, first, last, relation << 32)
        while first < last and graph.forward[first] >> 32 == relation:
            if count == len(codes):
                count = _distinct(codes, count)
                if 2 * count > len(codes):
                    larger = np.empty(4 * len(codes), np.int64)
                    larger[:count] = codes[:count]
                    codes = larger
            codes[count] = step << 32 | graph.forward[first] & _NODE
            count += 1
            first += 1
    return codes, count


@kernel
def classed_paths(graph, places, relation_ids, literals, types, nodes, hops):  # type: ignore[no-untyped-def]
    """The paths from a set of nodes with each class that something at their end has: first step, second, class."""
    relations = np.int64(len(relation_ids))
    rows = np.empty((256, 3), np.int32)
    seen, steps = np.zeros(2 * relations, np.int64), np.empty(2 * relations, np.int64)
    codes = np.empty(1 << 12, np.int64)
    count, total = np.int64(0), np.int64(0)
    for start in nodes:
        count = _mark_both(graph, places, relations, np.int64(start), seen, np.int64(1), steps, count)
    steps[:count].sort()
    for length in range(1, hops + 1):
        for step in steps[:count]:
            found = np.int64(0)
            for start in nodes:
                edges, first, last = _along(graph, relation_ids, relations, np.int64(start), step)
                for edge in range(first, last):
                    node = edges[edge] & _NODE
                    if node < literals:
                        continue
                    if length == 1:
                        codes, found = _add_classes(graph, types, node, np.int64(0), codes, found)
                        continue
                    for way in range(2):
                        if way == 0:
                            starts, further, shift = graph.forward_starts, graph.forward, np.int64(0)
                        else:
                            starts, further, shift = graph.backward_starts, graph.backward, relations
                        low, high = _bounds(starts, further, node)
                        while low < high:
                            place = _place(places, further[low])
                            end = _run_end(further, low, high)
                            if place >= 0:
                                for each in range(low, end):
                                    if further[each] & _NODE >= literals:
                                        codes, found = _add_classes(
                                            graph, types, further[each] & _NODE, place + shift, codes, found
                                        )
                            low = end
            found = _distinct(codes, found)
            for place in range(found):
                rows = _room(rows, total)
                rows[total, 0] = step
                rows[total, 1] = NO_STEP if length == 1 else codes[place] >> 32
                rows[total, 2] = codes[place] & _NODE
                total += 1
    return rows[:total].copy()


@part
def _widen(families, ranks, chosen, edge, step, low, high, met, count):  # type: ignore[no-untyped-def]
    """Take the value of an edge into the range of its step and family, where it has a value of a chosen family."""
    literal = edge & _NODE
    if literal < len(families) and chosen[families[literal]]:
        slot = step * len(chosen) + families[literal]
        rank = ranks[literal]
        if high[slot] < 0:
            low[slot], high[slot] = rank, rank
            met[count] = slot
            count += 1
        else:
            low[slot], high[slot] = min(low[slot], rank), max(high[slot], rank)
    return count


@part
def _values(graph, places, families, ranks, chosen, node, low, high, met, count):  # type: ignore[no-untyped-def]
    """Take the values that facts of a node lead to into the ranges of their steps."""
    first, last = _bounds(graph.forward_starts, graph.forward, node)
    while first < last:
        end = _run_end(graph.forward, first, last)
        place = _place(places, graph.forward[first])
        while place >= 0 and first < end and graph.forward[first] & _NODE < len(families):  # literals come first
            count = _widen(families, ranks, chosen, graph.forward[first], place, low, high, met, count)
            first += 1
        first = end
    return count


@kernel
def valued_paths(graph, places, relation_ids, families, ranks, chosen, nodes, hops):  # type: ignore[no-untyped-def]
    """The paths from a set of nodes to values of the chosen families, with the least and the largest rank of each.

    A row is the first step, the second or `NO_STEP`, the family, and both ranks.
    """
    relations, kinds = np.int64(len(relation_ids)), len(chosen)
    rows = np.empty((64, 5), np.int32)
    low, high = np.zeros(relations * kinds, np.int32), np.full(relations * kinds, -1, np.int32)
    met = np.empty(relations * kinds, np.int64)
    seen, steps = np.zeros(2 * relations, np.int64), np.empty(2 * relations, np.int64)
    total, count = np.int64(0), np.int64(0)
    for start in nodes:
        count = _mark_both(graph, places, relations, np.int64(start), seen, np.int64(1), steps, count)
    steps[:count].sort()
    for turn in range(count + 1 if hops > 1 else 1):  # first the paths of one step, then those behind each step
        found = np.int64(0)
        for start in nodes:
            if turn == 0:
                found = _values(graph, places, families, ranks, chosen, np.int64(start), low, high, met, found)
                continue
            edges, first, last = _along(graph, relation_ids, relations, np.int64(start), steps[turn - 1])
            for edge in range(first, last):
                node = edges[edge] & _NODE
                if node >= len(families):
                    found = _values(graph, places, families, ranks, chosen, node, low, high, met, found)
        met[:found].sort()
        for slot in met[:found]:
            rows = _room(rows, total)
            rows[total, 0] = slot // kinds if turn == 0 else steps[turn - 1]
            rows[total, 1] = NO_STEP if turn == 0 else slot // kinds
            rows[total, 2] = slot % kinds
            rows[total, 3], rows[total, 4] = low[slot], high[slot]
            high[slot] = -1
            total += 1
    return rows[:total].copy()


@kernel
def near_schema(graph, places, literals, types, nodes, hops, visited):  # type: ignore[no-untyped-def]
    """The relations of facts within some hops of nodes, and the classes of what those lead to, both as ids, sorted.

    `visited` is false everywhere, and is so again at the end.
    """
    used = np.zeros(len(places), np.bool_)
    waiting = np.empty(max(64, len(nodes)), np.int64)
    count = np.int64(0)
    for start in nodes:
        if 0 <= start < len(visited) and not visited[start]:
            visited[start] = True
            waiting[count] = start
            count += 1
    begin = np.int64(0)
    for _ in range(hops):
        end = count
        for number in range(begin, end):
            node = waiting[number]
            if node < literals and number >= len(nodes):
                continue
            for way in range(2):
                starts = graph.forward_starts if way == 0 else graph.backward_starts
                edges = graph.forward if way == 0 else graph.backward
                first, last = _bounds(starts, edges, node)
                while first < last:
                    run = _run_end(edges, first, last)
                    place = _place(places, edges[first])
                    if place < 0:
                        first = run
                        continue
                    used[edges[first] >> 32] = True
                    while first < run:
                        other = edges[first] & _NODE
                        if other < len(visited) and not visited[other]:
                            visited[other] = True
                            if count == len(waiting):
                                larger = np.empty(2 * count, np.int64)
                                larger[:count] = waiting
                                waiting = larger
                            waiting[count] = other
                            count += 1
                        first += 1
        begin = end
    codes, found = np.empty(1 << 12, np.int64), np.int64(0)
    for number in range(count):
        if waiting[number] >= literals:
            codes, found = _add_classes(graph, types, waiting[number], np.int64(0), codes, found)
        visited[waiting[number]] = False
    found = _distinct(codes, found)
    return np.flatnonzero(used), codes[:found].copy()
