"""The share of the gap that a model closes, and its intervals."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.errors import OptionError
from recombine.evaluation.generalization.generalization_score import generalization_score, score_text, share_of_gap
from recombine.evaluation.generalization.result_file import ResultFile
from recombine.evaluation.statistics.intervals import newcombe, paired_bootstrap


def result(right: list[int], *, start: int = 0) -> ResultFile:
    return ResultFile.of({f"q{start + place}": bool(one) for place, one in enumerate(right)})


def counted(right: int, n: int) -> ResultFile:
    return ResultFile("counted", right, n)


# By hand: of ten examples the text-only model has 2, the model 5, the i.i.d. one 8: half of the gap is closed.
TEXT = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0] * 20
MODEL = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0] * 20
IID = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0] * 20


def test_half_of_the_gap_by_hand() -> None:
    score = generalization_score(result(MODEL), result(TEXT), result(IID))
    assert score.value == pytest.approx(0.5)
    assert (score.samples, score.n, score.is_below, str(score)) == ("paired", 200, False, "50")
    # 120 gained and none lost of 200.
    assert score.gap_interval == paired_bootstrap(120, 0, 200, seed=0)
    assert score.interval is not None
    assert score.interval[0] < 0.5 < score.interval[1]


def test_the_interval_is_that_of_examples_drawn_anew() -> None:
    score = generalization_score(result(MODEL), result(TEXT), result(IID), seed=3)
    generator = np.random.default_rng(11)
    table = np.array([MODEL, TEXT, IID])
    drawn = [table[:, generator.integers(0, 200, 200)].mean(axis=1) for _ in range(4000)]
    scores = [(model - text) / (iid - text) for model, text, iid in drawn]
    low, high = np.quantile(scores, [0.025, 0.975])
    assert score.interval == pytest.approx((low, high), abs=0.015)


def test_below_the_floor_is_marked_and_not_clipped() -> None:
    score = generalization_score(result([0] * 200), result(TEXT), result(IID))
    assert score.value == pytest.approx(-1 / 3)
    assert score.is_below
    assert str(score) == "▼ −33"
    assert score.to_record()["below_text"] is True


def test_above_the_ceiling_is_not_clipped() -> None:
    assert generalization_score(result([1] * 200), result(TEXT), result(IID)).value == pytest.approx(4 / 3)


@pytest.mark.parametrize("iid", [TEXT, [1 - one for one in IID]])
def test_without_a_gap_it_is_undefined(iid: list[int]) -> None:
    score = generalization_score(result(MODEL), result(TEXT), result(iid))
    assert (score.value, score.interval, str(score)) == (None, None, "undefined")


def test_a_gap_within_its_interval_leaves_the_score_undefined() -> None:
    # 3 gained and 1 lost of 10: the gap of 0.2 may as well be nothing. With twenty times as many examples it may not.
    text, iid = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert generalization_score(result(text), result(text), result(iid)).value is None
    assert generalization_score(result(text * 20), result(text * 20), result(iid * 20)).value == 0.0


def test_pairs_know_more_than_two_shares() -> None:
    # The same ten of 1,000 more right: paired it is a gap, as two shares it is none.
    text, iid = [1] * 500 + [0] * 500, [1] * 510 + [0] * 490
    assert generalization_score(result(text), result(text), result(iid)).value == 0.0
    apart = generalization_score(counted(500, 1000), counted(500, 1000), counted(510, 1000))
    assert (apart.value, apart.samples) == (None, "apart")
    assert apart.gap_interval == newcombe((510, 500), (1000, 1000))


def test_other_results_are_taken_on_the_examples_of_the_model() -> None:
    # Elsewhere the text-only model is always right and the other never, which must not count.
    text, iid = (result(given + [more] * 500) for given, more in ((TEXT, 1), (IID, 0)))
    assert generalization_score(result(MODEL), text, iid).value == pytest.approx(0.5)


def test_other_examples_are_not_paired() -> None:
    score = generalization_score(result(MODEL), result(TEXT, start=5), result(IID, start=5))
    assert score.samples == "apart"
    assert score.value == pytest.approx(0.5)


def test_a_score_without_an_honest_interval_has_none() -> None:
    # A gap that is just outside of its interval: in some draws there is none, and no score.
    score = generalization_score(counted(8, 20), counted(4, 20), counted(11, 20))
    assert score.value is not None
    assert score.interval is None


def test_same_seed_same_interval() -> None:
    scores = [generalization_score(result(MODEL), result(TEXT), result(IID), seed=seed) for seed in (1, 1, 2)]
    assert scores[0].interval == scores[1].interval != scores[2].interval


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(OptionError, match="make no score"):
        share_of_gap(float("nan"), 0.1, 0.2)


def test_a_low_model_is_marked_where_the_score_is_undefined_too() -> None:
    assert score_text(None, is_below=True) == "▼ undefined"
