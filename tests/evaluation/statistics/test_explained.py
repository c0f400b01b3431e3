"""What measures explain, by hand and beside scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from recombine.errors import OptionError
from recombine.evaluation.statistics.explained import explained
from recombine.seeds import make_generator


def test_by_hand() -> None:
    found = explained([90.0, 50.0, 10.0], {"line": [0.0, 0.5, 1.0], "bent": [0.0, 0.1, 1.0], "flat": [2, 2, 2]})
    line, bent = found["line"], found["bent"]
    assert (line.r_squared, line.pearson, line.spearman) == (pytest.approx(1), pytest.approx(-1), pytest.approx(-1))
    assert (line.slope, line.intercept, line.n) == (pytest.approx(-80), pytest.approx(90), 3)
    assert bent.spearman == pytest.approx(-1)
    assert bent.r_squared is not None
    assert bent.r_squared < 0.9
    assert found["flat"].to_record() == {**dict.fromkeys(line.to_record(), None), "n": 3}


def test_against_scipy() -> None:
    generator = make_generator(3)
    x = generator.random(20).round(1)  # with ties
    y = 100 - 80 * x + generator.normal(0, 10, 20)
    found = explained(y.tolist(), {"divergence": x.tolist()})["divergence"]
    fit = stats.linregress(x, y)
    assert found.slope == pytest.approx(fit.slope)
    assert found.intercept == pytest.approx(fit.intercept)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
    residual = y - (fit.intercept + fit.slope * x)
    assert found.r_squared == pytest.approx(1 - residual.var() / np.var(y))


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(OptionError, match="2 splits are too few"):
        explained([1.0, 2.0], {"divergence": [0.1, 0.2]})
    with pytest.raises(OptionError, match="3 accuracies beside 2 values of divergence"):
        explained([1.0, 2.0, 3.0], {"divergence": [0.1, 0.2]})
    with pytest.raises(OptionError, match="split 2 of 3 has no accuracy or no length_ratio"):
        explained([1.0, 2.0, 3.0], {"length_ratio": [0.1, None, 0.3]})
