"""Areas under the curve, by hand and against all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.evaluation.statistics.auc import area_under_curve, auc, pearson


def test_by_hand() -> None:
    # Pairs of right and wrong: (.5, .1) won, (.5, .5) half, (.9, .1) won, (.9, .5) won: 3.5 of 4.
    assert auc([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1]) == 3.5 / 4
    assert auc([0.1, 0.9], [1, 0]) == 0.0
    assert auc([0.5] * 4, [0, 1, 1, 0]) == 0.5
    assert auc([0.1, 0.2, 0.3], [0, -1, 1]) == 1.0  # no label, no pair


def test_no_area_where_one_side_is_missing() -> None:
    assert auc([0.1, 0.2], [1, 1]) is None
    assert auc([], []) is None
    with pytest.raises(OptionError, match="2 scores and 1 labels"):
        auc([0.1, 0.2], [1])


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([-1, 0, 1]), st.integers(0, 2)), min_size=1, max_size=30))
def test_against_all_pairs(rows: list[tuple[int, int, int]]) -> None:
    scores, labels, splits = (list(column) for column in zip(*rows, strict=True))
    found = area_under_curve(np.array(scores, float), np.array(labels, np.int8), splits, repeats=3)
    pairs = [(a, b) for a in rows for b in rows if a[1] == 1 and b[1] == 0]
    for chosen, value in ((pairs, found.pooled), ([p for p in pairs if p[0][2] == p[1][2]], found.within)):
        wins = [1.0 if a[0] > b[0] else 0.5 if a[0] == b[0] else 0.0 for a, b in chosen]
        assert value == (pytest.approx(np.mean(wins)) if wins else None)
    assert (found.positives, found.negatives, found.dropped) == tuple(labels.count(n) for n in (1, 0, -1))
    assert found.splits == len(set(splits))


def test_a_rule_that_only_tells_splits_apart() -> None:
    # Split a is easy and split b is hard; the score is the mean of the split.
    labels = np.array([1, 1, 1, 0, 1, 0, 0, 0], np.int8)
    found = area_under_curve(np.array([0.9] * 4 + [0.1] * 4), labels, list("aaaabbbb"), seed=1, repeats=200)
    assert found.pooled == (9 + 0.5 * 3 + 0.5 * 3) / 16
    assert found.within == 0.5
    assert found.within_low == found.within_high == 0.5
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.pooled <= found.high
    assert found.mixed_splits == 2


def test_intervals_are_of_their_seed() -> None:
    generator = np.random.default_rng(0)
    scores, labels = generator.random(60), generator.integers(0, 2, 60).astype(np.int8)
    splits = [number // 6 for number in range(60)]
    first = area_under_curve(scores, labels, splits, seed=1)
    assert first == area_under_curve(scores, labels, splits, seed=1)
    assert (first.low, first.high) != tuple(
        getattr(area_under_curve(scores, labels, splits, seed=2), name) for name in ("low", "high")
    )


def test_several_scores_give_the_mean_area() -> None:
    labels = np.array([0, 1], np.int8)
    found = area_under_curve([np.array([0.0, 1.0]), np.array([1.0, 0.0])], labels, ["a", "a"], repeats=5)
    assert found.pooled == found.within == 0.5


def test_resamples_without_an_area_are_counted() -> None:
    found = area_under_curve(np.array([0.1, 0.9]), np.array([0, 1], np.int8), ["a", "b"], repeats=50)
    assert 0 < found.undefined < 50  # both draws the same split
    assert found.to_record()["undefined"] == found.undefined
    with pytest.raises(OptionError, match="resample 0 times"):
        area_under_curve(np.array([0.1]), np.array([0], np.int8), ["a"], repeats=0)


def test_correlation() -> None:
    assert pearson([1, 2, 3], [10, 20, 30]) == pytest.approx(1.0)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert pearson([1, 2, 4], [1, 3, 2]) == pytest.approx(np.corrcoef([1, 2, 4], [1, 3, 2])[0, 1])
    assert pearson([1, 1], [1, 2]) is None


def test_intervals_hold_95_percent() -> None:
    # Half of 100 splits have an area of 1, half of 0, one pair each: within a resample it is Binomial(100, ½)/100, of
    # which 2.5 % lie below 0.40 and 2.5 % above 0.60 (5 % below 0.42 and above 0.58).
    scores = np.array([0.9, 0.1] * 50 + [0.1, 0.9] * 50)
    labels = np.array([1, 0] * 100, np.int8)
    found = area_under_curve(scores, labels, [number // 2 for number in range(200)], seed=1, repeats=4000)
    assert found.within == 0.5
    assert (found.within_low, found.within_high) == (pytest.approx(0.40), pytest.approx(0.60))
