"""Kernels that draw derivations of a compiled grammar and put their texts together, many at a time.

Symbols, rules and words are numbers; the start is symbol 0. The rules of a symbol `s` are `rule_start[s]` to
`rule_start[s + 1]`, and the shares at which each but the last ends stand at the same places. Children and the items of
texts are rows in compressed form, like `child_start` and `children`; an item is the number of a word, or -1 - k for the
k-th child.

A uniform number is used for every node whose symbol has more than one rule, a node before what is below it and from
left to right, as `sample.py` does, so that both draw the same.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel


@kernel
def draw(  # type: ignore[no-untyped-def]
    uniforms, first, rule_start, shares, child_start, children, node_starts, rules, parents, slots, sizes
):
    """Draw derivations until the numbers or the room for them end: how many, the first number not used, and whether
    it was the room.

    The nodes of the n-th are at `node_starts[n]` to `node_starts[n + 1]`: rule, parent within it (-1 at the root), slot
    in the parent, and how many nodes are below it and itself.
    """
    room = len(rules)
    symbols = np.empty(room, np.int32)
    above = np.empty(room, np.int32)
    places = np.empty(room, np.int32)
    drawn, used, begin, full = 0, first, 0, False
    while drawn < len(node_starts) - 1:
        node = begin
        position = used
        symbols[0], above[0], places[0] = 0, -1, 0
        waiting = 1
        whole = True
        while waiting > 0:
            waiting -= 1
            symbol, parent, slot = symbols[waiting], above[waiting], places[waiting]
            rule = rule_start[symbol]
            last = rule_start[symbol + 1] - 1
            if node >= room or (rule < last and position >= len(uniforms)):
                whole = False
                full = node >= room
                break
            if rule < last:
                number = uniforms[position]
                position += 1
                while rule < last and shares[rule] <= number:
                    rule += 1
            rules[node], parents[node], slots[node] = rule, parent, slot
            here = node - begin
            below = child_start[rule + 1] - child_start[rule]
            if waiting + below > room:
                whole = False
                full = True
                break
            for child in range(below - 1, -1, -1):
                symbols[waiting] = children[child_start[rule] + child]
                above[waiting], places[waiting] = here, child + 1
                waiting += 1
            node += 1
        if not whole:
            break
        for place in range(begin, node):
            sizes[place] = 1
        for place in range(node - 1, begin, -1):
            sizes[begin + parents[place]] += sizes[place]
        drawn += 1
        used = position
        begin = node
        node_starts[drawn] = begin
    return drawn, used, full


@kernel
def write_texts(node_starts, rules, sizes, item_start, items, text_starts):  # type: ignore[no-untyped-def]
    """The numbers of the words of each derivation on one side; text `n` is from `text_starts[n]` on."""
    words = np.empty(1024, np.int32)
    nodes = np.empty(64, np.int64)
    places = np.empty(64, np.int64)
    length = 0
    drawn = len(text_starts) - 1
    for number in range(drawn):
        text_starts[number] = length
        nodes[0] = node_starts[number]
        places[0] = item_start[rules[nodes[0]]]
        depth = 0
        while depth >= 0:
            node, place = nodes[depth], places[depth]
            if place == item_start[rules[node] + 1]:
                depth -= 1
                continue
            places[depth] = place + 1
            item = items[place]
            if item >= 0:
                if length == len(words):
                    words = np.concatenate((words, np.empty(len(words), np.int32)))
                words[length] = item
                length += 1
                continue
            child = node + 1
            for _ in range(-1 - item):
                child += sizes[child]
            depth += 1
            if depth == len(nodes):
                nodes = np.concatenate((nodes, np.empty(len(nodes), np.int64)))
                places = np.concatenate((places, np.empty(len(places), np.int64)))
            nodes[depth] = child
            places[depth] = item_start[rules[child]]
    text_starts[drawn] = length
    return words[:length]
