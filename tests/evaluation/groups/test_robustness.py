"""Bounds within groups: worked out by hand, and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.evaluation.groups.robustness import bounds
from recombine.evaluation.statistics.intervals import wilson

ENTRIES = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40)


def test_bounds_by_hand() -> None:
    # a: one of three right; b: both; c: none of one; d: its one.
    found = bounds(list("aaabbcd"), [True, False, False, True, True, False, True])
    assert (found.lower_right, found.right, found.upper_right) == (3, 4, 6)
    assert (found.n, found.groups, found.alone) == (7, 4, 2)
    assert found.lower == 3 / 7
    assert found.upper == 6 / 7
    assert found.effective == 49 / (9 + 4 + 1 + 1)


@given(ENTRIES)
def test_bounds_enclose_the_accuracy(entries: list[tuple[int, bool]]) -> None:
    found = bounds([group for group, _ in entries], [right for _, right in entries])
    assert 0 <= found.lower <= found.accuracy <= found.upper <= 1
    assert found.accuracy == sum(right for _, right in entries) / len(entries)
    for bound in ("lower", "accuracy", "upper"):
        low, high = found.interval(bound)
        assert 0 <= low <= getattr(found, bound) <= high <= 1


@given(ENTRIES)
def test_finer_groups_have_closer_bounds(entries: list[tuple[int, bool]]) -> None:
    right = [is_right for _, is_right in entries]
    fine = bounds([group for group, _ in entries], right)
    coarse = bounds([group // 3 for group, _ in entries], right)
    assert coarse.lower <= fine.lower
    assert fine.upper <= coarse.upper


@given(ENTRIES)
def test_groups_of_one_are_bounded_by_the_accuracy(entries: list[tuple[int, bool]]) -> None:
    found = bounds(range(len(entries)), [right for _, right in entries])
    assert found.lower == found.accuracy == found.upper
    assert found.interval("upper") == pytest.approx(wilson(found.right, found.n))


def test_the_interval_of_a_bound_counts_groups() -> None:
    """Ten groups of ten tell as much of a bound as ten questions."""
    found = bounds([place // 10 for place in range(100)], [place < 40 for place in range(100)])
    assert found.effective == 10
    assert found.interval("lower") == pytest.approx(wilson(4, 10))


def test_bounds_of_nothing() -> None:
    with pytest.raises(OptionError, match="0 groups beside 0 verdicts"):
        bounds([], [])
    with pytest.raises(OptionError, match="2 groups beside 1 verdicts"):
        bounds(["a", "b"], [True])
