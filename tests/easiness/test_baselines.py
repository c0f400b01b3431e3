"""The rules to compare with."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.easiness.baselines import group_means, length_easiness, random_easiness
from recombine.errors import OptionError


def test_length() -> None:
    # §4.4: max(1 − m_u / m_l, 0), where m_l is the longest training program.
    assert length_easiness([3, 8], [2, 8, 9]).tolist() == [0.75, 0.0, 0.0]
    with pytest.raises(OptionError, match="training set is empty"):
        length_easiness([], [1])


def test_random_is_of_its_seed() -> None:
    first = random_easiness(5, seed=3)
    assert first.tolist() == random_easiness(5, seed=3).tolist()
    assert first.tolist() != random_easiness(5, seed=4).tolist()
    assert ((first >= 0) & (first < 1)).all()


def test_means_of_groups() -> None:
    assert group_means(np.array([0.2, 0.4, 1.0]), [7, 7, 3]).tolist() == pytest.approx([0.3, 0.3, 1.0])
