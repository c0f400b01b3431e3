"""Pairs within groups: all of them, and an even draw of some."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from recombine.measures.wordings.group_pairs import group_pairs


@pytest.mark.parametrize("sizes", [[], [1], [2], [4, 0, 1, 3, 300], [1, 1, 1]])
def test_all_pairs(sizes: list[int]) -> None:
    wanted, first = [], 0
    for size in sizes:
        wanted += list(combinations(range(first, first + size), 2))
        first += size
    pairs = group_pairs(sizes)
    assert list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == wanted
    assert (pairs.total, pairs.drawn) == (len(wanted), False)


@pytest.mark.parametrize("most", [40, 400])
def test_a_draw_has_different_pairs_of_the_same_groups(most: int) -> None:
    sizes = [30, 5, 12]
    whole = group_pairs(sizes)
    listed = set(zip(whole.left.tolist(), whole.right.tolist(), strict=True))
    pairs = group_pairs(sizes, most=most, seed=3)
    drawn = list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    assert len(set(drawn)) == most == len(drawn)
    assert set(drawn) <= listed
    assert (pairs.total, pairs.drawn) == (len(listed), True)
    again = group_pairs(sizes, most=most, seed=3)
    assert np.array_equal(again.left, pairs.left)
    assert not np.array_equal(group_pairs(sizes, most=most, seed=4).left, pairs.left)


def test_a_draw_is_even() -> None:
    """Of 300 draws of 20 out of 66 pairs, each pair is in 91 of them in the mean; none is in fewer than 60."""
    seen = np.zeros((12, 12))
    for seed in range(300):
        pairs = group_pairs([12], most=20, seed=seed)
        seen[pairs.left, pairs.right] += 1
    counts = seen[np.triu_indices(12, 1)]
    assert counts.sum() == 6000
    assert counts.min() > 60
    assert counts.max() < 125
