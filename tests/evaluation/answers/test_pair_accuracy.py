"""Pair accuracy, by hand on ten pairs of twins."""

from __future__ import annotations

from recombine.evaluation.answers.pair_accuracy import PairAccuracy, pair_accuracy, right_by_id, twins_of
from recombine.evaluation.statistics.intervals import wilson
from recombine.records.dataset import Dataset
from recombine.records.example import Example

# Ten pairs: whether the first twin is right, and the second.
TWINS = ["11", "11", "10", "01", "00", "11", "10", "11", "00", "01"]
PAIRS = {f"{number}{twin}": number for number in range(10) for twin in "ab"}
RIGHT = {f"{number}{twin}": TWINS[number]["ab".index(twin)] == "1" for number in range(10) for twin in "ab"}


def test_ten_twins() -> None:
    # Both are right in the pairs 0, 1, 5 and 7: four of ten, though twelve of twenty questions are right.
    found = pair_accuracy(PAIRS, RIGHT)
    assert found == PairAccuracy(right=4, pairs=10, torn=0, without_twin=0)
    assert sum(RIGHT.values()) == 12
    assert (found.accuracy, found.interval) == (0.4, wilson(4, 10))


def test_torn_pairs_and_questions_alone_are_counted_and_left_out() -> None:
    # The second twins of the pairs 0 and 2 are elsewhere; of two more questions one has no pair, one is its only one.
    here = {key: right for key, right in RIGHT.items() if key not in ("0b", "2b")} | {"x": True, "y": False}
    found = pair_accuracy(PAIRS | {"x": None, "y": 77}, here)
    assert found == PairAccuracy(right=3, pairs=8, torn=2, without_twin=2)


def test_a_pair_of_three_is_right_where_all_are() -> None:
    pairs = dict.fromkeys("abc", "trio")
    assert pair_accuracy(pairs, {"a": True, "b": True, "c": False}).right == 0
    assert pair_accuracy(pairs, {"a": True, "b": True, "c": True}).right == 1


def test_without_a_whole_pair_there_is_no_share() -> None:
    found = pair_accuracy({"a": 1, "b": 1}, {"a": True})
    assert (found.accuracy, found.interval, found.torn) == (None, None, 1)
    assert found.to_record()["accuracy"] is None


def test_a_question_asked_twice_is_right_where_it_is_so_each_time() -> None:
    assert right_by_id(["a", "b", "a"], [True, True, False]) == {"a": False, "b": True}


def test_twins_are_said_by_a_field_of_any_kind() -> None:
    tagged = [Example("a", "?", "", tags={"pair": 3}), Example("b", "?", "", context={"pair": 3})]
    assert twins_of(Dataset.of("made", tagged)) == {"a": 3, "b": 3}
    assert twins_of(Dataset.of("made", [Example("a", "?", "", context={"pair": None})])) is None
