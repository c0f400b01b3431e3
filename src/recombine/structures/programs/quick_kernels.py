"""Array kernels that read programs of calls, `f ( a , g ( b ) )`, from the numbers of their words.

The rules are those of `languages/brackets.py`; a program that breaks one is left to that reader, which says what is
wrong. Every kernel and all it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

WORD, OPEN, CLOSE, COMMA, STRANGE = 0, 1, 2, 3, 4
ONE = np.uint64(1)


@part
def _slot(table, firsts, seconds, first, second):  # type: ignore[no-untyped-def]
    """Where the table holds a pair, or the free place for it."""
    mask = np.uint64(len(table) - 1)
    mixed = (np.uint64(first) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(second) * np.uint64(0xBF58476D1CE4E5B9))
    at = (mixed ^ (mixed >> np.uint64(29))) & mask
    while table[at] >= 0 and (firsts[table[at]] != first or seconds[table[at]] != second):
        at = (at + ONE) & mask
    return at


@part
def _intern(table, firsts, seconds, count, first, second):  # type: ignore[no-untyped-def]
    """The number of a pair, with the table and the pairs as they are when it is in; numbers begin with 1."""
    at = _slot(table, firsts, seconds, first, second)
    if table[at] >= 0:
        return table[at], table, firsts, seconds, count
    if count == len(firsts):
        more = np.empty(2 * count, np.int64)
        more[:count] = firsts
        others = np.empty(2 * count, np.int64)
        others[:count] = seconds
        firsts, seconds = more, others
    firsts[count] = first
    seconds[count] = second
    table[at] = count
    count += 1
    if 2 * count > len(table):
        table = np.full(2 * len(table), -1, np.int64)
        for number in range(1, count):
            table[_slot(table, firsts, seconds, firsts[number], seconds[number])] = number
    return count - 1, table, firsts, seconds, count


@part
def _put(labels, children, total, label, stack, top):  # type: ignore[no-untyped-def]
    """Write a node below the top of the stack; give the new number of nodes."""
    if top:
        children[stack[top - 1]] += 1
    labels[total] = label
    children[total] = 0
    return total + 1


@kernel
def read_words(starts, words, kinds, deepest):  # type: ignore[no-untyped-def]
    """The nodes of every program in program order: labels as numbers of runs of words, and numbers of children.

    A run is the pair of the run before its last word, 0 at the beginning, and that word; an empty call is a run with
    both brackets. A program of more levels than the deepest is not read. Gives the starts of nodes by program, labels,
    children, which programs were read, and the runs.
    """
    programs = len(starts) - 1
    table = np.full(1 << 10, -1, np.int64)
    firsts, seconds, count = np.zeros(1 << 9, np.int64), np.zeros(1 << 9, np.int64), 1
    node_start = np.zeros(programs + 1, np.int64)
    labels, children = np.empty(len(words), np.int64), np.zeros(len(words), np.int64)
    good = np.zeros(programs, np.bool_)
    stack = np.empty(len(words) + 1, np.int64)
    total = 0
    for program in range(programs):
        begin = total
        top, run, closed, fault = 0, 0, False, starts[program] == starts[program + 1]
        at, end = starts[program], starts[program + 1]
        while at < end and not fault:
            word, kind = words[at], kinds[words[at]]
            if kind == WORD:
                fault = closed
                run, table, firsts, seconds, count = _intern(table, firsts, seconds, count, run, word)
            elif kind == OPEN:
                fault = run == 0 or closed
                empty = at + 1 < end and kinds[words[at + 1]] == CLOSE
                if empty:
                    at += 1
                    run, table, firsts, seconds, count = _intern(table, firsts, seconds, count, run, word)
                    run, table, firsts, seconds, count = _intern(table, firsts, seconds, count, run, words[at])
                total = _put(labels, children, total, run, stack, top)
                if not empty:
                    stack[top] = total - 1
                    top += 1
                    fault = fault or top >= deepest
                closed = empty
                run = 0
            elif kind == STRANGE or top == 0:
                fault = True
            else:
                if not closed:
                    fault = run == 0
                    total = _put(labels, children, total, run, stack, top)
                run = 0
                closed = kind == CLOSE
                top -= closed
            at += 1
        if not fault and top == 0 and not closed and run:
            total = _put(labels, children, total, run, stack, top)
        elif fault or top or not closed:
            total = begin
        good[program] = total > begin
        node_start[program + 1] = total
    return node_start, labels[:total], children[:total], good, firsts[:count], seconds[:count]


@kernel
def first_with_news(starts, labels, children, parents):  # type: ignore[no-untyped-def]
    """Which programs show a node that no earlier one has: its label, with the labels of its children in order.

    Whether a child is a leaf counts too.
    """
    table = np.full(1 << 12, -1, np.int64)
    firsts, seconds, count = np.zeros(1 << 11, np.int64), np.zeros(1 << 11, np.int64), 1
    known = np.zeros(1 << 11, np.bool_)
    news = np.zeros(len(starts) - 1, np.bool_)
    state = np.empty(len(labels), np.int64)
    for program in range(len(starts) - 1):
        for node in range(starts[program], starts[program + 1]):
            state[node], table, firsts, seconds, count = _intern(table, firsts, seconds, count, 0, labels[node])
            parent = parents[node]
            if parent >= 0:
                child = 2 * labels[node] + (children[node] == 0)
                state[parent], table, firsts, seconds, count = _intern(
                    table, firsts, seconds, count, state[parent], child
                )
        for node in range(starts[program], starts[program + 1]):
            if state[node] >= len(known):
                more = np.zeros(2 * max(len(known), count), np.bool_)
                more[: len(known)] = known
                known = more
            if not known[state[node]]:
                known[state[node]] = True
                news[program] = True
    return news
