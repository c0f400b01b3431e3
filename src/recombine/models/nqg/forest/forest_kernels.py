"""Compiled sums over packed forests: log-sums of derivation scores, their gradients, and best derivations.

A forest is a list of groups, each resting on earlier ones only. A group is a span (with a target string, where the
target is given) and holds nodes, one for each rule on top of its derivations. A node has edges, one for each choice of
spans for its slots; an edge names up to two ports. A port is a group as a certain slot of a certain rule sees it, so
that scores of (rule, slot, rule below) need no copies of groups. Several forests are in one list, one after another;
the groups at the top of a forest each have one more port, the slot of no rule.

A forest is scored by node, by link (a port with a node of its group) and by edge.

Every kernel and all it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from recombine.kernels.kernel import kernel, part


class Packed(NamedTuple):
    """Forests as arrays."""

    node_at: Any  # (groups + 1): where the nodes of a group start
    rule: Any  # (nodes)
    edge_at: Any  # (nodes + 1): where the edges of a node start
    edges: Any  # (edges, 2): a port for each slot, -1 where the rule has none
    port_at: Any  # (groups + 1): where the ports of a group start
    key: Any  # (ports): 2 * rule + slot, or 2 * number of rules for a root
    root_at: Any  # (forests + 1): where the ports at the top of a forest start in `root`
    root: Any
    span: Any  # (groups, 4): start, end, first and last token of the target string, -1 where they are not known


class Around(NamedTuple):
    """What stands around the slots of rules, numbered; a row is 2 * rule + slot, the last row the root's."""

    left: Any  # the two target symbols before a slot, -1 where it comes first
    right: Any  # the target symbol after a slot, -1 where it comes last
    between: Any  # (rules, 2): what parts the two slots, -1 where more than a token does; 1 where they change places
    shape: Any  # (rules + 1): the source without its words


class Scores(NamedTuple):
    """The scores of a forest's parts."""

    node: Any
    edge: Any
    link_at: Any  # (ports + 1): where the links of a port start
    link: Any


@part
def port_of(table, keys, size, key):  # type: ignore[no-untyped-def]
    """Return the number of a key, which is added where it is new, and how many keys there are then."""
    mask = table.size - 1
    at = (key * 0x1E3779B97F4A7C15 >> 40) & mask
    while table[at] >= 0 and keys[table[at]] != key:
        at = (at + 1) & mask
    if table[at] < 0:
        table[at] = size
        keys[size] = key
        return size, size + 1
    return table[at], size


@part
def sorted_places(keys):  # type: ignore[no-untyped-def]
    """Return the places of keys in their order, equal ones as they stand; numpy's own sort compiles far longer."""
    size = keys.size
    order, other = np.empty(size, np.int64), np.empty(size, np.int64)
    for k in range(size):
        order[k] = k
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            middle, stop = min(start + width, size), min(start + 2 * width, size)
            one, two = start, middle
            for k in range(start, stop):
                if two >= stop or (one < middle and keys[order[one]] <= keys[order[two]]):
                    other[k] = order[one]
                    one += 1
                else:
                    other[k] = order[two]
                    two += 1
        order, other = other, order
        width *= 2
    return order


@part
def reach(entries, edges, roots, n_rules):  # type: ignore[no-untyped-def]
    """Return the edges below the roots in the order of their entries and rules, and the entries renumbered in order."""
    n = entries.shape[0]
    longest = 0
    for k in range(n):
        longest = max(longest, entries[k, 1] - entries[k, 0])
    starts = np.zeros(longest + 2, np.int64)
    for k in range(n):
        starts[entries[k, 1] - entries[k, 0] + 1] += 1
    for k in range(1, starts.size):
        starts[k] += starts[k - 1]
    rank = np.empty(n, np.int64)
    for k in range(n):
        width = entries[k, 1] - entries[k, 0]
        rank[k] = starts[width]
        starts[width] += 1
    keys = np.empty(edges.shape[0], np.int64)
    for k in range(edges.shape[0]):
        keys[k] = rank[edges[k, 0]] * n_rules + edges[k, 1]
    order = sorted_places(keys)
    used = np.zeros(n, np.bool_)
    for root in roots:
        used[root] = True
    for k in order[::-1]:
        if used[edges[k, 0]]:
            for slot in range(2, 4):
                if edges[k, slot] >= 0:
                    used[edges[k, slot]] = True
    by_rank = np.empty(n, np.int64)
    for k in range(n):
        by_rank[rank[k]] = k
    number, size = np.full(n, -1, np.int64), 0
    for entry in by_rank:
        if used[entry]:
            number[entry] = size
            size += 1
    kept = np.empty(order.size, np.int64)
    n_kept = 0
    for k in order:
        if used[edges[k, 0]]:
            kept[n_kept] = k
            n_kept += 1
    return kept[:n_kept], number, size


@kernel
def pack(entries, edges, roots, n_rules):  # type: ignore[no-untyped-def]
    """Return the forest below some entries of a chart."""
    kept, number, groups = reach(entries, edges, roots, n_rules)
    size = kept.size
    node_at, edge_at = np.zeros(groups + 1, np.int64), np.zeros(size + 1, np.int64)
    rule, ends = np.empty(size, np.int64), np.full((size, 2), -1, np.int64)
    length = 1
    while length < 4 * size + 4:
        length *= 2
    table, keys = np.full(length, -1, np.int64), np.empty(2 * size + roots.size, np.int64)
    nodes, ports = 0, np.int64(0)
    for e in range(size):
        entry, top = edges[kept[e], 0], edges[kept[e], 1]
        if e == 0 or entry != edges[kept[e - 1], 0] or top != edges[kept[e - 1], 1]:
            rule[nodes] = top
            edge_at[nodes] = e
            nodes += 1
            node_at[number[entry] + 1] = nodes
        for slot in range(2):
            child = edges[kept[e], 2 + slot]
            if child >= 0:
                key = (number[child] * (n_rules + 1) + top) * 2 + slot
                ends[e, slot], ports = port_of(table, keys, ports, key)
    edge_at[nodes] = size
    for entry in roots:
        keys[ports] = (number[entry] * (n_rules + 1) + n_rules) * 2
        ports += 1
    order = sorted_places(keys[:ports])
    place = np.empty(ports, np.int64)
    key_of = np.empty(ports, np.int64)
    for k in range(ports):
        place[order[k]] = k
        key_of[k] = keys[order[k]] % (2 * n_rules + 2)
    port_at = np.zeros(groups + 1, np.int64)
    for port in range(ports):
        port_at[keys[port] // (2 * n_rules + 2) + 1] += 1
    for group in range(groups):
        port_at[group + 1] += port_at[group]
    for e in range(size):
        for slot in range(2):
            if ends[e, slot] >= 0:
                ends[e, slot] = place[ends[e, slot]]
    span = np.empty((groups, 4), np.int32)
    for entry in range(number.size):
        if number[entry] >= 0:
            for column in range(4):
                span[number[entry], column] = entries[entry, column]
    return Packed(
        node_at,
        rule[:nodes].copy(),
        edge_at[: nodes + 1].copy(),
        ends,
        port_at,
        key_of,
        np.array([0, roots.size]),
        place[ports - roots.size :].copy(),
        span,
    )


@part
def edge_sum(edges, edge_score, edge, port):  # type: ignore[no-untyped-def]
    """Return the score of an edge with the values of its ports."""
    one, two = edges[edge, 0], edges[edge, 1]
    return edge_score[edge] + (port[one] if one >= 0 else 0.0) + (port[two] if two >= 0 else 0.0)


@part
def log_sum(values, size):  # type: ignore[no-untyped-def]
    """Return the log of the summed exponentials of the first values."""
    top = -np.inf
    for k in range(size):
        top = max(top, values[k])
    total = 0.0
    for k in range(size):
        total += np.exp(values[k] - top)
    return top + np.log(total)


@kernel
def inside(forest, scores):  # type: ignore[no-untyped-def]
    """Return for each node, port and forest the log of the summed exponentials of the scores of its derivations."""
    edges, edge_score, link, link_at = forest.edges, scores.edge, scores.link, scores.link_at
    node_in, port_in = np.empty(forest.rule.size), np.empty(forest.key.size)
    row = np.empty(1)
    for group in range(forest.node_at.size - 1):
        low, high = forest.node_at[group], forest.node_at[group + 1]
        for node in range(low, high):
            start, stop = forest.edge_at[node], forest.edge_at[node + 1]
            if stop - start > row.size:
                row = np.empty(2 * (stop - start))
            for edge in range(start, stop):
                row[edge - start] = edge_sum(edges, edge_score, edge, port_in)
            node_in[node] = scores.node[node] + log_sum(row, stop - start)
        if high - low > row.size:
            row = np.empty(2 * (high - low))
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            for k in range(high - low):
                row[k] = node_in[low + k] + link[link_at[port] + k]
            port_in[port] = log_sum(row, high - low)
    total = np.empty(forest.root_at.size - 1)
    for number in range(total.size):
        top = port_in[forest.root[forest.root_at[number] : forest.root_at[number + 1]]]
        total[number] = log_sum(top, top.size)
    return node_in, port_in, total


@kernel
def outside(forest, scores, node_in, port_in, total, weight):  # type: ignore[no-untyped-def]
    """Return how often each node, edge and link is used, expected over the derivations, forests weighted."""
    edges, edge_score, link, link_at = forest.edges, scores.edge, scores.link, scores.link_at
    node_use, port_use = np.zeros(node_in.size), np.zeros(port_in.size)
    edge_use, link_use = np.zeros(edge_score.size), np.zeros(link.size)
    for number in range(total.size):
        for k in range(forest.root_at[number], forest.root_at[number + 1]):
            port = forest.root[k]
            port_use[port] = weight[number] * np.exp(port_in[port] - total[number])
    for group in range(forest.node_at.size - 2, -1, -1):
        low, high = forest.node_at[group], forest.node_at[group + 1]
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            for k in range(high - low):
                at = link_at[port] + k
                use = port_use[port] * np.exp(node_in[low + k] + link[at] - port_in[port])
                link_use[at] = use
                node_use[low + k] += use
        for node in range(low, high):
            rest = node_in[node] - scores.node[node]
            for edge in range(forest.edge_at[node], forest.edge_at[node + 1]):
                use = node_use[node] * np.exp(edge_sum(edges, edge_score, edge, port_in) - rest)
                edge_use[edge] = use
                for slot in range(2):
                    if edges[edge, slot] >= 0:
                        port_use[edges[edge, slot]] += use
    return node_use, edge_use, link_use


@kernel
def viterbi(forest, scores):  # type: ignore[no-untyped-def]
    """Return the best edge of each node, the best node of each port, and the score of the best below each port."""
    edges, edge_score, link, link_at = forest.edges, scores.edge, scores.link, scores.link_at
    node_best, port_best = np.empty(forest.rule.size), np.empty(forest.key.size)
    node_edge, port_node = np.empty(forest.rule.size, np.int64), np.empty(forest.key.size, np.int64)
    for group in range(forest.node_at.size - 1):
        low, high = forest.node_at[group], forest.node_at[group + 1]
        for node in range(low, high):
            node_best[node] = -np.inf
            for edge in range(forest.edge_at[node], forest.edge_at[node + 1]):
                score = edge_sum(edges, edge_score, edge, port_best) + scores.node[node]
                if score > node_best[node]:
                    node_best[node], node_edge[node] = score, edge
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            port_best[port] = -np.inf
            for k in range(high - low):
                score = node_best[low + k] + link[link_at[port] + k]
                if score > port_best[port]:
                    port_best[port], port_node[port] = score, low + k
    return node_edge, port_node, port_best


@kernel
def link_starts(forest):  # type: ignore[no-untyped-def]
    """Return where the links of each port start: it has one for each node of its group."""
    starts = np.zeros(forest.key.size + 1, np.int64)
    for group in range(forest.node_at.size - 1):
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            starts[port + 1] = starts[port] + forest.node_at[group + 1] - forest.node_at[group]
    return starts


@kernel
def feature_keys(forest, link_at, around, n_rules):  # type: ignore[no-untyped-def]
    """Return the features of each link and of each edge as numbers, -1 for none; the kind is what is left after / 8.

    A link has five: its rules and slot (0); the same with the shape of the upper rule (1), or of the lower one (2);
    what stands left of the slot in the target with the first token in it (3); what stands right of it with the last
    token in it (4). An edge has one: what stands between its slots in the target, with the tokens on both sides (5).
    """
    links = np.full((link_at[-1], 5), -1, np.int64)
    group_of = np.empty(forest.key.size, np.int64)
    for group in range(forest.node_at.size - 1):
        first, last = np.int64(forest.span[group, 2]), np.int64(forest.span[group, 3])
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            group_of[port] = group
            key = forest.key[port]
            above = around.shape[key // 2] * 2 + key % 2
            for k in range(link_at[port + 1] - link_at[port]):
                at = link_at[port] + k
                rule = forest.rule[forest.node_at[group] + k]
                links[at, 0] = 8 * (key * n_rules + rule)
                links[at, 1] = 8 * (above * n_rules + rule) + 1
                links[at, 2] = 8 * (key * n_rules + around.shape[rule]) + 2
                if around.left[key] >= 0 and first >= 0:
                    links[at, 3] = 8 * ((around.left[key] << 31) + first) + 3
                if around.right[key] >= 0 and last >= 0:
                    links[at, 4] = 8 * ((around.right[key] << 31) + last) + 4
    edges = np.full(forest.edges.shape[0], -1, np.int64)
    for node in range(forest.rule.size):
        joint, flipped = around.between[forest.rule[node], 0], around.between[forest.rule[node], 1]
        if joint >= 0:
            for edge in range(forest.edge_at[node], forest.edge_at[node + 1]):
                one = group_of[forest.edges[edge, flipped]]
                two = group_of[forest.edges[edge, 1 - flipped]]
                before, after = np.int64(forest.span[one, 3]), np.int64(forest.span[two, 2])
                if before < 0 or after < 0:
                    continue
                edges[edge] = 8 * ((((joint << 20) + before) << 20) + after) + 5
    return links, edges
