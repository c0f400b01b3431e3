"""The choice of `subsample` made again: at each step the entropy of every candidate is counted from nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

Row = Mapping[str, float]


def entropy(rows: Iterable[Row]) -> float:
    """The entropy of the distribution of names, in nats."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums.update(row)
    total = sum(sums.values())
    return -sum(count / total * log(count / total) for count in sums.values() if count) if total else 0.0


def greedy_steps(rows: Sequence[Row], taken: Sequence[int], pool: Sequence[int]) -> list[tuple[float, float]]:
    """For each example that was taken of a pool, the entropy it led to, and the highest that any would have led to."""
    steps = []
    for place, row in enumerate(taken):
        before = [rows[each] for each in taken[:place]]
        reached = entropy([*before, rows[row]])
        others = [entropy([*before, rows[each]]) for each in pool if each not in taken[:place]]
        steps.append((reached, max(others)))
    return steps
