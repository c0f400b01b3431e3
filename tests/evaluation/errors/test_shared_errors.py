"""The share of errors that all systems make, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.evaluation.errors.shared_errors import chance_shared_errors, shared_errors


def test_shared_errors_by_hand() -> None:
    # Wrong: systems 1 and 2; 2; all three; none. Of three examples with an error, one is wrong for all.
    correct = np.array([[False, False, True], [True, False, True], [False, False, False], [True, True, True]])
    assert shared_errors(correct) == pytest.approx(1 / 3)
    # Accuracies 0.5, 0.25, 0.75: all wrong 0.5·0.75·0.25, any wrong 1 − 0.5·0.25·0.75.
    chance = chance_shared_errors([float(share) for share in correct.mean(axis=0)])
    assert chance == pytest.approx(0.09375 / 0.90625)


def test_systems_without_errors_share_none() -> None:
    right = np.ones((3, 2), np.bool_)
    assert shared_errors(right) is None
    assert chance_shared_errors([1.0, 1.0]) is None
    assert shared_errors(~right) == chance_shared_errors([0.0, 0.0]) == 1.0
