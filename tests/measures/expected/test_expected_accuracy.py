"""Hints worked out by hand, laws of the estimate, what it is not given for, and the file that it is read from."""

from __future__ import annotations

import importlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.files import read_bytes
from recombine.measures.expected import unseen_runs as module
from recombine.measures.expected.calibration import FILE, read_calibration
from recombine.measures.expected.expected_accuracy import expected_accuracy, expected_text
from recombine.measures.expected.hints import NAMES, Texts, as_long, hints, unseen_columns
from recombine.measures.expected.unseen_runs import unseen_runs
from recombine.structures.features import Features
from recombine.workbench.features import find_features

ROOT = Path(__file__).parents[3]
TEXTS = st.lists(st.lists(st.sampled_from("abc"), max_size=7).map(" ".join), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def predict() -> Any:
    """The script that writes the calibration."""
    folder = str(ROOT / "benchmarks" / "hardness")
    sys.path.insert(0, folder)
    yield importlib.import_module("predict")
    sys.path.remove(folder)


def plain_runs(text: str, size: int) -> set[tuple[str, ...]]:
    """The runs of one text; one that is too short is a run by itself, which no longer text has."""
    words = text.split()
    if len(words) < size:
        return {("short", *words)}
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


@given(TEXTS, TEXTS, st.integers(1, 9))
def test_unseen_runs_are_those_of_a_plain_count(train: list[str], test: list[str], size: int) -> None:
    known = set().union(*(plain_runs(text, size) for text in train))
    unseen, held = unseen_runs(train, test, size)
    assert unseen.tolist() == [len(plain_runs(text, size) - known) for text in test]
    assert held.tolist() == [len(plain_runs(text, size)) for text in test]


def test_train_is_looked_at_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    train, test = ["a b", "b c", "c d", "d e"], ["a b c d", "d e a"]
    whole = [each.tolist() for each in unseen_runs(train, test, 2)]
    monkeypatch.setattr(module, "BLOCK", 1)
    assert [each.tolist() for each in unseen_runs(train, test, 2)] == whole == [[0, 1], [3, 2]]


def test_hints_by_hand() -> None:
    """
    Train: "walk left twice" → 3 words, "jump" → 1 word; their targets have 4 and 1 words.
    "walk left twice and jump" has three runs of three words, of which train has one. Its target has 9 words, so two
    runs of eight, neither in train, and no train target is as long: logs of 1, 3 and, with 7 unseen compounds, 8.
    """
    train = Texts(["walk left twice", "jump"], ["L W L W", "J"])
    test = Texts(["walk left twice and jump", "jump"], ["L W L W J J J J J", "J"])
    found = hints(train, test, np.array([7, 0]))
    assert found[0].tolist() == pytest.approx([0, 2 / 3, np.log2(3), 3])
    assert found[1].tolist() == pytest.approx([np.log2(3), 0, 0, 0])


def test_as_many_words_are_as_long() -> None:
    assert as_long(["a", "a b", "a b"], ["x x", "x", "x x x", ""]).tolist() == [2, 3, 0, 3]


def test_unseen_columns_of_repeated_rows() -> None:
    features = Features.from_rows([{"a": 1}, {"a": 2, "b": 1, "c": 1}, {}, {"c": 1}])
    assert unseen_columns(features, [0, 3, 3], [1, 2, 1]).tolist() == [1, 0, 1]


def scan_like(seed: int = 1) -> tuple[recombine.Dataset, Any]:
    data = recombine.load("scan")
    return data, recombine.split(data, by="random", train=8365, test=1045, seed=seed)


def test_a_random_split_of_scan_is_easier_than_one_by_length() -> None:
    data, split = scan_like()
    by_length = recombine.split(data, by="length:target", max_length=22, train=8365, test=1045, seed=1)
    easy, hard = (each.measured["expected_accuracy"] for each in (split, by_length))
    assert hard["value"] + 0.3 < easy["value"]
    assert 0 <= hard["low"] < hard["value"] < hard["high"] <= 1
    assert easy["rests_on"] == read_calibration().rests_on
    assert recombine.measure(data, split)["expected_accuracy"] == easy


@given(st.lists(st.tuples(*[st.floats(0, 9)] * 4), min_size=1, max_size=5), st.integers(0, 3), st.floats(0, 3))
def test_more_that_is_unseen_never_raises_the_estimate(rows: list[Any], which: int, more: float) -> None:
    calibration = read_calibration()
    before = np.array(rows)
    after = before.copy()
    after[0, which] += more
    change = calibration.value(after) - calibration.value(before)
    assert change >= 0 if NAMES[which] == "examples_as_long" else change <= 0


@given(st.floats(0, 1))
def test_an_interval_is_within_shares_and_holds_its_value(value: float) -> None:
    low, high = read_calibration().ends(value)
    assert 0 <= low <= value <= high <= 1


@pytest.mark.parametrize(
    ("structures", "rows", "said"),
    [
        ("dag:2-3,counts", 9000, "it is calibrated with the compounds dag:2-9,counts and tree:2-2,counts and "),
        (None, 100, "train has 100 examples, and it is calibrated for 440 to 95,743"),
        (None, 1, "train has 1 example, and it is calibrated for 440 to 95,743"),
    ],
)
def test_what_it_was_not_calibrated_for_is_said(structures: str | None, rows: int, said: str) -> None:
    data = recombine.load("scan")
    found = expected_accuracy(data, find_features(data, structures), list(range(rows)), list(range(9000, 9500)))
    assert found[0] is None
    assert found[1] is not None
    assert found[1].startswith(f"the expected accuracy was not measured: {said}")


def test_hints_beyond_those_of_the_calibration_are_said() -> None:
    texts = [(f"what is q{n}", f"f{n} ( g{n} )") for n in range(900)]
    data = recombine.load(texts, language="functional")
    found, why = expected_accuracy(data, find_features(data, None), list(range(600)), list(range(600, 900)))
    assert found is None
    # "what is q600" is one run of three words, which train lacks: a share of 1.
    assert why is not None
    assert "the mean of unseen_question_runs is 1.00, and it is calibrated for 0.00 to 0.78" in why


def test_programs_without_blanks_are_refused() -> None:
    data = recombine.load([(f"what is q{n}", f"f{n}(g{n})") for n in range(900)], language="functional")
    found, why = expected_accuracy(data, find_features(data, None), list(range(600)), list(range(600, 900)))
    assert found is None
    assert why is not None
    assert "programs have 1.0 words on average" in why


def test_where_there_are_no_compounds_one_sentence_says_so() -> None:
    data = recombine.load([(f"a {n}", f"b {n}") for n in range(1000)])
    measured = recombine.split(data, test=0.5).measured
    assert "expected_accuracy" not in measured
    assert [sentence.split(":")[0] for sentence in measured["not_measured"]] == [
        "D_A, D_C, unseen atoms and expected accuracy were not measured"
    ]


def test_text_of_an_estimate() -> None:
    assert expected_text({"value": 0.004, "low": 0.0, "high": 0.216}) == "about 0 % (0–22)"


def test_the_file_is_what_the_stored_results_give(predict: Any) -> None:
    record = json.loads((predict.RESULTS / "predict.json").read_text())
    kept = json.loads(read_bytes(predict.RESULTS / "hints.json.gz"))
    values, file = predict.calibration(record, kept), tomllib.loads(FILE.read_text())
    assert set(file) == set(values)
    for key in ("compounds", "train"):
        assert file[key] == values[key]
    assert file["constant"] == pytest.approx(values["constant"], abs=2e-3)
    assert file["weights"] == pytest.approx(values["weights"], abs=2e-3)
    assert file["interval"] == pytest.approx(values["interval"], abs=2e-3)
    assert {name: tuple(ends) for name, ends in file["ranges"].items()} == read_calibration().ranges
    assert file["rests_on"]["left_out_error"] == pytest.approx(values["rests_on"]["left_out_error"], abs=2e-3)


def test_published_splits_are_not_fitted(predict: Any) -> None:
    record = json.loads((predict.RESULTS / "predict.json").read_text())
    kept = json.loads(read_bytes(predict.RESULTS / "hints.json.gz"))
    fitted, keys = predict.stored_table(record, kept, "made")
    assert read_calibration().rests_on["splits"] == len(keys) == len(fitted.pools)
    assert not any(key.startswith("published") for _, key in keys)
    assert "cfq" not in record["pools"] or "published" not in record["pools"]["cfq"]["splits"]


def test_hints_that_are_stored_are_those_of_the_package(predict: Any) -> None:
    """A split of the panel measured again gives the hints that are stored of it."""
    kept = json.loads(read_bytes(predict.RESULTS / "hints.json.gz"))["pools"]["geoquery"]["random-seed1"]
    pool = predict.panel.read_pool("geoquery")
    sides = predict.panel.stored(predict.RESULTS / "splits", "geoquery")["splits"]["random-seed1"]["sides"]
    rows = predict.panel.rows_of(sides)
    features = find_features(pool.data, None)
    assert features is not None
    parts = [Texts(*([pool.data.texts(s)[row] for row in rows[p]] for s in ("source", "target"))) for p in rows]
    found = hints(parts[0], parts[1], unseen_columns(features.compounds, rows["train"], rows["test"]))
    assert np.abs(found.T - np.array(kept["hints"])).max() < 1e-4
