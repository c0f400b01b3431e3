"""A kernel that searches for one assignment of candidates to terms, in random order, within a number of steps."""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part


@part
def _next_random(state):  # type: ignore[no-untyped-def]
    """The next number of a generator (SplitMix64), and its state after it."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    value = state
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31)), state


@part
def _is_among(items, first, last, value):  # type: ignore[no-untyped-def]
    while first < last:
        middle = (first + last) >> 1
        if items[middle] < value:
            first = middle + 1
        elif items[middle] > value:
            last = middle
        else:
            return True
    return False


@part
def _divides_none(one, other):  # type: ignore[no-untyped-def]
    while other:
        one, other = other, one % other
    return one == 1


@kernel
def search(  # type: ignore[no-untyped-def]
    ids, id_begins, link_begins, link_terms, row_begins, item_begins, rows, items, unequal, state, budget
):
    """One assignment: the place of each term's candidate, and how many candidates were tried.

    Terms are in the order in which they are assigned. `ids` are the candidates of all, and `id_begins` where those of
    each begin. A term's links to earlier terms are those from `link_begins` on: the earlier term, and the rows of its
    candidates with the places of this term's. `unequal` are terms that must not have the same id. A first place of -1
    says that there is no assignment, -2 that the budget ended before one was found.
    """
    number = len(id_begins) - 1
    chosen = np.full(max(number, 1), -1, np.int64)
    list_begin, length = np.zeros(number, np.int64), np.zeros(number, np.int64)
    cursor, offset, stride = np.zeros(number, np.int64), np.zeros(number, np.int64), np.ones(number, np.int64)
    source = np.full(number, -1, np.int64)
    depth, opened, steps = 0, False, 0
    while depth < number:
        if not opened:
            length[depth], source[depth] = id_begins[depth + 1] - id_begins[depth], -1
            for link in range(link_begins[depth], link_begins[depth + 1]):
                at = row_begins[link] + chosen[link_terms[link]]
                own = rows[at + 1] - rows[at]
                if source[depth] < 0 or own < length[depth]:
                    length[depth], source[depth] = own, link
                    list_begin[depth] = item_begins[link] + rows[at]
            cursor[depth] = 0
            if length[depth] > 1:
                value, state = _next_random(state)
                offset[depth] = np.int64(value % np.uint64(length[depth]))
                value, state = _next_random(state)
                step = np.int64(value % np.uint64(length[depth] - 1)) + 1
                while not _divides_none(step, length[depth]):
                    step = step % (length[depth] - 1) + 1
                stride[depth] = step
            else:
                offset[depth], stride[depth] = 0, 1
            opened = True
        fits = False
        while not fits and cursor[depth] < length[depth]:
            if steps >= budget:
                chosen[0] = -2
                return chosen, steps
            steps += 1
            place = (offset[depth] + cursor[depth] * stride[depth]) % length[depth]
            cursor[depth] += 1
            candidate = place if source[depth] < 0 else np.int64(items[list_begin[depth] + place])
            fits = True
            for link in range(link_begins[depth], link_begins[depth + 1]):
                if link != source[depth]:
                    at = row_begins[link] + chosen[link_terms[link]]
                    begin = item_begins[link]
                    if not _is_among(items, begin + rows[at], begin + rows[at + 1], candidate):
                        fits = False
                        break
            if fits:
                own_id = ids[id_begins[depth] + candidate]
                for earlier in range(depth):
                    if unequal[depth, earlier] and ids[id_begins[earlier] + chosen[earlier]] == own_id:
                        fits = False
                        break
            if fits:
                chosen[depth] = candidate
        if fits:
            depth += 1
            opened = False
        else:
            if depth == 0:
                chosen[0] = -1
                return chosen, steps
            depth -= 1
    return chosen, steps
