"""Intervals against published and against independent values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import paired_bootstrap, wilson


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(counts: tuple[int, int]) -> None:
    right, n = counts
    low, high = wilson(right, n)
    wanted = binomtest(right, n).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert 0 <= low <= right / n <= high <= 1
    assert low < high


@pytest.mark.parametrize(("right", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_share(right: int, n: int) -> None:
    with pytest.raises(OptionError, match="is no share"):
        wilson(right, n)


def test_paired_bootstrap() -> None:
    low, high = paired_bootstrap(60, 40, 1000, seed=1)
    # The normal approximation: 0.02 ± 1.96 √(0.1 − 0.02²) / √1000.
    assert (low, high) == pytest.approx((0.02 - 0.0196, 0.02 + 0.0196), abs=0.0015)
    assert paired_bootstrap(60, 40, 1000, seed=1) == (low, high)
    assert paired_bootstrap(60, 40, 1000, seed=2, resamples=200) != paired_bootstrap(
        60, 40, 1000, seed=1, resamples=200
    )
    assert paired_bootstrap(0, 0, 7, seed=0) == (0, 0)
    turned = paired_bootstrap(40, 60, 1000, seed=1)
    assert turned == pytest.approx((-high, -low), abs=0.003)
    with pytest.raises(OptionError, match="6 gained and 5 lost of 10"):
        paired_bootstrap(6, 5, 10, seed=0)
