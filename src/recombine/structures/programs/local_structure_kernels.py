"""Array kernels over programs: who is whose parent and neighbour, and the local structures of every program.

A structure is a row of five integers: its shape and up to four symbols, in program order, with -1 after the last. The
shape is a number in base 3 with one digit for each pair of nodes, in the order of `PAIRS`: 0 no edge, 1 parent and
child, 2 neighbouring siblings. Rows are interned by comparing them whole, never by a hash alone. Every kernel and all
it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

PAIRS = ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3))
"""The pairs of nodes behind the digits of a shape, the lowest digit first."""
CHAIN_2, SIBLINGS_2 = 1, 2
CHAIN_3, SIBLINGS_3, PARENT_2 = 1 + 9, 2 + 18, 1 + 3 + 18
CHAIN_4, SIBLINGS_4 = 1 + 9 + 243, 2 + 18 + 486
GRANDPARENT_2 = 1 + 9 + 81 + 486
PARENT_3 = 1 + 3 + 18 + 27 + 486
ONE = np.uint64(1)


@kernel
def link_nodes(starts, counts):  # type: ignore[no-untyped-def]
    """The parent and the left sibling of every node, from the numbers of children in program order."""
    nodes = len(counts)
    parents = np.full(nodes, -1, np.int32)
    lefts = np.full(nodes, -1, np.int32)
    last = np.full(nodes, -1, np.int32)  # the last child seen of each node
    wanted = counts.copy()
    stack = np.empty(nodes + 1, np.int32)
    for program in range(len(starts) - 1):
        top = 0
        for node in range(starts[program], starts[program + 1]):
            while top and wanted[stack[top - 1]] == 0:
                top -= 1
            if top:
                parent = stack[top - 1]
                wanted[parent] -= 1
                parents[node] = parent
                lefts[node] = last[parent]
                last[parent] = node
            stack[top] = node
            top += 1
    return parents, lefts


@part
def _hash(row):  # type: ignore[no-untyped-def]
    value = np.uint64(1469598103934665603)
    for place in range(5):
        value = (value ^ np.uint64(row[place])) * np.uint64(1099511628211)
        value ^= value >> np.uint64(29)
    return value


@part
def _slot(table, rows, row):  # type: ignore[no-untyped-def]
    """Where the table holds a row, or the free place for it."""
    mask = np.uint64(len(table) - 1)
    at = _hash(row) & mask
    while table[at] >= 0:
        held = rows[table[at]]
        if held[0] == row[0] and held[1] == row[1] and held[2] == row[2] and held[3] == row[3] and held[4] == row[4]:
            break
        at = (at + ONE) & mask
    return at


@part
def _intern(table, rows, count, row):  # type: ignore[no-untyped-def]
    """The number of a row, with table, rows and count as they are when it is in."""
    at = _slot(table, rows, row)
    if table[at] >= 0:
        return table[at], table, rows, count
    if count == len(rows):
        larger = np.empty((2 * len(rows), 5), np.int32)
        larger[: len(rows)] = rows
        rows = larger
    rows[count] = row
    table[at] = count
    count += 1
    if 2 * count > len(table):
        table = np.full(2 * len(table), -1, np.int64)
        for number in range(count):
            table[_slot(table, rows, rows[number])] = number
    return count - 1, table, rows, count


@kernel
def intern_rows(wanted):  # type: ignore[no-untyped-def]
    """A number for each row of five integers, equal rows alike, and how many numbers there are."""
    table = np.full(1 << 12, -1, np.int64)
    rows = np.empty((1 << 11, 5), np.int32)
    count = 0
    numbers = np.empty(len(wanted), np.int64)
    for place in range(len(wanted)):
        numbers[place], table, rows, count = _intern(table, rows, count, wanted[place])
    return numbers, count


@part
def _shape_in_tree(buffer, written, labels, parents, lefts, node, order, up, across):  # type: ignore[no-untyped-def]
    """Write the structures of the paper whose last node this is into the buffer; give how many there are."""
    own = labels[node]
    up_1 = parents[node]
    up_2 = parents[up_1] if up_1 >= 0 else -1
    up_3 = parents[up_2] if up_2 >= 0 else -1
    left_1 = lefts[node]
    left_2 = lefts[left_1] if left_1 >= 0 else -1
    left_3 = lefts[left_2] if left_2 >= 0 else -1
    if up and up_1 >= 0:
        written = _put(buffer, written, CHAIN_2, labels[up_1], own, -1, -1)
    if across and left_1 >= 0:
        written = _put(buffer, written, SIBLINGS_2, labels[left_1], own, -1, -1)
    if order >= 3:
        if up and up_2 >= 0:
            written = _put(buffer, written, CHAIN_3, labels[up_2], labels[up_1], own, -1)
        if across and left_2 >= 0:
            written = _put(buffer, written, SIBLINGS_3, labels[left_2], labels[left_1], own, -1)
        if up and across and left_1 >= 0:
            written = _put(buffer, written, PARENT_2, labels[up_1], labels[left_1], own, -1)
    if order >= 4:
        if up and up_3 >= 0:
            written = _put(buffer, written, CHAIN_4, labels[up_3], labels[up_2], labels[up_1], own)
        if across and left_3 >= 0:
            written = _put(buffer, written, SIBLINGS_4, labels[left_3], labels[left_2], labels[left_1], own)
        if up and across and left_1 >= 0 and up_2 >= 0:
            written = _put(buffer, written, GRANDPARENT_2, labels[up_2], labels[up_1], labels[left_1], own)
        if up and across and left_2 >= 0:
            written = _put(buffer, written, PARENT_3, labels[up_1], labels[left_2], labels[left_1], own)
    return written


@part
def _put(buffer, written, shape, first, second, third, fourth):  # type: ignore[no-untyped-def]
    buffer[written, 0] = shape
    buffer[written, 1] = first
    buffer[written, 2] = second
    buffer[written, 3] = third
    buffer[written, 4] = fourth
    return written + 1


@part
def _edge(parents, lefts, earlier, later, up, across):  # type: ignore[no-untyped-def]
    """The digit of a pair of nodes, the first before the second in program order."""
    if up and parents[later] == earlier:
        return 1
    return 2 if across and lefts[later] == earlier else 0


@part
def _coded(buffer, written, labels, parents, lefts, nodes, size, up, across):  # type: ignore[no-untyped-def]
    """Write the sub-graph of nodes in program order."""
    shape = 0
    weight = 1
    for later in range(1, size):
        for earlier in range(later):
            shape += weight * _edge(parents, lefts, nodes[earlier], nodes[later], up, across)
            weight *= 3
    third = labels[nodes[2]] if size > 2 else -1
    fourth = labels[nodes[3]] if size > 3 else -1
    return _put(buffer, written, shape, labels[nodes[0]], labels[nodes[1]], third, fourth)


@part
def _neighbours(near, parents, lefts, rights, firsts, node, up, across):  # type: ignore[no-untyped-def]
    """Write the nodes that share an edge with this one; give how many there are."""
    count = 0
    if across and lefts[node] >= 0:
        near[count] = lefts[node]
        count += 1
    if across and rights[node] >= 0:
        near[count] = rights[node]
        count += 1
    if up:
        if parents[node] >= 0:
            near[count] = parents[node]
            count += 1
        child = firsts[node]
        while child >= 0:
            near[count] = child
            count += 1
            child = rights[child]
    return count


@part
def _open_neighbours(opened, begin, near, count, root):  # type: ignore[no-untyped-def]
    """Write the neighbours that no earlier node has brought behind the opened ones; give the new end."""
    last = begin
    for place in range(count):
        known = near[place] <= root
        for earlier in range(begin):
            known = known or opened[earlier] == near[place]
        if not known:
            opened[last] = near[place]
            last += 1
    return last


@part
def _connected(  # type: ignore[no-untyped-def]
    buffer, opened, near, labels, parents, lefts, rights, firsts, root, order, up, across
):
    """Write every connected sub-graph whose first node is the root, each once; give the buffer, which may grow.

    A set is grown from its first node by neighbours that come later in the program. `opened` lists the neighbours in
    the order in which nodes of the set brought them; those before the one taken stay shut for the rest of its branch.
    """
    written = 0
    nodes, ordered = np.empty(4, np.int64), np.empty(4, np.int64)
    ends = np.zeros(5, np.int64)  # how many are opened, by the number of nodes in the set
    at = np.zeros(5, np.int64)  # the next opened node to try, by the number of nodes in the set
    nodes[0] = root
    size = 1
    fresh = True
    while size:
        if fresh:
            count = _neighbours(near, parents, lefts, rights, firsts, nodes[size - 1], up, across)
            ends[size] = _open_neighbours(opened, ends[size - 1], near, count, root)
            fresh = False
        if size == order or at[size] >= ends[size]:
            size -= 1
            continue
        nodes[size] = opened[at[size]]
        at[size] += 1
        at[size + 1] = at[size]
        size += 1
        fresh = True
        if written == len(buffer):
            larger = np.empty((2 * len(buffer), 5), np.int32)
            larger[:written] = buffer
            buffer = larger
        for place in range(size):
            # Sorted by insertion: the set is in the order in which it grew, its structure in that of the program.
            at_place = place
            while at_place and ordered[at_place - 1] > nodes[place]:
                ordered[at_place] = ordered[at_place - 1]
                at_place -= 1
            ordered[at_place] = nodes[place]
        written = _coded(buffer, written, labels, parents, lefts, ordered, size, up, across)
    return buffer, written


@part
def _run(buffer, labels, start, node, order):  # type: ignore[no-untyped-def]
    """Write the runs of consecutive nodes that end here; give how many there are."""
    written = 0
    for size in range(2, min(order, node - start + 1) + 1):
        first = node - size + 1
        third = labels[first + 2] if size > 2 else -1
        fourth = labels[first + 3] if size > 3 else -1
        shape = SIBLINGS_2 if size == 2 else SIBLINGS_3 if size == 3 else SIBLINGS_4
        written = _put(buffer, written, shape, labels[first], labels[first + 1], third, fourth)
    return written


@part
def _right_and_first(parents, lefts):  # type: ignore[no-untyped-def]
    """The sibling to the right and the first child of every node; -1 where there is none."""
    rights = np.full(len(parents), -1, np.int32)
    firsts = np.full(len(parents), -1, np.int32)
    for node in range(len(parents)):
        if lefts[node] >= 0:
            rights[lefts[node]] = node
        elif parents[node] >= 0:
            firsts[parents[node]] = node
    return rights, firsts


@part
def _grown(array, needed):  # type: ignore[no-untyped-def]
    """The array with room for `needed` entries, new ones -1."""
    if needed <= len(array):
        return array
    larger = np.full(max(2 * len(array), needed), -1, array.dtype)
    larger[: len(array)] = array
    return larger


@kernel
def collect_structures(  # type: ignore[no-untyped-def]
    starts, labels, parents, lefts, order, up, across, connected, sequence
):
    """The structures of every program: starts, column numbers and counts by program, and the distinct rows.

    `up` and `across` say whether parent–child and sibling edges exist; `connected` asks for all connected sub-graphs in
    place of the paper's shapes; `sequence` for runs of consecutive nodes, whatever the edges.
    """
    programs = len(starts) - 1
    table = np.full(1 << 12, -1, np.int64)
    rows = np.empty((1 << 11, 5), np.int32)
    count = 0
    entry_start = np.zeros(programs + 1, np.int64)
    columns = np.empty(1 << 14, np.int32)
    counts = np.empty(1 << 14, np.int32)
    place = np.full(1 << 12, -1, np.int64)  # where the current program has a column, by column
    buffer = np.empty((64, 5), np.int32)
    rights, firsts = _right_and_first(parents, lefts) if connected else (lefts[:0], lefts[:0])
    largest = 0
    for program in range(programs):
        largest = max(largest, starts[program + 1] - starts[program])
    opened, near = np.empty(4 * largest + 8, np.int64), np.empty(largest + 2, np.int64)
    total = 0
    for program in range(programs):
        begin = total
        for node in range(starts[program], starts[program + 1]):
            if sequence:
                written = _run(buffer, labels, starts[program], node, order)
            elif connected:
                buffer, written = _connected(
                    buffer, opened, near, labels, parents, lefts, rights, firsts, node, order, up, across
                )
            else:
                written = _shape_in_tree(buffer, 0, labels, parents, lefts, node, order, up, across)
            for number in range(written):
                column, table, rows, count = _intern(table, rows, count, buffer[number])
                place = _grown(place, column + 1)
                if place[column] >= begin:
                    counts[place[column]] += 1
                    continue
                columns, counts = _grown(columns, total + 1), _grown(counts, total + 1)
                place[column] = total
                columns[total] = column
                counts[total] = 1
                total += 1
        entry_start[program + 1] = total
    return entry_start, columns[:total], counts[:total], rows[:count]


@kernel
def transpose(starts, columns, counts, width):  # type: ignore[no-untyped-def]
    """Compressed rows as compressed columns: rows ascend within each column. Twice, it puts columns in order."""
    begins = np.zeros(width + 1, np.int64)
    for column in columns:
        begins[column + 1] += 1
    for column in range(width):
        begins[column + 1] += begins[column]
    free = begins[:-1].copy()
    rows = np.empty(len(columns), np.int32)
    moved = np.empty(len(columns), np.int32)
    for row in range(len(starts) - 1):
        for entry in range(starts[row], starts[row + 1]):
            at = free[columns[entry]]
            free[columns[entry]] += 1
            rows[at] = row
            moved[at] = counts[entry]
    return begins, rows, moved


@kernel
def mark_columns(starts, columns, programs, count):  # type: ignore[no-untyped-def]
    """Which of `count` columns occur in these programs."""
    seen = np.zeros(count, np.bool_)
    for program in programs:
        for entry in range(starts[program], starts[program + 1]):
            seen[columns[entry]] = True
    return seen
