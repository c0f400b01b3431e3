"""Compiled tests of whether the tokens of one sequence stand in another, with room for what fills its slots.

They say which rules a rule could help to derive and which examples it could take part in: quickly, and a no is sure.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part
from recombine.models.nqg.forest.arrays import Rules

TUPLES = (Rules,)
"""What the kernels take: where its fields change, so does what is compiled."""


@part
def embeds(pattern, text):  # type: ignore[no-untyped-def]
    """Return whether the tokens of a pattern stand in a text in order, with something in place of each slot."""
    start, at, k, low = 0, 0, 0, 0
    while k < pattern.size:
        if pattern[k] < 2:
            at += 1
            k += 1
            low, start = k, at
            if at > text.size:
                return False
        elif at < text.size and text[at] == pattern[k]:
            at += 1
            k += 1
        else:
            start += 1
            at, k = start, low
            if start >= text.size:
                return False
    return True


@kernel
def find_embedding(pattern, at, pool):  # type: ignore[no-untyped-def]
    """Return the texts of a pool in which a pattern stands."""
    texts = np.empty(at.size - 1, np.int64)
    size = 0
    for k in range(at.size - 1):
        if embeds(pattern, pool[at[k] : at[k + 1]]):
            texts[size] = k
            size += 1
    return texts[:size]


@kernel
def affected(source, target, rules):  # type: ignore[no-untyped-def]
    """Return the rules in use whose derivations a rule could take part in, by its tokens."""
    numbers, size = np.empty(rules.size[1], np.int64), 0
    for rule in range(rules.size[1]):
        if (
            rules.active[rule]
            and embeds(source, rules.source[rules.source_at[rule] : rules.source_at[rule + 1]])
            and embeds(target, rules.target[rules.target_at[rule] : rules.target_at[rule + 1]])
        ):
            numbers[size] = rule
            size += 1
    return numbers[:size]
