"""Combinations in the order they were written, and grids that are refused."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.studies.tuning.choose import TrialResult, choose
from recombine.studies.tuning.grid import MOST, Grid
from recombine.studies.tuning.held_back import HeldBack


def test_combinations_stand_in_the_order_of_the_file() -> None:
    grid = Grid.of({"b": [2, 1], "a": ["x", "y"]})
    assert grid.combinations() == [{"b": 2, "a": "x"}, {"b": 2, "a": "y"}, {"b": 1, "a": "x"}, {"b": 1, "a": "y"}]
    assert grid.content() == [["b", [2, 1]], ["a", ["x", "y"]]]
    assert len(grid) == 4


def test_names_of_runs_differ_and_can_be_those_of_files() -> None:
    grid = Grid.of({"checkpoint": ["models/one", "models/two"], "n": [1, 1.0, True]})
    labels = [grid.label(values) for values in grid.combinations()]
    assert labels[:2] == ["checkpoint=(1),n=1", "checkpoint=(1),n=1.0"]
    assert len({*labels}) == 6
    assert not any("/" in label for label in labels)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"width": []}, "tune: width has no values; give some"),
        ({"width": [8, 16, 8]}, "tune: width has the value 8 twice"),
        ({"width": [8]}, "there is one combination, and nothing to choose from; write width = 8 instead"),
        ({}, "there is one combination"),
        ({"a": list(range(13)), "b": list(range(5))}, f"65 combinations, more than the {MOST}.*; leave out values"),
    ],
)
def test_what_cannot_be_tuned_over_is_refused(values: dict[str, list[int]], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        Grid.of(values)
    assert len(Grid.of({"a": list(range(16)), "b": list(range(4))})) == MOST


def test_ties_go_to_the_first_and_failures_are_out() -> None:
    def trial(right: int | None, *errors: str, waiting: int = 0) -> TrialResult:
        return TrialResult({}, (), right, 0 if right is None else 9, waiting, errors)

    assert choose([trial(3), trial(5), trial(5)]) == 1
    assert choose([trial(None, "no number"), trial(0), trial(0)]) == 1
    assert choose([trial(9), trial(None, waiting=1)]) is None
    assert choose([trial(None, "no"), trial(None, "no")]) is None


def test_what_is_held_back_is_a_share_of_different_examples() -> None:
    train = [f"e{number}" for number in (*range(10), 3, 3, 7)]
    kept, held = HeldBack(0.3, 4, "test").draw(train)
    assert len({*held}) == 3
    assert not {*kept} & {*held}
    assert sorted([*kept, *held]) == sorted(train)  # repeats go along
    assert list(kept) == [each for each in train if each in kept]
    assert HeldBack(0.3, 4, "test").draw(train) == (kept, held)
    draws = {HeldBack(0.3, seed, "test").draw(train)[1] for seed in range(5)}
    assert len(draws) > 1


@pytest.mark.parametrize(("share", "size"), [(0.001, 1), (0.999, 9)])
def test_at_least_one_stays_on_each_side(share: float, size: int) -> None:
    kept, held = HeldBack(share, 0, "test").draw([f"e{number}" for number in range(10)])
    assert (len(kept), len(held)) == (10 - size, size)
