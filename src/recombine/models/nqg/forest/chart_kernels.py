"""Compiled charts over a trie of rule sources: derivations of a source, with any target or with a given one.

Symbols are integers: 0 and 1 are the slots, tokens follow. Rules are in a trie of their sources, kept as a hash
table from (node, symbol) to node; the last rule inserted can be taken out again. A chart is filled from right to left
and needs no binarisation: a stack of partial matches walks the trie over the input, and a slot is filled by what is
known of the span after it. No source is a lone slot, so every span rests on shorter ones only.

With a target, the entries of a span are the strings that its derivations give, as far as they occur in the target; a
string is named by its first occurrence there, so that two of them are compared in one step.

Every kernel and all it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kernels.kernel import inlined, kernel, part
from recombine.models.nqg.forest.arrays import Chart, Rules, Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOT = 0  # the edge of the trie for a slot
ROOT = 0
TUPLES = (Chart, Rules, Texts)
"""What the kernels take: where its fields change, so does what is compiled."""
_NO_SYMBOLS, _NO_RULES = np.empty(0, np.int32), np.empty(0, np.int64)


@part
def grown(array, needed):  # type: ignore[no-untyped-def]
    """Return the array with room for `needed` rows."""
    if needed <= array.shape[0]:
        return array
    larger = np.empty((2 * needed, array.shape[1]), array.dtype)
    for row in range(array.shape[0]):  # a slice would do, and compile ten times as long
        for column in range(array.shape[1]):
            larger[row, column] = array[row, column]
    return larger


@inlined
def put(table, row, a, b, c, d):  # type: ignore[no-untyped-def]
    """Write the first four columns of a row."""
    table[row, 0], table[row, 1], table[row, 2], table[row, 3] = a, b, c, d


@part
def find_slot(keys, key):  # type: ignore[no-untyped-def]
    """Return where a key is in the table, or where it would be."""
    mask = keys.size - 1
    at = (key * 0x1E3779B97F4A7C15 >> 40) & mask
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@part
def step(keys, nodes, alive, node, symbol):  # type: ignore[no-untyped-def]
    """Return the node that a symbol leads to, or -1 where no rule in use goes on there."""
    key = (np.int64(node) << 32) + symbol + 1
    at = find_slot(keys, key)
    return nodes[at] if keys[at] == key and alive[nodes[at]] > 0 else -1


@kernel
def switch_on(rules, rule):  # type: ignore[no-untyped-def]
    """Put a rule in use."""
    node = rules.end[rule]
    rules.after[rule] = rules.head[node]
    rules.head[node] = rule
    rules.active[rule] = True
    while node != ROOT:
        rules.alive[node] += 1
        node = rules.parent[node]


@kernel
def switch_off(rules, rule):  # type: ignore[no-untyped-def]
    """Put a rule out of use; it keeps its number."""
    node = rules.end[rule]
    if rules.head[node] == rule:
        rules.head[node] = rules.after[rule]
    else:
        before = rules.head[node]
        while rules.after[before] != rule:
            before = rules.after[before]
        rules.after[before] = rules.after[rule]
    rules.active[rule] = False
    while node != ROOT:
        rules.alive[node] -= 1
        node = rules.parent[node]


@kernel
def insert(rules, source, target):  # type: ignore[no-untyped-def]
    """Add a rule to the trie, which has room for it, put it in use and return its number."""
    node = ROOT
    for symbol in source:
        key = (np.int64(node) << 32) + (symbol if symbol > 1 else SLOT) + 1
        at = find_slot(rules.keys, key)
        if rules.keys[at] != key:
            rules.keys[at] = key
            rules.nodes[at] = rules.size[0]
            rules.place[rules.size[0]] = at
            rules.head[rules.size[0]] = -1
            rules.parent[rules.size[0]] = node
            rules.alive[rules.size[0]] = 0
            rules.size[0] += 1
        node = rules.nodes[at]
    rule = rules.size[1]
    rules.size[1] += 1
    rules.end[rule] = node
    switch_on(rules, rule)
    rules.source_at[rule + 1] = rules.source_at[rule] + source.size
    for k in range(source.size):
        rules.source[rules.source_at[rule] + k] = source[k]
    rules.target_at[rule + 1] = rules.target_at[rule] + target.size
    for k in range(target.size):
        rules.target[rules.target_at[rule] + k] = target[k]
    return rule


@part
def take_out(rules, nodes):  # type: ignore[no-untyped-def]
    """Remove the last rule; `nodes` is how many there were before it."""
    rule = rules.size[1] - 1
    switch_off(rules, rule)
    rules.size[1] = rule
    while rules.size[0] > nodes:
        rules.size[0] -= 1
        rules.keys[rules.place[rules.size[0]]] = 0


@kernel
def rehash(rules, keys, nodes):  # type: ignore[no-untyped-def]
    """Write the edges of the trie into a larger, empty table."""
    for node in range(1, rules.size[0]):
        key = rules.keys[rules.place[node]]
        at = find_slot(keys, key)
        keys[at], nodes[at] = key, node
        rules.place[node] = at


@kernel
def canonical(target):  # type: ignore[no-untyped-def]
    """Return for each place and length where that part of the target occurs first."""
    size = target.size
    canon = np.empty((size + 1, size + 1), np.int32)
    common = np.zeros((size + 1, size + 1), np.int32)
    for a in range(size - 1, -1, -1):
        for b in range(size - 1, a, -1):
            common[a, b] = common[a + 1, b + 1] + 1 if target[a] == target[b] else 0
    for place in range(size):
        done = 0
        for before in range(place):
            for length in range(done + 1, common[before, place] + 1):
                canon[place, length] = before
            done = max(done, common[before, place])
        for length in range(done + 1, size - place + 1):
            canon[place, length] = place
    return canon


@part
def locate(pattern, entries, one, two, target, canon):  # type: ignore[no-untyped-def]
    """Return where the string that a rule's target makes of its parts occurs first, or -1; and its length."""
    size_one, first_one = (entries[one, 3], entries[one, 2]) if one >= 0 else (0, 0)
    size_two, first_two = (entries[two, 3], entries[two, 2]) if two >= 0 else (0, 0)
    total = 0
    for symbol in pattern:
        total += 1 if symbol > 1 else size_one if symbol == 0 else size_two
    for start in range(target.size - total + 1):
        at = start
        for symbol in pattern:
            if symbol > 1:
                if target[at] != symbol:
                    break
                at += 1
            elif symbol == 0:
                if canon[at, size_one] != first_one:
                    break
                at += size_one
            else:
                if canon[at, size_two] != first_two:
                    break
                at += size_two
        else:
            return start, total
    return -1, total


@part
def border(pattern, entries, one, two):  # type: ignore[no-untyped-def]
    """Return the first and last tokens of the string that a rule's target makes of its parts."""
    first, last = pattern[0], pattern[-1]
    if first < 2:
        first = entries[one if first == 0 else two, 2]
    if last < 2:
        last = entries[one if last == 0 else two, 3]
    return first, last


@part
def find_symbol(symbols, wanted):  # type: ignore[no-untyped-def]
    """Return where a symbol occurs first."""
    for k in range(symbols.size):
        if symbols[k] == wanted:
            return k
    return -1


@part
def find_entry(entry, entries, start, length):  # type: ignore[no-untyped-def]
    """Return the entry with this target string among those of a span, which begin at `entry`; or -1."""
    while entry >= 0 and (entries[entry, 2] != start or entries[entry, 3] != length):
        entry = entries[entry, 4]
    return entry


@part
def push_entries(stack, top, node, entry, entries, end, one):  # type: ignore[no-untyped-def]
    """Push the partial matches that fill the next slot with the entries of a span, and return the new top."""
    while entry >= 0:
        put(stack, top, node, end, entry if one < 0 else one, -1 if one < 0 else entry)
        top += 1
        entry = entries[entry, 4]
    return top


@part
def push_matches(stack, top, keys, nodes, alive, source, first, entries, start):  # type: ignore[no-untyped-def]
    """Push what may follow the partial match that stands just above the top of the stack, and return the new top."""
    node, at, one, two = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
    if source[at] > 1:
        after = step(keys, nodes, alive, node, source[at])
        if after >= 0:
            put(stack, top, after, at + 1, one, two)
            top += 1
    after = step(keys, nodes, alive, node, np.int32(SLOT)) if at > start else -1
    if after >= 0:
        for end in range(at + 1, source.size + 1):
            top = push_entries(stack, top, after, first[at, end], entries, end, one)
    return top


@kernel
def fill(source, target, rules, skip, record, borders):  # type: ignore[no-untyped-def]
    """Return the chart of a source; an empty target stands for any. The rule `skip` is left out.

    Slots in the source are taken as they are. Edges are kept where `record` says so. Where `borders` says so and any
    target will do, the entries of a span are parted by the first and last tokens of their strings.
    """
    n, m = source.size, target.size
    keys, nodes, alive, head, after = rules.keys, rules.nodes, rules.alive, rules.head, rules.after
    canon = canonical(target)
    first = np.full((n + 1, n + 1), -1, np.int32)
    entries, counts = np.empty((32, 5), np.int32), np.empty((32, 1))
    edges, stack = np.empty((32 if record else 1, 4), np.int32), np.empty((128, 4), np.int32)
    n_entries, n_edges = 0, 0
    slot_node = step(keys, nodes, alive, np.int32(ROOT), np.int32(SLOT))
    for i in range(n - 1, -1, -1):
        if source[i] < 2:
            put(entries, n_entries, i, i + 1, find_symbol(target, source[i]), 1)
            entries[n_entries, 4], counts[n_entries, 0], first[i, i + 1] = -1, 1.0, n_entries
            n_entries += 1
        for q in range(i, n):
            top = 0
            if n_entries + 2 > stack.shape[0]:
                stack = grown(stack, n_entries + 2)
            if q == i:
                put(stack, 0, ROOT, i, -1, -1)
                top = 1
            elif slot_node >= 0:
                top = push_entries(stack, np.int64(0), slot_node, first[i, q], entries, q, np.int32(-1))
            while top > 0:
                top -= 1
                rule, at, one, two = head[stack[top, 0]], stack[top, 1], stack[top, 2], stack[top, 3]
                if top + n_entries + 2 > stack.shape[0]:
                    stack = grown(stack, top + n_entries + 2)
                if at < n:
                    top = push_matches(stack, top, keys, nodes, alive, source, first, entries, i)
                while rule >= 0:
                    place, length = 0, 0
                    if m > 0 or borders:
                        pattern = rules.target[rules.target_at[rule] : rules.target_at[rule + 1]]
                        if m > 0:
                            place, length = locate(pattern, entries, one, two, target, canon)
                        else:
                            place, length = border(pattern, entries, one, two)
                    if rule != skip and place >= 0 and (at - i < n or m == 0 or length == m):
                        entry = find_entry(first[i, at], entries, place, length)
                        if entry < 0:
                            if n_entries + 3 > counts.shape[0]:
                                entries, counts = grown(entries, n_entries + 3), grown(counts, n_entries + 3)
                            put(entries, n_entries, i, at, place, length)
                            entries[n_entries, 4], counts[n_entries, 0] = first[i, at], 0.0
                            entry = first[i, at] = n_entries
                            n_entries += 1
                        ways = counts[one, 0] if one >= 0 else 1.0
                        counts[entry, 0] += ways * counts[two, 0] if two >= 0 else ways
                        if record:
                            if n_edges == edges.shape[0]:
                                edges = grown(edges, n_edges + 1)
                            put(edges, n_edges, entry, rule, one, two)
                            n_edges += 1
                    rule = after[rule]
    return Chart(first, entries[:n_entries], counts[:n_entries, 0], edges[:n_edges], canon)


@kernel
def entries_of(chart, start, stop):  # type: ignore[no-untyped-def]
    """Return the numbers of the entries of a span."""
    numbers, size = np.empty(chart.entries.shape[0], np.int64), 0
    entry = chart.first[start, stop]
    while entry >= 0:
        numbers[size] = entry
        size += 1
        entry = chart.entries[entry, 4]
    return numbers[:size]


@kernel
def name_borders(spans, target):  # type: ignore[no-untyped-def]
    """Replace place and length of target strings by their first and last tokens."""
    for k in range(spans.shape[0]):
        first, length = spans[k, 2], spans[k, 3]
        spans[k, 2], spans[k, 3] = target[first], target[first + length - 1]


@inlined
def number_of(source, target, rules):  # type: ignore[no-untyped-def]
    """Return the number of derivations of a source with a target, or with any where it is empty."""
    chart = fill(source, target, rules, np.int64(-1), np.bool_(False), np.bool_(False))
    entry = chart.first[0, source.size]
    return chart.counts[entry] if entry >= 0 else 0.0


@kernel
def example_bits(chosen, texts, rules, source, target, without):  # type: ignore[no-untyped-def]
    """Return the bits for each of the chosen examples; inf or nan where an example has no derivation.

    They name a target among the derivations of its source: log2 of all over those that give it. One rule more is in use
    meanwhile, unless its source is empty, and some rules less. All this is one kernel since each that fills charts
    takes a second to compile.
    """
    nodes = rules.size[0]
    if source.size > 0:
        insert(rules, source, target)
    for rule in without:
        switch_off(rules, rule)
    bits = np.empty(chosen.size)
    for k in range(chosen.size):
        example = chosen[k]
        words = texts.source[texts.source_at[example] : texts.source_at[example + 1]]
        wanted = texts.target[texts.target_at[example] : texts.target_at[example + 1]]
        given = number_of(words, wanted, rules)
        bits[k] = np.log2(min(number_of(words, wanted[:0], rules), 1e300)) - np.log2(min(given, 1e300))
    for k in range(without.size - 1, -1, -1):
        switch_on(rules, without[k])
    if source.size > 0:
        take_out(rules, nodes)
    return bits


@kernel
def count_all(texts, rules, own, every, uses):  # type: ignore[no-untyped-def]
    """Write for each example its derivations to `own`, and those of its source with any target to `every`, each where
    it has room; with the former, add to `uses` for each rule the examples with a derivation that has it.
    """
    counted = np.full(uses.size, -1, np.int64)
    for k in range(max(own.size, every.size)):
        words = texts.source[texts.source_at[k] : texts.source_at[k + 1]]
        wanted = texts.target[texts.target_at[k] : texts.target_at[k + 1]]
        if every.size > 0:
            every[k] = number_of(words, wanted[:0], rules) if words.size > 0 else 0.0
        if own.size == 0:
            continue
        own[k] = 0.0
        if words.size == 0 or wanted.size == 0:
            continue
        chart = fill(words, wanted, rules, np.int64(-1), np.bool_(True), np.bool_(False))
        root = chart.first[0, words.size]
        if root < 0:
            continue
        own[k] = chart.counts[root]
        used = np.zeros(chart.entries.shape[0], np.bool_)
        used[root] = True
        for e in range(chart.edges.shape[0] - 1, -1, -1):  # the edges of an entry come before those that rest on it
            if used[chart.edges[e, 0]]:
                rule = chart.edges[e, 1]
                if counted[rule] != k:
                    counted[rule] = k
                    uses[rule] += 1
                for slot in range(2, 4):
                    if chart.edges[e, slot] >= 0:
                        used[chart.edges[e, slot]] = True


def count(source: NDArray[np.int32], target: NDArray[np.int32], rules: Rules) -> float:
    """The number of derivations of a source with a target, or with any where it is empty."""
    chart = fill(source, target, rules, -1, False, False)
    entry = chart.first[0, source.size]
    return float(chart.counts[entry]) if entry >= 0 else 0.0


def bits_of(chosen: NDArray[np.int64], texts: Texts, rules: Rules) -> NDArray[np.float64]:
    """The bits for each of the chosen examples; inf or nan where an example has no derivation."""
    bits: NDArray[np.float64] = example_bits(chosen, texts, rules, _NO_SYMBOLS, _NO_SYMBOLS, _NO_RULES)
    return bits


def bits_with(
    chosen: NDArray[np.int64],
    texts: Texts,
    rules: Rules,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    without: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The same with one rule more and some rules less, which are put back."""
    bits: NDArray[np.float64] = example_bits(chosen, texts, rules, source, target, without)
    return bits
