"""Near duplicates: by hand, both ways of finding them against a plain recomputation, and what counts as verbatim."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.measures.near_duplicates.near_duplicates import HASHES, near_duplicates, rows_of
from recombine.measures.near_duplicates.token_sets import tokens_of
from recombine.records.example import Example

Pair = tuple[str, str]


def examples(pairs: list[Pair], name: str) -> list[Example]:
    return [replace(Example.of(source, target), id=f"{name}{place}") for place, (source, target) in enumerate(pairs)]


def plain(train: list[Pair], test: list[Pair], threshold: float) -> tuple[int, int]:
    """Test examples with a near duplicate, and distinct pairs of texts, without arrays."""

    def like(one: str, other: str) -> float:
        left, right = set(tokens_of(one)), set(tokens_of(other))
        return len(left & right) / len(left | right) if left | right else 1.0

    def near(one: Pair, other: Pair) -> bool:
        return one != other and all(like(a, b) >= threshold for a, b in zip(one, other, strict=True))

    having = sum(any(near(asked, known) for known in train) for asked in test)
    return having, sum(near(asked, known) for asked, known in product(set(test), set(train)))


def found(train: list[Pair], test: list[Pair], threshold: float, *, exact: bool) -> tuple[int, int]:
    values = near_duplicates(examples(train, "a"), examples(test, "b"), threshold=threshold, exact=exact)
    return values["examples"], values["pairs"]


TRAIN: list[Pair] = [("a b c d", "f ( x )"), ("a b c d e", "f ( x )"), ("p q", "g ( y )")]


@pytest.mark.parametrize("exact", [True, False])
def test_by_hand(exact: bool) -> None:
    # 4 of 5 words are shared with the second of train and 4 of 6 with the first; the program is the same
    values = near_duplicates(
        examples(TRAIN, "a"), examples([("a b c d f", "f ( x )"), ("a b c d", "g ( y )")], "b"), exact=exact
    )
    assert values["examples"] == 1
    assert values["worst"] == [{"id": "b0", "near": "a0", "source": 0.8, "target": 1.0}]
    assert (values["threshold"], values["pairs"]) == (0.8, 1)


def test_both_sides_must_be_near() -> None:
    assert found(TRAIN, [("a b c d", "h ( z )"), ("k l m", "f ( x )")], 0.5, exact=True) == (0, 0)


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_verbatim_is_no_near_duplicate_but_other_orders_and_repeats_are(exact: bool) -> None:
    assert found(TRAIN[2:], [("p q", "g ( y )")], 0.8, exact=exact) == (0, 0)
    assert found(TRAIN[2:], [("q p", "g ( y )"), ("p q q", "g ( y )"), ("P Q", "g(y)")], 0.8, exact=exact) == (3, 3)


def test_repeats_of_test_count_and_pairs_are_of_distinct_texts() -> None:
    assert found(TRAIN[2:] * 3, [("q p", "g ( y )")] * 2, 0.8, exact=True) == (2, 1)


def test_the_nearest_come_first_and_one_for_each_test_example() -> None:
    train = [("a b c d e", "f"), ("a b c d e g", "f"), ("a b c d", "f")]
    test = [("a b c", "f"), ("a b c d e g h", "f"), ("e d c b a", "f")]
    values = near_duplicates(examples(train, "a"), examples(test, "b"), threshold=0.5)
    assert [(each["id"], each["near"]) for each in values["worst"]] == [("b2", "a0"), ("b1", "a1"), ("b0", "a2")]


_texts = st.tuples(
    st.lists(st.sampled_from("abcde"), max_size=5).map(" ".join),
    st.lists(st.sampled_from("fg("), max_size=3).map("".join),
)


@given(
    st.lists(_texts, min_size=1, max_size=9),
    st.lists(_texts, min_size=1, max_size=9),
    st.sampled_from([0.4, 0.6, 0.8, 1.0]),
)
def test_all_pairs_are_those_of_a_plain_recomputation(train: list[Pair], test: list[Pair], threshold: float) -> None:
    assert found(train, test, threshold, exact=True) == plain(train, test, threshold)


def changed(seed: int, number: int) -> list[Pair]:
    """Questions that differ from each other in none to many of 12 words."""
    generator = np.random.default_rng(seed)
    base = np.random.default_rng(0).integers(0, 1000, (30, 12))
    pairs = []
    for _ in range(number):
        words = base[generator.integers(30)].copy()
        few = generator.integers(12, size=generator.integers(0, 6))
        words[few] = generator.integers(0, 1000, len(few))
        pairs.append((" ".join(map(str, words)), f"find ( w{words[0]} , w{words[1]} , w{words[2]} , w{words[3]} )"))
    return pairs


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.8, 0.9, 1.0])
def test_minhash_finds_what_all_pairs_find(threshold: float) -> None:
    train, test = changed(1, 500), changed(2, 200)
    exact = near_duplicates(examples(train, "a"), examples(test, "b"), threshold=threshold, exact=True)
    hashed = near_duplicates(examples(train, "a"), examples(test, "b"), threshold=threshold, exact=False)
    assert exact["pairs"] >= (5 if threshold < 1 else 0)
    assert {**exact, "found_by": ""} == {**hashed, "found_by": ""}
    assert (exact["found_by"], hashed["found_by"]) == ("all pairs", "minhash,128")


def test_a_pair_at_the_threshold_is_missed_less_than_once_in_a_thousand_times() -> None:
    for threshold in (0.3, 0.5, 0.8, 0.95, 1.0):
        rows = rows_of(threshold)
        assert (1 - threshold**rows) ** (HASHES // rows) <= 0.001
    assert rows_of(0.95) > rows_of(0.8) > rows_of(0.3) == 1


@pytest.mark.parametrize("threshold", [0, -0.5, 1.01, float("nan")])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(OptionError, match="threshold of near duplicates"):
        near_duplicates(examples(TRAIN, "a"), examples(TRAIN, "b"), threshold=threshold)


def test_the_same_under_any_hash_seed() -> None:
    code = (
        "from recombine.measures.near_duplicates.token_sets import token_sets;"
        "print([each.tolist() for each in token_sets(['b a a c', 'c d'], tag='source')])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert said.pop().startswith("[[0, 1, 2, 2, 3], [0, 3, 5], [")
