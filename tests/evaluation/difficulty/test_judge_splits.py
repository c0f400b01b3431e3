"""Areas over several splits: pooled, within, and that of a rule that only tells splits apart."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.easiness.predict_difficulty import Difficulty, predict_difficulty
from recombine.errors import OptionError
from recombine.evaluation.difficulty.correctness import Correctness
from recombine.evaluation.difficulty.judge_difficulty import judge_splits
from recombine.languages.covr import COVR
from recombine.records.example import Example

TRAIN = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( dog ) )", "count ( scene ( ) )"]
# Their easiness is 0.75, 1 and 0 with this train; see docs/difficulty.md.
TEST = ["exists ( scene ( ) )", "count ( find ( cat ) )", "exists ( find ( mouse ) )"]


def difficulty(*tested: int) -> Difficulty:
    train = [Example.of("", text) for text in TRAIN]
    return predict_difficulty(train, [Example.of("", TEST[row]) for row in tested], language=COVR, data="mine")


def correct(of: Difficulty, *rows: list[bool]) -> Correctness:
    models = tuple("xyz"[: len(rows[0])])
    return Correctness(tuple(example.id for example in of.test), models, np.array(rows))


def test_by_hand() -> None:
    # Split one: easiness 0.75 right, 0 wrong; split two: 1 right, 0 right.
    splits = {"one": difficulty(0, 2), "two": difficulty(1, 2)}
    answers = {"one": correct(splits["one"], [True], [False]), "two": correct(splits["two"], [True], [True])}
    found = judge_splits(splits, answers)
    area = found.areas["majority"]
    # Right ones have 0.75, 1 and 0, the wrong one 0: two pairs are won, one is a tie.
    assert area.pooled == pytest.approx(2.5 / 3)
    assert (area.within, area.mixed_splits, area.positives, area.negatives) == (1.0, 1, 3, 1)
    # The means are 0.375 and 0.5: the wrong example and one right one share theirs, the others are above.
    assert found.constant["majority"] == pytest.approx(2.5 / 3)
    assert found.within == ({"majority": 1.0}, {"majority": None})
    assert found.accuracies == (0.5, 1.0)
    assert found.pearson is None
    record = found.to_record()
    assert (record["auc"], record["negatives"], record["dropped"]) == (area.pooled, 1, 0)


def test_correlation_needs_three_splits() -> None:
    splits = {"a": difficulty(2), "b": difficulty(0), "c": difficulty(1)}
    answers = {
        "a": correct(splits["a"], [False, False]),
        "b": correct(splits["b"], [True, False]),
        "c": correct(splits["c"], [True, True]),
    }
    found = judge_splits(splits, answers)
    assert found.accuracies == (0.0, 0.5, 1.0)
    # Of (0, 0.75, 1) and (0, 0.5, 1): 0.5 / sqrt(13/24 * 1/2).
    assert found.pearson == pytest.approx(0.5 / np.sqrt(13 / 24 / 2))
    assert found.areas["majority"].dropped == 1


def test_one_area_for_each_model() -> None:
    splits = {"one": difficulty(0, 2)}
    answers = {"one": correct(splits["one"], [True, False], [False, True])}
    found = judge_splits(splits, answers, gold="each model")
    assert {name: area.pooled for name, area in found.areas.items()} == {"x": 1.0, "y": 0.0}
    assert found.to_record()["auc"] == 0.5


def test_what_does_not_belong_together() -> None:
    splits = {"one": difficulty(0, 2), "two": difficulty(1)}
    one, two = correct(splits["one"], [True], [True]), correct(splits["two"], [True, True])
    with pytest.raises(OptionError, match="what is known of two is not of its test examples"):
        judge_splits(splits, {"one": one, "two": one})
    with pytest.raises(OptionError, match="what is known of two"):
        judge_splits(splits, {"one": one})
    with pytest.raises(OptionError, match="do not have the same models"):
        judge_splits(splits, {"one": one, "two": two}, gold="each model")
    assert judge_splits(splits, {"one": one, "two": two}).models == ("x", "y")
