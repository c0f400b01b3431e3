"""Alpha against the published example, a plain recomputation and another program."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from recombine.errors import OptionError
from recombine.evaluation.statistics.cohen_kappa import cohen_kappa
from recombine.evaluation.statistics.krippendorff_alpha import SCALES, krippendorff_alpha
from recombine.evaluation.statistics.majority_answer import majority_answer

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): four observers, twelve units, missing answers.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}


def _distance(scale, one, other, answers):
    if scale == "nominal":
        return float(one != other)
    if scale == "interval":
        return float(one - other) ** 2
    if scale == "ratio":
        return ((one - other) / (one + other)) ** 2 if one + other else 0.0
    low, high = sorted((one, other))
    between = sum(low <= answer <= high for answer in answers)
    return float(between - (answers.count(one) + answers.count(other)) / 2) ** 2


def _by_the_book(items, scale):
    """Disagreement within items over disagreement among all answers, pair by pair."""
    items = [[answer for answer in item if answer is not None] for item in items]
    items = [item for item in items if len(item) > 1]
    answers = [answer for item in items for answer in item]
    if len(set(answers)) < 2:
        return None
    seen = sum(
        _distance(scale, one, other, answers) / (len(item) - 1)
        for item in items
        for one, other in permutations(item, 2)
    ) / len(answers)
    chance = sum(_distance(scale, one, other, answers) for one, other in permutations(answers, 2))
    return 1 - seen / (chance / (len(answers) * (len(answers) - 1)))


def _random_table(generator):
    workers, items, values = generator.integers(2, 6), generator.integers(1, 15), generator.integers(1, 6)
    table = generator.integers(0, values, (items, workers)).tolist()
    return [[None if generator.random() < 0.3 else answer for answer in item] for item in table]


@pytest.mark.parametrize(("scale", "alpha"), PUBLISHED.items())
def test_the_published_example(scale, alpha):
    agreement = krippendorff_alpha(list(zip(*OBSERVERS, strict=True)), scale=scale)
    assert round(agreement.alpha, 3) == alpha
    assert (agreement.items, agreement.answers, agreement.single) == (11, 40, 1)
    assert agreement.low < alpha < agreement.high <= 1


@pytest.mark.parametrize("scale", SCALES)
def test_it_is_the_definition_on_random_tables(scale):
    generator = np.random.default_rng(7)
    for _ in range(100):
        table = _random_table(generator)
        expected = _by_the_book(table, scale)
        alpha = krippendorff_alpha(table, scale=scale, resamples=0).alpha
        assert alpha == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_a_thousand_tables_equal_another_program():
    other = pytest.importorskip("krippendorff", reason="the package `krippendorff` is not installed")
    generator = np.random.default_rng(11)
    compared = 0
    for number in range(1000):
        table, scale = _random_table(generator), SCALES[number % len(SCALES)]
        alpha = krippendorff_alpha(table, scale=scale, resamples=0).alpha
        if alpha is not None:
            compared += 1
            columns = np.array([[np.nan if a is None else a for a in item] for item in table], float).T
            assert alpha == pytest.approx(other.alpha(reliability_data=columns, level_of_measurement=scale), abs=1e-9)
    assert compared > 700


def test_the_order_of_items_workers_and_words_does_not_matter():
    items = [["b", "a", None], ["a", "a", "b"], ["c", None, "c"], ["a", "c", "c"]]
    first = krippendorff_alpha(items, resamples=0).alpha
    assert krippendorff_alpha([item[::-1] for item in items[::-1]], resamples=0).alpha == pytest.approx(first)
    renamed = [[{"a": "z", "b": "y", "c": "x"}.get(each) for each in item] for item in items]
    assert krippendorff_alpha(renamed, resamples=0).alpha == pytest.approx(first)


def test_same_seed_same_interval():
    items = [[1, 2], [2, 2], [1, 1], [3, 3], [2, 3]]
    one, two = (krippendorff_alpha(items, scale="ordinal", seed=3) for _ in range(2))
    assert one == two
    assert one != krippendorff_alpha(items, scale="ordinal", seed=4)


@pytest.mark.parametrize("items", [[], [["yes"], ["no"]], [["yes", "yes"], ["yes", "yes"]], [[None, None]]])
def test_undefined(items):
    agreement = krippendorff_alpha(items)
    assert agreement.alpha is agreement.low is agreement.high is None
    assert "undefined" in str(agreement)


@pytest.mark.parametrize(
    ("items", "options", "words"),
    [
        ([[1, 2]], {"scale": "cardinal"}, "there is no scale 'cardinal'; give one of nominal"),
        ([["a", "b"]], {"scale": "ordinal"}, "the answer '.' is no number"),
        ([[-1, 2]], {"scale": "ratio"}, "is below 0"),
        ([[1, 2]], {"resamples": -1}, "cannot resample -1 times"),
        ([[1, 2]], {"level": 1.0}, "an interval of level 1"),
    ],
)
def test_mistakes(items, options, words):
    with pytest.raises(OptionError, match=words):
        krippendorff_alpha(items, **options)


def test_kappa_by_hand():
    # Cohen (1960): 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no; observed .7, chance .5.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa([*first, None], [*second, "y"]) == pytest.approx(0.4)
    # Uneven habits: observed 3/4, chance 3/4 · 1/2 + 1/4 · 1/2.
    assert cohen_kappa(["y", "y", "y", "n"], ["y", "y", "n", "n"]) == pytest.approx(0.5)
    assert cohen_kappa(["y", "y"], ["y", "y"]) is None
    assert cohen_kappa([None], ["y"]) is None
    with pytest.raises(OptionError, match="2 answers beside 1"):
        cohen_kappa(["y", "n"], ["y"])


def test_majority_is_more_than_half():
    assert majority_answer([True, True, False]) is True
    assert majority_answer([1, 1, 2, 2]) is None
    assert majority_answer([1, 1, 2, 3]) is None
    assert majority_answer([None]) is None
