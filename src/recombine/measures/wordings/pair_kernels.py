"""Kernels over pairs of texts: edits of characters, and numbers that two sorted lists share.

Edits are Levenshtein's: a character put in, left out or changed counts one. A column of the table of distances is kept
as bits, 64 rows in a word (Myers, 1999; several words as Hyyrö, 2003, has them).
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel

_BITS = 64


@kernel
def edit_distances(codes, starts, left, right, alphabet):  # type: ignore[no-untyped-def]
    """The edits between the texts of each pair; `codes` are characters by number, pairs of one left text in a row."""
    one, none, high = np.uint64(1), np.uint64(0), np.uint64(_BITS - 1)
    longest = 0
    for place in range(len(starts) - 1):
        longest = max(longest, starts[place + 1] - starts[place])
    words = max(1, (longest + _BITS - 1) // _BITS)
    where = np.zeros((alphabet, words), np.uint64)
    plus, minus = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    found = np.zeros(len(left), np.int64)
    known = -1
    for pair in range(len(left)):
        pattern = left[pair]
        begin, end = starts[pattern], starts[pattern + 1]
        if pattern != known:
            if known >= 0:
                for at in range(starts[known], starts[known + 1]):
                    where[codes[at], :] = none
            for at in range(begin, end):
                row = at - begin
                where[codes[at], row // _BITS] |= one << np.uint64(row % _BITS)
            known = pattern
        size = end - begin
        text, text_end = starts[right[pair]], starts[right[pair] + 1]
        if size == 0:
            found[pair] = text_end - text
            continue
        used = (size + _BITS - 1) // _BITS
        last = np.uint64((size - 1) % _BITS)
        plus[:used] = ~none
        minus[:used] = none
        distance = size
        for at in range(text, text_end):
            code = codes[at]
            more, less = one, none
            for word in range(used):
                up, down = plus[word], minus[word]
                same = where[code, word]
                vertical = same | down
                same |= less
                across = (((same & up) + up) ^ up) | same
                rises = down | ~(across | up)
                falls = up & across
                if word == used - 1:
                    distance += np.int64((rises >> last) & one) - np.int64((falls >> last) & one)
                next_more, next_less = rises >> high, falls >> high
                rises = (rises << one) | more
                falls = (falls << one) | less
                plus[word] = falls | ~(vertical | rises)
                minus[word] = rises & vertical
                more, less = next_more, next_less
        found[pair] = distance
    return found


@kernel
def shared_numbers(numbers, starts, left, right):  # type: ignore[no-untyped-def]
    """How many numbers the lists of each pair share; the numbers of a list ascend and are there once."""
    found = np.zeros(len(left), np.int64)
    for pair in range(len(left)):
        first, first_end = starts[left[pair]], starts[left[pair] + 1]
        second, second_end = starts[right[pair]], starts[right[pair] + 1]
        count = 0
        while first < first_end and second < second_end:
            if numbers[first] == numbers[second]:
                count += 1
                first += 1
                second += 1
            elif numbers[first] < numbers[second]:
                first += 1
            else:
                second += 1
        found[pair] = count
    return found
