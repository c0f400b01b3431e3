"""Array kernels of similarity: contexts of symbols as bit sets, and the most similar observed structure.

Every kernel and all it calls are in this file, since numba's cache on disk does not see changes elsewhere.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

CHILDREN, PARENTS, RIGHT, LEFT = 0, 1, 2, 3
ONE = np.uint64(1)


@kernel
def context_bits(shapes, labels, observed, symbols):  # type: ignore[no-untyped-def]
    """The contexts of every symbol, as bits: contexts × symbols × words, from observed structures of two nodes."""
    bits = np.zeros((4, symbols, (symbols + 63) // 64), np.uint64)
    for column in range(len(shapes)):
        if not observed[column] or shapes[column] > 2:
            continue
        first, second = labels[column, 0], labels[column, 1]
        forth, back = (CHILDREN, PARENTS) if shapes[column] == 1 else (RIGHT, LEFT)
        bits[forth, first, second >> 6] |= ONE << np.uint64(second & 63)
        bits[back, second, first >> 6] |= ONE << np.uint64(first & 63)
    return bits


@part
def _ones(word):  # type: ignore[no-untyped-def]
    """The number of bits set."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def compare_symbols(bits, one, other, by_relation):  # type: ignore[no-untyped-def]
    """The mean Jaccard similarity over the contexts that one of the two has; 1 for a symbol and itself.

    With `by_relation` the contexts of parents and children are averaged first, then those of siblings, then both.
    """
    if one == other:
        return 1.0
    total = 0.0
    relevant = 0
    half = 0.0
    half_relevant = 0
    for context in range(4):
        both = 0
        either = 0
        for word in range(bits.shape[2]):
            one_bits, other_bits = bits[context, one, word], bits[context, other, word]
            both += _ones(one_bits & other_bits)
            either += _ones(one_bits | other_bits)
        if either:
            half += both / either
            half_relevant += 1
        if by_relation and context & 1:
            if half_relevant:
                total += half / half_relevant
                relevant += 1
            half = 0.0
            half_relevant = 0
    if not by_relation:
        total, relevant = half, half_relevant
    return total / relevant if relevant else 0.0


@kernel
def compare_all(bits, by_relation):  # type: ignore[no-untyped-def]
    """The similarities of all pairs of symbols."""
    symbols = bits.shape[1]
    similarities = np.empty((symbols, symbols))
    for one in range(symbols):
        for other in range(one + 1):
            similarities[one, other] = similarities[other, one] = compare_symbols(bits, one, other, by_relation)
    return similarities


@kernel
def compare_pairs(bits, ones, others, by_relation):  # type: ignore[no-untyped-def]
    """The similarities of pairs of symbols."""
    similarities = np.empty(len(ones))
    for place in range(len(ones)):
        similarities[place] = compare_symbols(bits, ones[place], others[place], by_relation)
    return similarities


@kernel
def most_similar(  # type: ignore[no-untyped-def]
    wanted, labels, groups, starts, members, observed, bits, by_relation
):
    """For each wanted column, the highest similarity to an observed one, and that column; the first among equals.

    A structure that is observed is most similar to itself, with 1. One without a similar structure has 0 and column -1.
    """
    scores = np.zeros(len(wanted))
    nearest = np.full(len(wanted), -1, np.int64)
    for place in range(len(wanted)):
        column = wanted[place]
        if observed[column]:
            scores[place] = 1.0
            nearest[place] = column
            continue
        for slot in range(4):
            if labels[column, slot] < 0:
                break
            group = groups[column, slot]
            for entry in range(starts[group], starts[group + 1]):
                other = members[entry]
                if not observed[other]:
                    continue
                score = compare_symbols(bits, labels[column, slot], labels[other, slot], by_relation)
                if score > scores[place] or (score == scores[place] and score > 0.0 and other < nearest[place]):
                    scores[place] = score
                    nearest[place] = other
    return scores, nearest


@kernel
def least_easy(starts, columns, programs, scores, observed):  # type: ignore[no-untyped-def]
    """For each program the lowest score of its columns and the first unobserved column that has it; else 1 and -1."""
    lowest = np.ones(len(programs))
    hardest = np.full(len(programs), -1, np.int64)
    unobserved = np.zeros(len(programs), np.int64)
    for place in range(len(programs)):
        for entry in range(starts[programs[place]], starts[programs[place] + 1]):
            column = columns[entry]
            if observed[column]:
                continue
            unobserved[place] += 1
            if hardest[place] < 0 or scores[column] < lowest[place]:
                lowest[place] = scores[column]
                hardest[place] = column
    return lowest, hardest, unobserved
