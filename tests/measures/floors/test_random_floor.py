"""The floor of a divergence against a plain recomputation, and against the random splits that it speaks of."""

from __future__ import annotations

import statistics
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.data_cache import stored_files
from recombine.measures.floors import measured_floor as floors
from recombine.measures.floors.measured_floor import measured_floor, no_floor
from recombine.measures.floors.random_divergences import SEEDS, random_divergences
from recombine.measures.floors.random_floor import RandomFloor, floor_text, no_harder
from recombine.structures.features import Features

ROWS = st.lists(st.dictionaries(st.sampled_from("abcde"), st.integers(1, 3), max_size=4), min_size=4, max_size=12)


def plain_divergences(rows: list[dict[str, float]], train: int, test: int, alpha: float) -> list[float]:
    """One random split after the other, summed in dictionaries."""
    found = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(rows)).tolist()
        asked, shown = order[:test], order[test : test + train]
        sums = []
        for part in (shown, asked):
            total: Counter[str] = Counter()
            for row in part:
                total.update(rows[row])
            sums.append(total)
        if not sums[0] or not sums[1]:
            continue
        p, q = ({name: n / sum(each.values()) for name, n in each.items()} for each in sums)
        found.append(1 - sum(p[name] ** alpha * q[name] ** (1 - alpha) for name in p.keys() & q.keys()))
    return found


@given(ROWS, st.sampled_from([0.1, 0.5]), st.integers(1, 3))
def test_divergences_are_those_of_a_plain_count(rows: list[dict[str, float]], alpha: float, test: int) -> None:
    train = len(rows) - test - 1 or 1
    expected = plain_divergences(rows, train, test, alpha)
    assert random_divergences(Features.from_rows(rows), train, test, alpha=alpha) == pytest.approx(expected, abs=1e-9)


def test_the_floor_is_that_of_random_splits_of_the_same_sizes(scan: recombine.Dataset) -> None:
    features = recombine.features(scan, "dag:2-3,counts")
    sizes = {"train": 900, "test": 100}
    made = [
        recombine.split(scan, by="random", seed=seed, structures=features, **sizes).measured["compound_divergence"]
        for seed in SEEDS
    ]
    split = recombine.split(scan, by="length:target", max_length=22, structures=features, **sizes)
    floor = split.measured["random_compound_divergence"]
    assert floor == {
        "mean": pytest.approx(statistics.mean(made)),
        "sd": pytest.approx(statistics.stdev(made)),
        "n": 20,
    }
    measured = recombine.measure(scan, split, structures=features)
    assert measured["random_compound_divergence"] == floor
    assert f"D_C {measured['compound_divergence']:.3f} (random {floor_text(floor)})" in str(measured)
    page = recombine.report({"long": split}, data=scan, structures=features)
    assert page["splits"][0]["random_compound_divergence"] == floor
    assert "<td>" + floor_text(floor) in page.page.decode()


def test_the_exponent_is_that_of_the_measure(scan: recombine.Dataset) -> None:
    features = recombine.features(scan, "dag:2-2,counts")
    split = recombine.split(scan, by="random", train=300, test=50, structures=features)
    half = recombine.measure(scan, split, structures=features, compound_alpha=0.5)["random_compound_divergence"]
    expected = random_divergences(features.compounds, 300, 50, alpha=0.5)
    assert half["mean"] == pytest.approx(expected.mean())
    assert half["mean"] != split.measured["random_compound_divergence"]["mean"]


def test_what_is_kept_is_found_again_by_all_that_decides_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path))
    rows: list[dict[str, float]] = [{"a": 1, str(n): n + 1} for n in range(30)]
    features = Features.from_rows(rows)
    first = measured_floor(features, 20, 5, alpha=0.1)
    kept = len(stored_files())
    with monkeypatch.context() as patch:
        patch.setattr(floors, "random_divergences", None)  # what is kept is not made again
        assert measured_floor(features, 20, 5, alpha=0.1) == first
    others = [
        measured_floor(features, 21, 5, alpha=0.1),
        measured_floor(features, 20, 6, alpha=0.1),
        measured_floor(features, 20, 5, alpha=0.5),
        # The same rows in another order: other examples stand where a seed draws.
        measured_floor(Features.from_rows(rows[::-1]), 20, 5, alpha=0.1),
        measured_floor(Features.from_rows([{**row, "a": 2} for row in rows]), 20, 5, alpha=0.1),
    ]
    assert first not in others
    assert len(stored_files()) == kept + len(others)


def test_without_a_cache_the_floor_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    features = Features.from_rows([{"a": 1, str(n % 3): 1} for n in range(9)])
    kept = measured_floor(features, 5, 3, alpha=0.1)
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    assert measured_floor(features, 5, 3, alpha=0.1) == kept


def test_sizes_that_no_random_split_has() -> None:
    features = Features.from_rows([{"a": 1}, {"a": 1}, {"b": 1}])
    assert measured_floor(features, 3, 1, alpha=0.5) is None
    assert no_floor(3, 1, 3) == "train and test have 4 entries, and no two parts of 3 examples have so many"
    data = recombine.load([("a", "f ( a )"), ("b", "f ( b )")], language="functional")
    whole = recombine.Split(
        {"train": data.ids, "test": data.ids[:1]}, data.name, data.hash, recombine.Signature.of(by="hand")
    )
    measured = recombine.measure(data, whole)
    assert "random_compound_divergence" not in measured.to_dict()
    assert measured["not_measured"][0].startswith("D_C of random splits was not measured: train and test have 3")


def test_a_side_without_compounds_is_no_split() -> None:
    # Whichever two of three examples are drawn, one of them is empty or both are.
    assert len(random_divergences(Features.from_rows([{"a": 1}, {}, {}]), 1, 1, alpha=0.5)) == 0
    assert measured_floor(Features.from_rows([{"a": 1}, {}, {}]), 1, 1, alpha=0.5) is None
    assert "fewer than two have compounds" in no_floor(1, 1, 3)


def test_two_spreads() -> None:
    floor = RandomFloor.of(np.array([0.1, 0.2, 0.3]))
    assert floor == RandomFloor(0.2, 0.1, 3)
    assert floor.bound == pytest.approx(0.4)
    assert no_harder(0.401, floor) is None
    assert "D_C 0.399 is within two spreads" in str(no_harder(0.399, floor))
    assert "(0.20 ± 0.10)" in str(no_harder(0.05, floor))


def test_a_split_that_was_made_to_be_hard_and_is_not_is_warned_of() -> None:
    # Every program is alike, so that no search can find a harder split than a random one.
    pairs = [(f"question {n}", "count ( find ( dog ) )") for n in range(40)]
    data = recombine.load(pairs, language="functional")
    hard = recombine.split(data, by="tmcd", test=10, effort=0.1)
    assert len(hard.measured["warnings"]) == 1
    assert hard.measured["warnings"][0].startswith("D_C 0.000 is within two spreads of random splits of the same sizes")
    # `measure` says so of the split's file, and a random split is what it is.
    assert recombine.measure(data, hard)["warnings"] == hard.measured["warnings"]
    said = recombine.report({"tmcd": hard}, data=data).not_measured
    assert said == [*hard.measured["warnings"], *hard.measured["not_measured"]]
    wanted = recombine.split(data, by="mcd", divergence=0.0, max_atom_divergence=1.0, test=10, effort=0.1)
    random = recombine.split(data, by="random", test=10)
    assert "warnings" not in wanted.measured
    assert "warnings" not in random.measured
