"""Array kernels over rule application graphs: connected sub-graphs, their occurrences and their weights.

A graph has at most 64 nodes; a set of its nodes is one 64-bit mask. Sub-graphs are induced: a set of nodes with all
edges between them. Every kernel and all it calls are in this file, since numba's cache on disk does not see changes
elsewhere. Interning compares whole codes, never hashes alone, so two different sub-graphs cannot be taken for one.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

MAX_NODES = 64
ONE = np.uint64(1)
ZERO = np.uint64(0)


@part
def _bit(node):  # type: ignore[no-untyped-def]
    return ONE << np.uint64(node)


@part
def _lowest(mask):  # type: ignore[no-untyped-def]
    """The number of the lowest bit set."""
    node = 0
    while not mask & np.uint64(0xFF):
        mask >>= np.uint64(8)
        node += 8
    while not mask & ONE:
        mask >>= ONE
        node += 1
    return node


@part
def _hash(code, length):  # type: ignore[no-untyped-def]
    value = np.uint64(1469598103934665603)
    for position in range(length):
        value = (value ^ np.uint64(code[position])) * np.uint64(1099511628211)
        value ^= value >> np.uint64(29)
    return value


@part
def _grown(array, needed):  # type: ignore[no-untyped-def]
    """The array with room for `needed` entries."""
    if needed <= len(array):
        return array
    larger = np.empty(max(2 * len(array), needed), array.dtype)
    for k in range(len(array)):  # a slice would do, and compile ten times as long
        larger[k] = array[k]
    return larger


@part
def _rehashed(table, starts, codes, count):  # type: ignore[no-untyped-def]
    """A table of twice the size with the same codes."""
    larger = np.full(2 * len(table), -1, np.int64)
    mask = np.uint64(len(larger) - 1)
    for number in range(count):
        first = starts[number]
        at = _hash(codes[first:], starts[number + 1] - first) & mask
        while larger[at] >= 0:
            at = (at + ONE) & mask
        larger[at] = number
    return larger


@part
def _same(code, length, codes, first, last):  # type: ignore[no-untyped-def]
    if last - first != length:
        return False
    for k in range(length):  # noqa: SIM110  # `all` is none of the functions that numba compiles
        if codes[first + k] != code[k]:
            return False
    return True


@part
def _find(table, code, length, codes, starts):  # type: ignore[no-untyped-def]
    """Where the table holds a code, or the free place for it."""
    mask = np.uint64(len(table) - 1)
    at = _hash(code, length) & mask
    while table[at] >= 0 and not _same(code, length, codes, starts[table[at]], starts[table[at] + 1]):
        at = (at + ONE) & mask
    return at


@part
def _encode(code, place, nodes, number, labels, edges, first_edge, last_edge):  # type: ignore[no-untyped-def]
    """Write the code of a node set, `[nodes, label…, parent, child, slot, …]`, and give its length."""
    length = 1
    code[0] = number
    while nodes:
        node = _lowest(nodes)
        nodes &= nodes - ONE
        place[node] = length
        code[length] = labels[node]
        length += 1
    for edge in range(first_edge, last_edge):
        parent, child = place[edges[edge, 0]], place[edges[edge, 1]]
        if parent and child:
            code[length] = parent - 1
            code[length + 1] = child - 1
            code[length + 2] = edges[edge, 2]
            length += 3
    for node in range(len(place)):
        place[node] = 0
    return length


@kernel
def enumerate_subgraphs(  # type: ignore[no-untyped-def]
    node_start, labels, edge_start, edges, low, high, limit
):
    """All connected sub-graphs with low to high nodes of every graph.

    An edge is a row `parent, child, slot` with node numbers within its graph. Gives for each occurrence its kind (the
    number of its code) and its node mask, where each graph's occurrences start, and the distinct codes with their
    starts. A graph with more than `limit` occurrences stops the work; its number comes back in the last value, else -1.
    """
    graphs = len(node_start) - 1
    table = np.full(1 << 12, -1, np.int64)
    codes = np.empty(1 << 14, np.int64)
    starts = np.zeros(1 << 12, np.int64)
    count = 0
    kinds = np.empty(1 << 14, np.int32)
    masks = np.empty(1 << 14, np.uint64)
    occurrence_start = np.zeros(graphs + 1, np.int64)
    total = 0
    near = np.zeros(MAX_NODES, np.uint64)
    place = np.zeros(MAX_NODES, np.int64)
    stack_set = np.empty(MAX_NODES * MAX_NODES + 64, np.uint64)
    stack_open = np.empty(MAX_NODES * MAX_NODES + 64, np.uint64)
    stack_shut = np.empty(MAX_NODES * MAX_NODES + 64, np.uint64)
    stack_size = np.empty(MAX_NODES * MAX_NODES + 64, np.int64)
    code = np.empty(1 + MAX_NODES + 3 * len(edges), np.int64)
    for graph in range(graphs):
        first = node_start[graph]
        size = node_start[graph + 1] - first
        for node in range(size):
            near[node] = ZERO
        for edge in range(edge_start[graph], edge_start[graph + 1]):
            near[edges[edge, 0]] |= _bit(edges[edge, 1])
            near[edges[edge, 1]] |= _bit(edges[edge, 0])
        for root in range(size):
            # Sets whose lowest node is the root: `shut` holds what may no longer come in, so each set comes once.
            stack_set[0] = _bit(root)
            stack_shut[0] = (_bit(root) << ONE) - ONE
            stack_open[0] = near[root] & ~stack_shut[0]
            stack_size[0] = 1
            top = 1
            while top:
                top -= 1
                nodes, opened, shut, number = stack_set[top], stack_open[top], stack_shut[top], stack_size[top]
                if number < high:
                    while opened:
                        node = _lowest(opened)
                        bit = _bit(node)
                        opened &= ~bit
                        shut |= bit
                        stack_set[top] = nodes | bit
                        stack_open[top] = (opened | near[node]) & ~shut
                        stack_shut[top] = shut
                        stack_size[top] = number + 1
                        top += 1
                if number < low:
                    continue
                length = _encode(
                    code, place, nodes, number, labels[first:], edges, edge_start[graph], edge_start[graph + 1]
                )
                at = _find(table, code, length, codes, starts)
                if table[at] < 0:
                    table[at] = count
                    codes = _grown(codes, starts[count] + length)
                    for k in range(length):
                        codes[starts[count] + k] = code[k]
                    starts = _grown(starts, count + 2)
                    starts[count + 1] = starts[count] + length
                    count += 1
                    number = count - 1
                    if 2 * count > len(table):
                        table = _rehashed(table, starts, codes, count)
                else:
                    number = table[at]
                kinds = _grown(kinds, total + 1)
                masks = _grown(masks, total + 1)
                kinds[total] = number
                masks[total] = nodes
                total += 1
                if total - occurrence_start[graph] > limit:
                    return kinds[:0], masks[:0], occurrence_start, codes[:0], starts[:1], graph
        occurrence_start[graph + 1] = total
    return kinds[:total], masks[:total], occurrence_start, codes[: starts[count]], starts[: count + 1], -1


@part
def _slot(keys, key):  # type: ignore[no-untyped-def]
    """Where a key is in an open table, or the free place for it."""
    mask = np.uint64(len(keys) - 1)
    at = ((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask
    while keys[at] >= 0 and keys[at] != key:
        at = (at + ONE) & mask
    return at


@kernel
def occurrence_weights(occurrence_start, kinds, masks, copies, columns):  # type: ignore[no-untyped-def]
    """The weight 1 − max P(G'|G) of every occurrence, over all super-graphs G' that hold it in its graph.

    P(G'|G) is the share of all occurrences of G that lie inside an occurrence of G'; an occurrence inside two
    occurrences of the same G' counts once. `copies` says how many examples have each graph. An occurrence in no
    super-graph (at the size limit, say) has weight 1.
    """
    graphs = len(occurrence_start) - 1
    totals = np.zeros(columns, np.int64)
    keys = np.full(1 << 16, -1, np.int64)
    values = np.zeros(1 << 16, np.int64)
    used = 0
    stamp = np.full(columns, -1, np.int64)
    for graph in range(graphs):
        first, last = occurrence_start[graph], occurrence_start[graph + 1]
        for one in range(first, last):
            totals[kinds[one]] += copies[graph]
            for other in range(first, last):
                if masks[other] & masks[one] != masks[one] or masks[other] == masks[one]:
                    continue
                if stamp[kinds[other]] == one:
                    continue
                stamp[kinds[other]] = one
                key = np.int64(kinds[one]) * columns + kinds[other]
                at = _slot(keys, key)
                if keys[at] < 0:
                    keys[at] = key
                    used += 1
                values[at] += copies[graph]
                if 2 * used > len(keys):
                    old_keys, old_values = keys, values
                    keys = np.full(2 * len(old_keys), -1, np.int64)
                    values = np.zeros(2 * len(old_keys), np.int64)
                    for place in range(len(old_keys)):
                        if old_keys[place] >= 0:
                            at = _slot(keys, old_keys[place])
                            keys[at] = old_keys[place]
                            values[at] = old_values[place]
    weights = np.empty(len(kinds), np.float64)
    for graph in range(graphs):
        first, last = occurrence_start[graph], occurrence_start[graph + 1]
        for one in range(first, last):
            most = 0
            for other in range(first, last):
                if masks[other] & masks[one] == masks[one] and masks[other] != masks[one]:
                    shared = values[_slot(keys, np.int64(kinds[one]) * columns + kinds[other])]
                    most = max(most, shared)
            # Counts divide exactly or round once, so equal shares give equal weights.
            weights[one] = (totals[kinds[one]] - most) / totals[kinds[one]]
    return weights
