"""Array kernels over rule application graphs: connected sub-graphs, their occurrences and their weights.

A graph has at most 1,024 nodes; a set of its nodes is a mask of as many 64-bit words as the largest graph needs.
Sub-graphs are induced: a set of nodes with all edges between them. A sub-graph is linear if its nodes are one directed
path and its edges are those of the path. Every kernel and all it calls are in this file, since numba's cache on disk
does not see changes elsewhere. Interning compares whole codes, never hashes alone, so two different sub-graphs cannot
be taken for one.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

MAX_NODES = 1024
ONE = np.uint64(1)
ZERO = np.uint64(0)


@part
def _bit(node):  # type: ignore[no-untyped-def]
    """The bit of a node in its word."""
    return ONE << np.uint64(node & 63)


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
def _encode(code, place, members, masks, at, words, labels, first, parents, slots, inner):  # type: ignore[no-untyped-def]
    """Write the code of a node set, `[nodes, label…, parent, child, slot, …]`, and give its length."""
    length = 1
    for word in range(words):
        rest = masks[at + word]
        while rest:
            node = 64 * word + _lowest(rest)
            rest &= rest - ONE
            members[length - 1] = node
            place[node] = length
            code[length] = labels[first + node]
            length += 1
    number = length - 1
    code[0] = number
    for child in range(number):
        for edge in range(inner[members[child]], inner[members[child] + 1]):
            parent = place[parents[edge]]
            if parent:
                code[length] = parent - 1
                code[length + 1] = child
                code[length + 2] = slots[edge]
                length += 3
    for member in range(number):
        place[members[member]] = 0
    return length


@part
def _by_child(edges, first, last, size, inner, parents, slots):  # type: ignore[no-untyped-def]
    """The edges of a graph by their children: where those of each begin, their parents and their slots."""
    for node in range(size + 1):
        inner[node] = 0
    for edge in range(first, last):
        inner[edges[edge, 1] + 1] += 1
    for node in range(size):
        inner[node + 1] += inner[node]
    for edge in range(first, last):
        child = edges[edge, 1]
        parents[inner[child]] = edges[edge, 0]
        slots[inner[child]] = edges[edge, 2]
        inner[child] += 1
    for node in range(size, 0, -1):  # each beginning has moved on to the next one
        inner[node] = inner[node - 1]
    inner[0] = 0


@part
def _connected_sets(masks, count, words, size, near, low, high, limit, stack, sizes):  # type: ignore[no-untyped-def]
    """The masks with those of all connected sets of low to high nodes after the first `count`, and how many there are.

    It stops after more than `limit`. `stack` has rows of a set, what may come in, and what may no longer come in.
    """
    nodes, opened, shut = np.empty(words, np.uint64), np.empty(words, np.uint64), np.empty(words, np.uint64)
    begun = count
    for root in range(size):
        # Sets whose lowest node is the root: `shut` holds what may no longer come in, so each set comes once.
        for word in range(words):
            before = ~ZERO if word < root >> 6 else ZERO
            stack[0, word] = ZERO
            stack[0, 2 * words + word] = before
            stack[0, words + word] = near[root, word] & ~before
        word = root >> 6
        stack[0, word] = _bit(root)
        stack[0, 2 * words + word] = (_bit(root) << ONE) - ONE
        stack[0, words + word] = near[root, word] & ~stack[0, 2 * words + word]
        sizes[0] = 1
        top = 1
        while top:
            top -= 1
            number = sizes[top]
            for word in range(words):
                nodes[word] = stack[top, word]
                opened[word] = stack[top, words + word]
                shut[word] = stack[top, 2 * words + word]
            if number < high:
                for word in range(words):
                    while opened[word]:
                        node = 64 * word + _lowest(opened[word])
                        opened[word] &= opened[word] - ONE
                        shut[word] |= _bit(node)
                        for each in range(words):
                            stack[top, each] = nodes[each]
                            stack[top, words + each] = (opened[each] | near[node, each]) & ~shut[each]
                            stack[top, 2 * words + each] = shut[each]
                        stack[top, word] |= _bit(node)
                        sizes[top] = number + 1
                        top += 1
            if number >= low:
                masks = _grown(masks, (count + 1) * words)
                for word in range(words):
                    masks[count * words + word] = nodes[word]
                count += 1
                if count - begun > limit:
                    return masks, count
    return masks, count


@part
def _linear_sets(masks, count, words, size, above, below, low, high, limit):  # type: ignore[no-untyped-def]
    """The masks with those of all linear sub-graphs of low to high nodes after the first `count`, and how many.

    It stops after more than `limit`.
    """
    nodes = np.empty(words, np.uint64)
    path = np.empty(high, np.int64)
    left = np.empty((high, words), np.uint64)
    begun = count
    for root in range(size):
        for word in range(words):
            nodes[word] = ZERO
            left[0, word] = below[root, word]
        nodes[root >> 6] = _bit(root)
        path[0] = root
        number = 1
        fresh = True
        while number:
            if fresh and number >= low:
                masks = _grown(masks, (count + 1) * words)
                for word in range(words):
                    masks[count * words + word] = nodes[word]
                count += 1
                if count - begun > limit:
                    return masks, count
            fresh = False
            last = number - 1
            node = -1
            if number < high:
                for word in range(words):
                    if left[last, word]:
                        node = 64 * word + _lowest(left[last, word])
                        left[last, word] &= left[last, word] - ONE
                        break
            if node < 0:
                nodes[path[last] >> 6] &= ~_bit(path[last])
                number -= 1
                continue
            fresh = True
            for word in range(words):  # an edge from further up would make it no line
                others = above[node, word] & nodes[word]
                if word == path[last] >> 6:
                    others &= ~_bit(path[last])
                if others:
                    fresh = False
            if fresh:
                for word in range(words):
                    left[number, word] = below[node, word]
                nodes[node >> 6] |= _bit(node)
                path[number] = node
                number += 1
    return masks, count


@kernel
def enumerate_subgraphs(  # type: ignore[no-untyped-def]
    node_start, labels, edge_start, edges, sizes, keep_masks, limit
):
    """All connected sub-graphs of every graph with some numbers of nodes, and all linear ones with some others.

    `sizes` are the least and the greatest number of nodes of connected ones, and then of linear ones; a greatest below
    the least asks for none. An edge is a row `parent, child, slot` with node numbers within its graph. Gives for each
    occurrence its kind (the number of its code) and, where `keep_masks` says so, its mask of nodes, of so many words;
    where each graph's occurrences start; and the distinct codes with their starts. A graph with more than `limit`
    occurrences stops the work; its number comes back in the last value, else -1.
    """
    graphs = len(node_start) - 1
    most, most_edges = 1, 1
    for graph in range(graphs):
        most = max(most, node_start[graph + 1] - node_start[graph])
        most_edges = max(most_edges, edge_start[graph + 1] - edge_start[graph])
    words = (most + 63) >> 6
    low, high, line_low, line_high = sizes[0], min(sizes[1], most), sizes[2], min(sizes[3], most)
    table = np.full(1 << 12, -1, np.int64)
    codes = np.empty(1 << 14, np.int64)
    starts = np.zeros(1 << 12, np.int64)
    count = 0
    kinds = np.empty(1 << 14, np.int32)
    masks = np.empty(1 << 14, np.uint64)
    occurrence_start = np.zeros(graphs + 1, np.int64)
    total = 0
    above = np.zeros((most, words), np.uint64)
    below = np.zeros((most, words), np.uint64)
    near = np.zeros((most, words), np.uint64)
    inner = np.zeros(most + 1, np.int64)
    parents = np.empty(most_edges, np.int64)
    slots = np.empty(most_edges, np.int64)
    place = np.zeros(most, np.int64)
    members = np.empty(most, np.int64)
    stack = np.empty((max(high, 1) * most + 1, 3 * words), np.uint64)
    stack_size = np.empty(max(high, 1) * most + 1, np.int64)
    code = np.empty(1 + most + 3 * most_edges, np.int64)
    for graph in range(graphs):
        first = node_start[graph]
        size = node_start[graph + 1] - first
        for node in range(size):
            for word in range(words):
                above[node, word] = below[node, word] = near[node, word] = ZERO
        for edge in range(edge_start[graph], edge_start[graph + 1]):
            parent, child = edges[edge, 0], edges[edge, 1]
            above[child, parent >> 6] |= _bit(parent)
            below[parent, child >> 6] |= _bit(child)
            near[parent, child >> 6] |= _bit(child)
            near[child, parent >> 6] |= _bit(parent)
        _by_child(edges, edge_start[graph], edge_start[graph + 1], size, inner, parents, slots)
        begun = total if keep_masks else 0
        sets = begun
        if low <= high:
            masks, sets = _connected_sets(masks, sets, words, size, near, low, high, limit, stack, stack_size)
        if line_low <= line_high and sets - begun <= limit:
            masks, sets = _linear_sets(masks, sets, words, size, above, below, line_low, line_high, limit)
        if sets - begun > limit:
            return kinds[:0], masks[:0], words, occurrence_start, codes[:0], starts[:1], graph
        kinds = _grown(kinds, total + sets - begun)
        for each in range(begun, sets):
            length = _encode(code, place, members, masks, each * words, words, labels, first, parents, slots, inner)
            at = _find(table, code, length, codes, starts)
            if table[at] < 0:
                table[at] = count
                codes = _grown(codes, starts[count] + length)
                for k in range(length):
                    codes[starts[count] + k] = code[k]
                starts = _grown(starts, count + 2)
                starts[count + 1] = starts[count] + length
                count += 1
                kinds[total] = count - 1
                if 2 * count > len(table):
                    table = _rehashed(table, starts, codes, count)
            else:
                kinds[total] = table[at]
            total += 1
        occurrence_start[graph + 1] = total
    kept = total * words if keep_masks else 0
    return kinds[:total], masks[:kept], words, occurrence_start, codes[: starts[count]], starts[: count + 1], -1


@part
def _slot(keys, key):  # type: ignore[no-untyped-def]
    """Where a key is in an open table, or the free place for it."""
    mask = np.uint64(len(keys) - 1)
    at = ((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask
    while keys[at] >= 0 and keys[at] != key:
        at = (at + ONE) & mask
    return at


@part
def _held_in(masks, words, first, last, begins, holders):  # type: ignore[no-untyped-def]
    """For each node the occurrences that hold it, of those of one graph."""
    for node in range(len(begins)):
        begins[node] = 0
    for one in range(first, last):
        for word in range(words):
            rest = masks[one * words + word]
            while rest:
                begins[64 * word + _lowest(rest) + 1] += 1
                rest &= rest - ONE
    for node in range(len(begins) - 1):
        begins[node + 1] += begins[node]
    holders = _grown(holders, begins[len(begins) - 1])
    for one in range(first, last):
        for word in range(words):
            rest = masks[one * words + word]
            while rest:
                node = 64 * word + _lowest(rest)
                rest &= rest - ONE
                holders[begins[node]] = one
                begins[node] += 1
    for node in range(len(begins) - 1, 0, -1):
        begins[node] = begins[node - 1]
    begins[0] = 0
    return holders


@part
def _rarest(masks, words, one, begins):  # type: ignore[no-untyped-def]
    """The node of an occurrence that the fewest occurrences hold."""
    best, fewest = 0, np.int64(-1)
    for word in range(words):
        rest = masks[one * words + word]
        while rest:
            node = 64 * word + _lowest(rest)
            rest &= rest - ONE
            number = begins[node + 1] - begins[node]
            if fewest < 0 or number < fewest:
                best, fewest = node, number
    return best


@part
def _strictly_within(masks, words, one, other):  # type: ignore[no-untyped-def]
    """Whether an occurrence lies in another that has more nodes."""
    more = False
    for word in range(words):
        small, large = masks[one * words + word], masks[other * words + word]
        if small & ~large:
            return False
        more |= small != large
    return more


@kernel
def occurrence_weights(occurrence_start, kinds, masks, words, copies, columns):  # type: ignore[no-untyped-def]
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
    begins = np.zeros(64 * words + 1, np.int64)
    holders = np.empty(1 << 10, np.int64)
    for graph in range(graphs):
        first, last = occurrence_start[graph], occurrence_start[graph + 1]
        holders = _held_in(masks, words, first, last, begins, holders)
        for one in range(first, last):
            totals[kinds[one]] += copies[graph]
            node = _rarest(masks, words, one, begins)  # what holds the occurrence holds this node
            for place in range(begins[node], begins[node + 1]):
                other = holders[place]
                if stamp[kinds[other]] == one or not _strictly_within(masks, words, one, other):
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
                    for old in range(len(old_keys)):
                        if old_keys[old] >= 0:
                            at = _slot(keys, old_keys[old])
                            keys[at] = old_keys[old]
                            values[at] = old_values[old]
    weights = np.empty(len(kinds), np.float64)
    for graph in range(graphs):
        first, last = occurrence_start[graph], occurrence_start[graph + 1]
        holders = _held_in(masks, words, first, last, begins, holders)
        for one in range(first, last):
            most = 0
            node = _rarest(masks, words, one, begins)
            for place in range(begins[node], begins[node + 1]):
                other = holders[place]
                if _strictly_within(masks, words, one, other):
                    shared = values[_slot(keys, np.int64(kinds[one]) * columns + kinds[other])]
                    most = max(most, shared)
            # Counts divide exactly or round once, so equal shares give equal weights.
            weights[one] = (totals[kinds[one]] - most) / totals[kinds[one]]
    return weights
