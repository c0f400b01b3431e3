"""The kernel that draws a tree of rules from the top down: choices, sorts and filters of `draw_tree.py` on arrays.

What can be chosen where is in tables that grow (`drawing_tables.py`). Where the kernel needs what is not there yet, it
stops and says what is missing; the draw is then begun anew with the same random numbers, so that a tree does not depend
on what is in the tables. Rules, pairs, places, states and slots are numbers. Every kernel and all it calls are in this
file.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

NONE, STOP = -1, -2
"""No tree, since its parts speak of things of no sort; something is missing."""
BEGUN, AFTER, NUMBERS, ROOM, CHOICES_ROOM = 1, 2, 3, 4, 5
"""What is missing: how far a rule is before its parts or after one, random numbers, or room for trees or choices."""
AT, FILTERED, CLASHES, NODES, CHILDREN, TOP, MISSING = 0, 1, 2, 3, 4, 5, 6
"""Places of the state: how many random numbers are used; the number of the filter that drops the tree, counted from 1,
or OF_SORTS; how often things of no sort were spoken of; what is used of the room; and what is missing, in three."""
CHOICES, OPTIONS, KEYS, PLACES, PAIRS, SIZES, STATES, STEP_FIRSTS, SUM_FIRSTS, STATE = (
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
)
"""After them how many choices, options and keys there are, how many places, pairs, sizes and states, and where in
`firsts` the numbers for steps and sums begin."""
OF_SORTS = -1
WATCHED = 0
"""The set of the rules whose trees filters look at."""
AGAIN = 20
"""So many times a phrase is drawn again."""
CLASH_AGAIN = 4
"""So many times one within another, when it speaks of things of no sort; then the other is drawn again."""
MOST_CLASHES = 300
"""So many times in all, before a question is given up."""
SLOTS = 1 << 24
"""There are fewer slots than this."""
KINDS = 4
"""The kinds of keys that are in one table."""


@part
def _find(keys, values, key):  # type: ignore[no-untyped-def]
    """The value of a key, or NONE."""
    place = key % len(keys)
    while keys[place] != key:
        if keys[place] < 0:
            return NONE
        place = place + 1 if place + 1 < len(keys) else 0
    return values[place]


@part
def _put(keys, values, key, value):  # type: ignore[no-untyped-def]
    """Put a value under a key."""
    place = key % len(keys)
    while keys[place] >= 0 and keys[place] != key:
        place = place + 1 if place + 1 < len(keys) else 0
    keys[place] = key
    values[place] = value


@kernel
def put_all(keys, values, new_keys, new_values):  # type: ignore[no-untyped-def]
    """Put all keys of a table with their values into one that has room; a key of -1 is none."""
    for place in range(len(keys)):
        if keys[place] >= 0:
            _put(new_keys, new_values, keys[place], values[place])


@part
def _missing(state, what, one, two):  # type: ignore[no-untyped-def]
    """Stop, and say what is missing."""
    state[MISSING] = what
    state[MISSING + 1] = one
    state[MISSING + 2] = two
    return STOP


@part
def _add_choice(key, last, state, keys, values, choices, sums):  # type: ignore[no-untyped-def]
    """Add a choice of the options that were written up to a place."""
    number = state[CHOICES]
    if number == len(choices) or 2 * state[KEYS] > len(keys):
        return _missing(state, CHOICES_ROOM, 0, 0)
    first = state[OPTIONS]
    for place in range(first + 1, last):
        sums[place] += sums[place - 1]
    choices[number, 0] = first
    choices[number, 1] = last - first
    state[OPTIONS] = last
    state[CHOICES] += 1
    state[KEYS] += 1
    _put(keys, values, key, number)
    return number


@part
def _add_rules(  # type: ignore[no-untyped-def]
    key,
    place,
    pair,
    size,
    asked,
    state,
    keys,
    values,
    choices,
    sums,
    options,
    rules,
    firsts,
    ways,
    fits,
    weights,
    partial,
):
    """Add which rules can make a pair of a size, of which some slots are asked."""
    last = state[OPTIONS]
    for row in range(firsts[pair], firsts[pair + 1]):
        if fits[asked, state[PAIRS] + row]:
            rule = ways[row, 0]
            made = ways[row, 1]
            begun = _find(keys, values, (asked * len(rules) + rule) * KINDS + 3)
            if begun < 0:
                return _missing(state, BEGUN, rule, asked)
            ends = firsts[state[SUM_FIRSTS] + rules[rule, 0] + rule + rules[rule, 1]]
            weight = weights[place, rule] * partial[ends + made, size - 1]
            if weight > 0:
                if last == len(options):
                    return _missing(state, CHOICES_ROOM, 0, 0)
                sums[last] = weight
                options[last, 0] = rule
                options[last, 1] = made
                options[last, 2] = begun
                last += 1
    return _add_choice(key, last, state, keys, values, choices, sums)


@part
def _add_steps(  # type: ignore[no-untyped-def]
    key,
    at,
    after,
    size,
    state,
    keys,
    values,
    choices,
    sums,
    options,
    reached,
    rules,
    places,
    firsts,
    ways,
    fits,
    pairs,
    partial,
):
    """Add the state before the next part of a rule, its pair and its size; the parts up to it have a size together."""
    last = state[OPTIONS]
    rule = reached[at, 3]
    number = rules[rule, 0] + reached[at, 4]
    first = state[STEP_FIRSTS] + number * state[STATES] + after
    before = firsts[state[SUM_FIRSTS] + number + rule]
    for row in range(firsts[first], firsts[first + 1]):
        pair = ways[row, 1]
        if fits[reached[at, 1], pair]:
            for taken in range(size, 0, -1):
                weight = partial[before + ways[row, 0], size - taken] * pairs[places[number], pair, taken]
                if weight > 0:
                    if last == len(options):
                        return _missing(state, CHOICES_ROOM, 0, 0)
                    sums[last] = weight
                    options[last, 0] = ways[row, 0]
                    options[last, 1] = pair
                    options[last, 2] = taken
                    last += 1
    return _add_choice(key, last, state, keys, values, choices, sums)


@part
def _chosen(choice, state, numbers, choices, sums):  # type: ignore[no-untyped-def]
    """The place of an option that is drawn by weights; NONE where there is none. Where there is one, none is drawn."""
    first = choices[choice, 0]
    count = choices[choice, 1]
    if count < 2:
        return first if count == 1 else NONE
    if state[AT] == len(numbers):
        return _missing(state, NUMBERS, 0, 0)
    drawn = numbers[state[AT]] * sums[first + count - 1]
    state[AT] += 1
    low = first
    high = first + count
    while low < high:
        middle = (low + high) // 2
        if drawn < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return min(low, first + count - 1)


@part
def _same(one, two, nodes, children):  # type: ignore[no-untyped-def]
    """Whether two trees are the same."""
    if nodes[one, 0] != nodes[two, 0]:
        return False
    for place in range(nodes[one, 2]):
        if not _same(children[nodes[one, 1] + place], children[nodes[two, 1] + place], nodes, children):
            return False
    return True


@part
def _among(node, base, count, nodes, children, stack):  # type: ignore[no-untyped-def]
    """Whether a tree is the same as one of those that are listed on the stack."""
    for place in range(base, base + count):  # noqa: SIM110
        if _same(node, stack[place, 2], nodes, children):
            return True
    return False


@part
def _drops(row, node, base, filters, checks, sets, nodes, children, stack):  # type: ignore[no-untyped-def]
    """Whether a filter drops a tree for what it has at its top; NONE where the stack is too small to tell."""
    first = filters[row, 1]
    count = filters[row, 2]
    if base + count + 1 > len(stack):
        return NONE
    stack[base, 0] = node
    for place in range(count):
        above = stack[base + checks[first + place, 0], 0]
        at = checks[first + place, 1]
        if at >= nodes[above, 2]:
            return 0
        below = children[nodes[above, 1] + at]
        wanted = checks[first + place, 2]
        if wanted >= 0 and not sets[wanted, nodes[below, 0]]:
            return 0
        stack[base + place + 1, 0] = below
    holds = filters[row, 3]
    if holds < 0:
        return 1
    through = filters[row, 4]
    found = 0
    repeated = False
    depth = 1
    stack[base, 0] = node
    while depth > 0:
        depth -= 1
        here = stack[base + depth, 0]
        for place in range(nodes[here, 1], nodes[here, 1] + nodes[here, 2]):
            if base + max(depth, found) + 1 > len(stack):
                return NONE
            below = children[place]
            rule = nodes[below, 0]
            if sets[holds, rule]:
                repeated = repeated or _among(below, base, found, nodes, children, stack)
                stack[base + found, 2] = below
                found += 1
            if through < 0 or sets[through, rule]:
                stack[base + depth, 0] = below
                depth += 1
    return 1 if found > filters[row, 6] and (repeated or not filters[row, 5]) else 0


@part
def _at_top(node, state, rules, filters, checks, sets, nodes, children, stack):  # type: ignore[no-untyped-def]
    """The row of the first filter that drops a tree for what it has at its top, or NONE, or STOP."""
    rule = nodes[node, 0]
    for row in range(rules[rule, 3], rules[rule, 4]):
        dropped = _drops(row, node, state[TOP], filters, checks, sets, nodes, children, stack)
        if dropped < 0:
            return _missing(state, ROOM, 0, 0)
        if dropped > 0:
            return row
    return NONE


@part
def _slots_of(node, state, keys, values, reached, rules, nodes, children):  # type: ignore[no-untyped-def]
    """The slots of a tree of which nothing is asked; NONE where one of it or of its parts can be of no sort."""
    at = rules[nodes[node, 0], 2]
    for place in range(nodes[node, 2] - 1, -1, -1):
        slots = _slots_of(children[nodes[node, 1] + place], state, keys, values, reached, rules, nodes, children)
        if slots < 0:
            return slots
        after = _find(keys, values, (at * SLOTS + slots) * KINDS + 2)
        if after < 0:
            return _missing(state, AFTER, at, slots)
        at = after
    return reached[at, 0]


@part
def _drawn(  # type: ignore[no-untyped-def]
    place,
    pair,
    size,
    asked,
    checked,
    state,
    numbers,
    keys,
    values,
    choices,
    sums,
    options,
    reached,
    rules,
    places,
    firsts,
    ways,
    fits,
    weights,
    pairs,
    partial,
    filters,
    checks,
    sets,
    nodes,
    children,
    stack,
):
    """A tree of a pair, in a place, of which some slots are asked, or NONE, or STOP.

    It is drawn again where a filter drops it, or it speaks of things of no sort; not where it is not to be checked,
    but its parts are.
    """
    first_node = state[NODES]
    first_child = state[CHILDREN]
    clashes = 0
    name = 0
    node = NONE
    for _ in range(AGAIN):
        state[NODES] = first_node
        state[CHILDREN] = first_child
        key = (((asked * state[PLACES] + place) * state[PAIRS] + pair) * state[SIZES] + size) * KINDS
        choice = _find(keys, values, key)
        if choice < 0:
            choice = _add_rules(
                key,
                place,
                pair,
                size,
                asked,
                state,
                keys,
                values,
                choices,
                sums,
                options,
                rules,
                firsts,
                ways,
                fits,
                weights,
                partial,
            )
            if choice < 0:
                return STOP
        option = _chosen(choice, state, numbers, choices, sums)
        node = NONE
        if option == STOP:
            return STOP
        if option >= 0:
            rule = options[option, 0]
            current = options[option, 1]
            at = options[option, 2]
            count = rules[rule, 1]
            rest = size - 1
            first = first_child
            if first + count > len(children) or first_node == len(nodes):
                return _missing(state, ROOM, 0, 0)
            node = first_node
            state[NODES] = first_node + 1
            state[CHILDREN] = first + count
            for number in range(count - 1, -1, -1):
                option = NONE
                if reached[at, 0] >= 0:
                    key = ((reached[at, 2] * state[STATES] + current) * state[SIZES] + rest) * KINDS + 1
                    choice = _find(keys, values, key)
                    if choice < 0:
                        choice = _add_steps(
                            key,
                            at,
                            current,
                            rest,
                            state,
                            keys,
                            values,
                            choices,
                            sums,
                            options,
                            reached,
                            rules,
                            places,
                            firsts,
                            ways,
                            fits,
                            pairs,
                            partial,
                        )
                        if choice < 0:
                            return STOP
                    option = _chosen(choice, state, numbers, choices, sums)
                    if option == STOP:
                        return STOP
                if option < 0:
                    node = NONE
                    break
                current = options[option, 0]
                taken = options[option, 2]
                child = _drawn(
                    places[rules[rule, 0] + number],
                    options[option, 1],
                    taken,
                    reached[at, 1],
                    np.int64(1),
                    state,
                    numbers,
                    keys,
                    values,
                    choices,
                    sums,
                    options,
                    reached,
                    rules,
                    places,
                    firsts,
                    ways,
                    fits,
                    weights,
                    pairs,
                    partial,
                    filters,
                    checks,
                    sets,
                    nodes,
                    children,
                    stack,
                )
                if child == STOP:
                    return STOP
                if child == NONE:
                    node = NONE
                    break
                after = _find(keys, values, (at * SLOTS + nodes[child, 3]) * KINDS + 2)
                if after < 0:
                    return _missing(state, AFTER, at, nodes[child, 3])
                at = after
                children[first + number] = child
                rest -= taken
            if node >= 0 and reached[at, 0] < 0:
                node = NONE
            if node >= 0:
                nodes[node, 0] = rule
                nodes[node, 1] = first
                nodes[node, 2] = count
                nodes[node, 3] = reached[at, 0]
                nodes[node, 4] = place
                nodes[node, 5] = pair
                nodes[node, 6] = size
                nodes[node, 7] = asked
        if not checked or state[FILTERED] != 0:
            return node
        dropping = NONE
        if node >= 0 and sets[WATCHED, nodes[node, 0]]:
            dropping = _at_top(node, state, rules, filters, checks, sets, nodes, children, stack)
            if dropping == STOP:
                return STOP
            if dropping >= 0 and filters[dropping, 5]:
                # What is held and is the same as something before is replaced by another.
                holds = filters[dropping, 3]
                through = filters[dropping, 4]
                base = state[TOP]
                known = 0
                depth = 1
                stack[base, 0] = node
                stack[base, 1] = 0
                while depth > 0:
                    here = stack[base + depth - 1, 0]
                    number = stack[base + depth - 1, 1]
                    if number == nodes[here, 2]:
                        depth -= 1
                        continue
                    if base + max(depth, known) + 1 > len(stack):
                        return _missing(state, ROOM, 0, 0)
                    stack[base + depth - 1, 1] += 1
                    slot = nodes[here, 1] + number
                    child = children[slot]
                    if sets[holds, nodes[child, 0]]:
                        if _among(child, base, known, nodes, children, stack):
                            state[TOP] = base + max(depth, known)
                            for _try in range(AGAIN):
                                other = _drawn(
                                    nodes[child, 4],
                                    nodes[child, 5],
                                    nodes[child, 6],
                                    nodes[child, 7],
                                    np.int64(0),
                                    state,
                                    numbers,
                                    keys,
                                    values,
                                    choices,
                                    sums,
                                    options,
                                    reached,
                                    rules,
                                    places,
                                    firsts,
                                    ways,
                                    fits,
                                    weights,
                                    pairs,
                                    partial,
                                    filters,
                                    checks,
                                    sets,
                                    nodes,
                                    children,
                                    stack,
                                )
                                if other == STOP:
                                    return STOP
                                if other >= 0 and not _among(other, base, known, nodes, children, stack):
                                    children[slot] = other
                                    child = other
                                    break
                            state[TOP] = base
                        stack[base + known, 2] = child
                        known += 1
                    elif nodes[child, 2] > 0 and (through < 0 or sets[through, nodes[child, 0]]):
                        stack[base + depth, 0] = child
                        stack[base + depth, 1] = 0
                        depth += 1
                dropping = _at_top(node, state, rules, filters, checks, sets, nodes, children, stack)
                if dropping == STOP:
                    return STOP
                slots = _slots_of(node, state, keys, values, reached, rules, nodes, children)
                if slots == STOP:
                    return STOP
                if slots == NONE:
                    node = NONE
                else:
                    nodes[node, 3] = slots
        if node < 0:
            clashes += 1
            if clashes == CLASH_AGAIN:
                return NONE
            state[CLASHES] += 1
            if state[CLASHES] >= MOST_CLASHES:
                state[FILTERED] = OF_SORTS
            if state[FILTERED] != 0:
                return NONE
        elif dropping < 0:
            return node
        else:
            name = filters[dropping, 0]
    state[FILTERED] = name
    return node


@kernel
def draw(  # type: ignore[no-untyped-def]
    top,
    size,
    state,
    numbers,
    keys,
    values,
    choices,
    sums,
    options,
    reached,
    rules,
    places,
    firsts,
    ways,
    fits,
    weights,
    pairs,
    partial,
    filters,
    checks,
    sets,
    nodes,
    children,
    stack,
    flat,
):
    """Draw a tree of a size, whose pair is chosen from `top`; how many rules it has, or NONE where a filter drops it,
    or STOP. `flat` gets its rules, each before its parts, and how many parts each has.

    `choices` are the place of the first option and how many there are; `sums` their weights, summed up. An option is a
    rule, its state and how far it is, or a state, a pair and a size. `reached` are the slots that a rule has so far,
    those that are asked of the next part, the number of what can be chosen for it, the rule and that part. `rules` are
    the place of the first part in `places`, how many there are, how far the rule is without them, and its rows of
    `filters`. `ways` are the rules and states that make each pair, then the states and pairs before each state of a
    part; `firsts` where these begin, and where the sums of parts begin in `partial`; `fits` which pairs and ways can
    have slots. A filter is its name, its rows of `checks` and how many, the sets of what it holds and goes through,
    whether that must be the same, and of how many there must be more. A check is the row of a part, its own part, and
    its set. `nodes` are rules, children and how many, slots, and what they were drawn for; `children` and `stack` are
    room to work in.
    """
    while True:
        state[NODES] = 0
        state[CHILDREN] = 0
        state[TOP] = 0
        option = _chosen(top, state, numbers, choices, sums)
        if option < 0:
            return STOP
        node = _drawn(
            np.int64(0),
            options[option, 1],
            size,
            np.int64(0),
            np.int64(1),
            state,
            numbers,
            keys,
            values,
            choices,
            sums,
            options,
            reached,
            rules,
            places,
            firsts,
            ways,
            fits,
            weights,
            pairs,
            partial,
            filters,
            checks,
            sets,
            nodes,
            children,
            stack,
        )
        if node == STOP:
            return STOP
        if state[FILTERED] != 0:
            return NONE
        if node >= 0:
            break
    count = 0
    depth = 1
    stack[0, 0] = node
    while depth > 0:
        depth -= 1
        here = stack[depth, 0]
        flat[count, 0] = nodes[here, 0]
        flat[count, 1] = nodes[here, 2]
        count += 1
        if depth + nodes[here, 2] > len(stack):
            return _missing(state, ROOM, 0, 0)
        for number in range(nodes[here, 2] - 1, -1, -1):
            stack[depth, 0] = children[nodes[here, 1] + number]
            depth += 1
    return count
