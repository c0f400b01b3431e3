"""Intervals of correlations over splits: by hand, and beside plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from recombine.errors import OptionError
from recombine.evaluation.statistics.correlation_intervals import correlation_intervals
from recombine.seeds import make_generator


def test_splits_on_a_line_have_no_doubt_and_draws_of_one_split_none_at_all() -> None:
    found = correlation_intervals([0.1, 0.5, 0.9], [90.0, 50.0, 10.0], draws=9000)
    assert found.pearson == pytest.approx((-1.0, -1.0))
    assert found.spearman == pytest.approx((-1.0, -1.0))
    # Three draws of three hit one split alone with a chance of 3 / 27.
    assert found.undefined == pytest.approx(1000, abs=100)
    assert found.draws == 9000
    assert found.to_record()["pearson"] == pytest.approx([-1.0, -1.0])


def test_beside_loops() -> None:
    generator = make_generator(5)
    x = generator.random(14).round(1)  # with ties
    y = 100 - 60 * x + generator.normal(0, 25, 14)
    found = correlation_intervals(x.tolist(), y.tolist(), seed=2, draws=400)
    rows = make_generator(2).integers(0, 14, (400, 14))
    for interval, correlation in ((found.pearson, stats.pearsonr), (found.spearman, stats.spearmanr)):
        each = [correlation(x[row], y[row]).statistic for row in rows]
        assert interval == pytest.approx(tuple(np.quantile(each, [0.025, 0.975])))
    assert found.pearson != found.spearman
    assert correlation_intervals(x.tolist(), y.tolist(), seed=3, draws=400) != found


def test_what_does_not_vary_has_no_interval() -> None:
    found = correlation_intervals([0.1, 0.2, 0.3], [5.0, 5.0, 5.0], draws=50)
    assert (found.pearson, found.spearman, found.undefined) == (None, None, 50)
    with pytest.raises(OptionError, match="2 splits are too few for a correlation"):
        correlation_intervals([0.1, 0.2], [1.0, 2.0])
    with pytest.raises(OptionError, match="3 values beside 2"):
        correlation_intervals([0.1, 0.2, 0.3], [1.0, 2.0])
