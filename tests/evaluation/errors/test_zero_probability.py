"""First wrong symbols under a trigram model of train; the first case is from Table 7 of the NQG paper."""

from __future__ import annotations

import pytest

from recombine.evaluation.errors.zero_probability import (
    fit_trigrams,
    has_zero,
    is_zero,
    iter_trigrams,
    zero_probability,
)

TRAIN = [
    "answer ( intersection ( major , intersection ( river , m0 ) ) )",
    "answer ( next_to_2 ( intersection ( state , m0 ) ) )",
    "answer ( river )",
]
# "major , intersection" is in train, "major , river" is not.
GOLD = "answer ( intersection ( major , river ) )"
OUTPUT = "answer ( intersection ( major , intersection ( river , m0 ) ) )"


def test_the_case_of_the_paper() -> None:
    found = zero_probability(TRAIN, [(GOLD, OUTPUT, False)])
    assert (found.wrong, found.at_first_error, found.share) == (1, 1, 1.0)


def test_the_gold_symbol_counts_not_the_given_one() -> None:
    # The given trigram "answer ( major" is not in train; the gold one "answer ( river" is.
    found = zero_probability(TRAIN, [("answer ( river )", "answer ( major )", False)])
    assert (found.at_first_error, found.wrong_with, found.share) == (0, 0, 0.0)


def test_start_and_end() -> None:
    train = ["a b", "b c a"]
    # Starts: a and b are seen first, c is not.
    assert zero_probability(train, [("c", "a", False)]).at_first_error == 1
    assert zero_probability(train, [("b c a", "a", False)]).at_first_error == 0
    # The output ends too early: gold goes on with c after "<s> b", which train shows.
    assert zero_probability(train, [("b c a", "b", False)]).at_first_error == 0
    # It goes on after the whole gold program: the end after "<s> b" is never seen, the end after "a b" is.
    assert zero_probability(train, [("b", "b c a", False)]).at_first_error == 1
    assert zero_probability(train, [("a b", "a b c", False)]).at_first_error == 0
    # Start symbols are two: a second symbol is known with the start before it.
    assert ("<s>", "<s>", "a") in fit_trigrams(train)
    assert ("<s>", "c", "a") not in fit_trigrams(train)
    assert list(iter_trigrams([])) == [("<s>", "<s>", "</s>")]


def test_counts() -> None:
    found = zero_probability(
        ["a b", "b c a"],
        [
            ("a b", "a b", True),
            ("a b c", "a b c", True),  # right, though "a b c" is never seen
            ("a b c", "a c", False),  # goes wrong before its unseen place
            ("a b c", "a b", False),  # and at it
            ("a b", "a b", False),  # the same symbols, judged wrong
            ("a b c", " ", False),  # no output
        ],
    )
    assert found.to_record() == {
        "outputs": 6,
        "abstained": 1,
        "wrong": 3,
        "same_tokens": 1,
        "at_first_error": 1,
        "wrong_with": 2,
        "right_with": 1,
        "trigrams": 7,
        "share": pytest.approx(1 / 3),
    }
    assert zero_probability(["a"], []).share is None


def test_places() -> None:
    seen = fit_trigrams(["a b", "b c a"])
    assert [is_zero(["a", "b", "c"], place, seen) for place in range(4)] == [False, False, True, True]
    assert has_zero(["a", "b", "c"], seen)
    assert not has_zero(["b", "c", "a"], seen)
