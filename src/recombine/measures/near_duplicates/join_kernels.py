"""Kernels that find, for each test text, the train texts like it: among all of them, or among those of its buckets.

Likeness is Jaccard's, of sources and of targets; a pair counts where both reach the threshold. Train texts are the
first ones in all arrays, test texts the others. `same` is the train text that is the same as a test text, or -1.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part


@part
def jaccard(tokens, starts, one, other):  # type: ignore[no-untyped-def]
    """The share of the tokens of both sets that are in both; of two empty sets 1."""
    at, end = starts[one], starts[one + 1]
    by, stop = starts[other], starts[other + 1]
    size = (end - at) + (stop - by)
    if size == 0:
        return 1.0
    shared = 0
    while at < end and by < stop:
        if tokens[at] == tokens[by]:
            shared += 1
            at += 1
            by += 1
        elif tokens[at] < tokens[by]:
            at += 1
        else:
            by += 1
    return shared / (size - shared)


@part
def judge(source, source_starts, target, target_starts, row, known, place, threshold, near, best, likeness):  # type: ignore[no-untyped-def]
    """Count a train text as near to a test text, if it is, and keep it if it is the nearest so far."""
    of_source = jaccard(source, source_starts, row, known)
    if of_source < threshold:
        return
    of_target = jaccard(target, target_starts, row, known)
    if of_target < threshold:
        return
    near[place] += 1
    least, total = min(of_source, of_target), of_source + of_target
    kept, kept_total = min(likeness[place, 0], likeness[place, 1]), likeness[place, 0] + likeness[place, 1]
    nearer = least > kept or (least == kept and total > kept_total)
    equal = least == kept and total == kept_total
    if best[place] < 0 or nearer or (equal and known < best[place]):
        best[place] = known
        likeness[place, 0] = of_source
        likeness[place, 1] = of_target


@kernel
def near_in_all(source, source_starts, target, target_starts, trained, same, threshold, near, best, likeness):  # type: ignore[no-untyped-def]
    """Judge every pair of which the sizes do not say already that it is not near."""
    for place in range(len(same)):
        row = trained + place
        size = source_starts[row + 1] - source_starts[row]
        for known in range(trained):
            other = source_starts[known + 1] - source_starts[known]
            if known == same[place] or min(size, other) < threshold * max(size, other) - 1e-9:
                continue
            judge(source, source_starts, target, target_starts, row, known, place, threshold, near, best, likeness)


@kernel
def band_keys(source, source_starts, source_hashes, target, target_starts, target_hashes, seeds, rows, keys):  # type: ignore[no-untyped-def]
    """For each text and band a number: the least hashes of its tokens under `rows` hash functions, mixed."""
    for text in range(keys.shape[0]):
        for band in range(keys.shape[1]):
            key = np.uint64(band + 1)
            for row in range(rows):
                seed = seeds[band * rows + row]
                least = np.uint64(0xFFFFFFFFFFFFFFFF)
                for at in range(source_starts[text], source_starts[text + 1]):
                    least = min(least, mixed(source_hashes[source[at]] ^ seed))
                for at in range(target_starts[text], target_starts[text + 1]):
                    least = min(least, mixed(target_hashes[target[at]] ^ seed))
                key = mixed(key ^ least)
            keys[text, band] = key


@part
def mixed(value):  # type: ignore[no-untyped-def]
    """A number whose every bit depends on every bit of another (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def near_in_buckets(  # type: ignore[no-untyped-def]
    source, source_starts, target, target_starts, trained, same, threshold, order, left, right, near, best, likeness
):
    """Judge the pairs that share a bucket of some band, each once."""
    seen = np.full(trained, -1, np.int64)
    for place in range(len(same)):
        row = trained + place
        for band in range(order.shape[0]):
            for at in range(left[band, place], right[band, place]):
                known = order[band, at]
                if seen[known] == place or known == same[place]:
                    continue
                seen[known] = place
                judge(source, source_starts, target, target_starts, row, known, place, threshold, near, best, likeness)
