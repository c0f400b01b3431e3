"""The curve, by hand; the area under it is the AUC."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.evaluation.statistics.auc import auc, roc_curve


def test_by_hand() -> None:
    # From the easiest down: a right one; a right and two wrong ones at once; a wrong one without a label is left out.
    scores, labels = [0.9, 0.5, 0.5, 0.5, 0.1], [1, 1, 0, 0, -1]
    assert roc_curve(scores, labels) == [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]


def test_no_curve_where_one_side_is_missing() -> None:
    assert roc_curve([0.1, 0.2], [1, 1]) is None
    assert roc_curve([], []) is None
    with pytest.raises(OptionError, match="2 scores and 1 labels"):
        roc_curve([0.1, 0.2], [1])


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([-1, 0, 1])), max_size=30))
def test_the_area_under_it(rows: list[tuple[int, int]]) -> None:
    scores, labels = [score / 4 for score, _ in rows], [label for _, label in rows]
    points = roc_curve(scores, labels)
    if points is None:
        assert auc(scores, labels) is None
        return
    wrong, right = zip(*points, strict=True)
    assert (points[0], points[-1]) == ((0.0, 0.0), (1.0, 1.0))
    assert list(wrong) == sorted(wrong)
    assert list(right) == sorted(right)
    assert np.trapezoid(right, wrong) == pytest.approx(auc(scores, labels))
