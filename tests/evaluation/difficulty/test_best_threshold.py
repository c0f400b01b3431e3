"""The threshold of the best F1: by hand, against all thresholds one by one, and where there is none."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recombine.evaluation.difficulty.best_threshold import best_threshold

PAIRS = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.sampled_from([-1, 0, 1])), max_size=12)


def test_by_hand() -> None:
    """Easy at 0.7 or more: 2 of 2 easy ones are right, 2 of 3 right ones are easy, F1 = 4/5; at 0.4: 3 of 4, 6/7."""
    best = best_threshold([0.9, 0.7, 0.4, 0.4, 0.1], [1, 1, 0, 1, 0])
    assert best is not None
    assert best.to_record() == {"easiness": 0.4, "f1": 6 / 7, "precision": 0.75, "recall": 1.0}


def test_of_equals_the_lowest() -> None:
    """At 1.0: one of one, of two right ones; F1 2/3. At 0.0: two of four; F1 2/3."""
    best = best_threshold([1.0, 0.5, 0.0, 0.5], [1, 0, 1, 0])
    assert best is not None
    assert (best.easiness, best.f1) == (0.0, 2 / 3)


def test_what_was_dropped_does_not_count() -> None:
    with_ties = best_threshold([0.2, 0.3, 0.9, 0.95], [0, -1, 1, -1])
    assert with_ties == best_threshold([0.2, 0.9], [0, 1])
    assert with_ties is not None
    assert with_ties.easiness == 0.9


def test_there_is_none_where_all_are_alike() -> None:
    for labels in ([1, 1, -1], [0, 0, -1], [-1, -1, -1]):
        assert best_threshold([0.1, 0.2, 0.3], labels) is None
    assert best_threshold([], []) is None


@given(PAIRS)
def test_no_threshold_is_better(pairs: list[tuple[float, int]]) -> None:
    scores, labels = np.array([score for score, _ in pairs]), np.array([label for _, label in pairs])
    best = best_threshold(scores, labels)
    right, wrong = scores[labels == 1], scores[labels == 0]
    if not len(right) or not len(wrong):
        assert best is None
        return
    assert best is not None
    values = {}
    for threshold in {*right, *wrong}:
        hits, missed, false = (right >= threshold).sum(), (right < threshold).sum(), (wrong >= threshold).sum()
        values[float(threshold)] = float(2 * hits / (2 * hits + missed + false))
    assert best.f1 == max(values.values())
    assert best.easiness == min(threshold for threshold, f1 in values.items() if f1 == best.f1)
    assert best.precision == (right >= best.easiness).sum() / (scores[labels >= 0] >= best.easiness).sum()
    assert best.recall == (right >= best.easiness).mean()
