"""The kernel that says whether a text has one reading alone: the chart of `parsing/chart.py` on arrays.

Words, categories, rules and pairs (a category with a feature structure) are numbers. It finds the same constituents as
the chart, from the last word to the first, and ends where one of them can be made in a second way: how many readings
there are then, the chart says. Every kernel and all it calls are in this file.
"""

from __future__ import annotations

from recombine.kernels.kernel import kernel, part

NONE, SEVERAL = -1, -2
"""No reading; perhaps several."""


@part
def _finish(words, elements, rules, steps, done, after, heads, nodes, stack, waiting, start, count):  # type: ignore[no-untyped-def]
    """Go on with the rules on the stack; the number of constituents then, or SEVERAL.

    What waits is a rule, the element that is next, the state before it and the word it would begin at.
    """
    size = len(words)
    while waiting > 0:
        waiting -= 1
        rule = stack[waiting, 0]
        element = stack[waiting, 1]
        state = stack[waiting, 2]
        at = stack[waiting, 3]
        end = rules[rule + 1, 0]
        while element < end and elements[element, 0] >= 0 and at < size and words[at] == elements[element, 0]:
            element += 1
            at += 1
        if element < end:
            category = -1 - elements[element, 0]
            if category < 0:
                continue
            node = heads[at, category]
            base = elements[element, 1] + state * elements[element, 2]
            while node >= 0:
                new = steps[base + nodes[node, 0]]
                if new >= 0:
                    if waiting == len(stack):
                        return SEVERAL
                    stack[waiting, 0] = rule
                    stack[waiting, 1] = element + 1
                    stack[waiting, 2] = new
                    stack[waiting, 3] = nodes[node, 1]
                    waiting += 1
                node = nodes[node, 2]
            continue
        category = rules[rule, 1]
        if not after[words[at] if at < size else len(after) - 1, category]:
            continue
        pair = done[rules[rule, 2] + state]
        node = heads[start, category]
        while node >= 0:
            if nodes[node, 0] == pair and nodes[node, 1] == at:
                return SEVERAL
            node = nodes[node, 2]
        if count == len(nodes):
            return SEVERAL
        nodes[count, 0] = pair
        nodes[count, 1] = at
        nodes[count, 2] = heads[start, category]
        heads[start, category] = count
        count += 1
    return count


@kernel
def only_start(  # type: ignore[no-untyped-def]
    words, elements, rules, steps, done, begin, begun, categories, before, after, fits, heads, nodes, stack
):
    """The number of the start of the only reading, or NONE, or SEVERAL where there may be more.

    `elements` are words, or -1 - category with where its steps begin and how many pairs there are; `rules` have their
    first element, their category and where the pairs that they make begin. `begun` lists the rules that begin with a
    word, then those that begin with a category. `heads`, `nodes` and `stack` are room to work in.
    """
    size = len(words)
    edge = len(before) - 1
    heads[: size + 1] = -1
    count = 0
    for start in range(size - 1, -1, -1):
        allowed = before[words[start - 1] if start > 0 else edge]
        first = count
        waiting = 0
        for place in range(begin[words[start]], begin[words[start] + 1]):
            rule = begun[place]
            if allowed[rules[rule, 1]]:
                stack[waiting, 0] = rule
                stack[waiting, 1] = rules[rule, 0]
                stack[waiting, 2] = 0
                stack[waiting, 3] = start
                waiting += 1
        count = _finish(words, elements, rules, steps, done, after, heads, nodes, stack, waiting, start, count)
        if count < 0:
            return SEVERAL
        node = first
        while node < count:
            pair = nodes[node, 0]
            above = edge + categories[pair]
            waiting = 0
            for place in range(begin[above], begin[above + 1]):
                rule = begun[place]
                if allowed[rules[rule, 1]]:
                    new = steps[elements[rules[rule, 0], 1] + pair]
                    if new >= 0:
                        stack[waiting, 0] = rule
                        stack[waiting, 1] = rules[rule, 0] + 1
                        stack[waiting, 2] = new
                        stack[waiting, 3] = nodes[node, 1]
                        waiting += 1
            count = _finish(words, elements, rules, steps, done, after, heads, nodes, stack, waiting, start, count)
            if count < 0:
                return SEVERAL
            node += 1
    whole = NONE
    for node in range(first if size else 0, count):
        if nodes[node, 1] == size:
            for number in range(len(fits)):
                if fits[number, nodes[node, 0]]:
                    if whole != NONE:
                        return SEVERAL
                    whole = number
    return whole
