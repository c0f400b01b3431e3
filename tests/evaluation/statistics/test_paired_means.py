"""Paired means of runs, against all changes of sign and by hand."""

from __future__ import annotations

from itertools import product

import pytest

from recombine.errors import OptionError
from recombine.evaluation.statistics.paired_means import paired_means


def test_p_value_is_that_of_all_changes_of_sign() -> None:
    first, second = [[0, 0, 1, 0, 0, 1, 0, 0]], [[1, 1, 1, 1, 0, 0, 1, 1]]
    gaps = [1, 1, 0, 1, 0, -1, 1, 1]
    moved = [gap for gap in gaps if gap]
    sums = [
        abs(sum(sign * gap for sign, gap in zip(signs, moved, strict=True))) for signs in product((1, -1), repeat=6)
    ]
    exact = sum(each >= abs(sum(moved)) for each in sums) / len(sums)
    found = paired_means(first, second, draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=0.01)
    assert found.difference == 0.5
    assert found.interval[0] <= 0.5 <= found.interval[1]


def test_runs_are_averaged_question_by_question() -> None:
    found = paired_means([[1, 0, 0, 1], [0, 0, 0, 1]], [[1, 1, 1, 1]])
    assert (found.first, found.second, found.runs) == (0.375, 1.0, (2, 1))


def test_same_seed_same_numbers_and_another_seed_others() -> None:
    first, second = [[0, 1] * 20], [[1, 1, 0, 1] * 10]
    assert paired_means(first, second, seed=1) == paired_means(first, second, seed=1)
    assert paired_means(first, second, seed=1) != paired_means(first, second, seed=2)


def test_other_questions_are_refused() -> None:
    with pytest.raises(OptionError, match="2 questions beside 3"):
        paired_means([[0, 1]], [[0, 1, 1]])
    with pytest.raises(OptionError, match=r"runs of \[2, 3\] questions"):
        paired_means([[0, 1], [0, 1, 1]], [[0, 1]])
