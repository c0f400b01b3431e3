"""Draws from a pool agree with a simulation of the paper's rule."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from recombine.datasets.kbqa_made.controlled_pool import ControlledPool
from recombine.errors import OptionError


def chances(size: int, divisor: float, draws: int) -> dict[tuple[int, ...], float]:
    """How likely each row of draws is: the rule written out, weight by weight."""
    found: dict[tuple[int, ...], float] = {}
    for row in product(range(size), repeat=draws):
        weights, chance = [1.0] * size, 1.0
        for place in row:
            chance *= weights[place] / sum(weights)
            weights[place] /= divisor
        found[row] = chance
    return found


@pytest.mark.parametrize("divisor", [1.0, 2.0, 10.0])
def test_rows_of_draws_are_as_frequent_as_the_rule_says(divisor: float) -> None:
    rng, times = np.random.default_rng(7), 6000
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(times):
        pool = ControlledPool(3, divisor)
        seen[tuple(pool.draw(rng) for _ in range(3))] += 1
    expected = chances(3, divisor, 3)
    assert chisquare([seen[row] for row in expected], [times * chance for chance in expected.values()]).pvalue > 0.001


def test_many_draws_do_not_run_out_of_the_range_of_floats() -> None:
    pool, rng = ControlledPool(2, 1e9), np.random.default_rng(1)
    for _ in range(400):
        pool.draw(rng)
    assert pool.drawn == [200, 200]


@pytest.mark.parametrize("divisor", [0.0, -1.0, 0.5, float("inf"), float("nan")])
def test_what_does_not_divide_is_refused(divisor: float) -> None:
    with pytest.raises(OptionError, match="1 or more"):
        ControlledPool(2, divisor)
