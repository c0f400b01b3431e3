"""Examples at random, without replacement: the baseline."""

from __future__ import annotations

from recombine.seeds import make_generator
from recombine.selection.selected import Selected, check_number


def select_random(pool: int, number: int, *, seed: int = 0) -> Selected:
    """`number` rows of a pool of this size.

    >>> sorted(select_random(3, 3).rows)
    [0, 1, 2]
    """
    check_number(number, pool)
    rows = make_generator(seed).permutation(pool)[:number]
    return Selected(tuple(int(row) for row in rows), ("",) * number)
