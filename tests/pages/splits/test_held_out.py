"""The held-out compounds of hand-sized splits."""

from __future__ import annotations

from typing import Any

import pytest

import recombine
from recombine.pages.splits.report_data import SplitData, build_data
from recombine.pages.splits.report_summary import summary
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.structures.dataset_features import DatasetFeatures

WALK: Any = ("walk", [])
JUMP: Any = ("jump", [])
TURN: Any = ("turn", [])


def held_out(make: dict[str, Any], rows: list[tuple[str, Any]], train: list[int], test: list[int]) -> SplitData:
    dataset = make["dataset"](*rows)
    split = make["split"](dataset, train, test)
    return build_data(dataset, {"one": split}, make["features"](dataset)).splits[0]


def test_the_tiny_split(tiny: Dataset, tiny_split: Split, tiny_features: DatasetFeatures) -> None:
    split = build_data(tiny, {"tiny": tiny_split}, tiny_features).splits[0]
    # once(1:walk) is in half of test and a third of train, less than twice as often, so it is not held out.
    (held,) = split.held_out.chosen
    assert (held.name, held.train_count, held.test_count, held.test) == ("twice(1:jump)", 0, 1, 0.5)
    assert held.contribution == pytest.approx(0.5)
    assert held.share == held.family == pytest.approx(0.5 / split.measured["compound_divergence"])
    assert held.test_examples == (3,)
    # Train has both rules, never joined; "jump" has one of them in one word, "walk twice" one in two words.
    assert (held.known.joined, held.known.name, held.known.nodes) == (False, "jump, twice", {0, 1})
    assert held.known.examples == (1, 2)


def test_the_largest_part_that_train_has(make: dict[str, Any]) -> None:
    rows = [
        ("walk twice", ("single", [("twice", [WALK])])),
        ("jump once", ("single", [("once", [JUMP])])),
        ("turn once", ("pair", [("once", [TURN])])),
        ("walk twice pair", ("pair", [("twice", [WALK])])),
    ]
    split = held_out(make, rows, [0, 1, 2], [3])
    names = [held.name for held in split.held_out.chosen]
    # pair(1:twice) is new; what contains it is told by it, and twice(1:walk) is in train.
    assert names[0] == "pair(1:twice)"
    assert "pair(1:twice(1:walk))" not in names
    assert split.held_out.chosen[0].family == pytest.approx(split.held_out.families)
    assert split.held_out.chosen[0].family == pytest.approx(2 / 3 / split.measured["compound_divergence"])


def test_a_part_in_one_piece(make: dict[str, Any]) -> None:
    chain: Any = ("a", [("b", [("c", [])])])
    rows = [
        ("a b", ("a", [("b", [])])),
        ("b c", ("b", [("c", [])])),
        ("b c again", ("b", [("c", [])])),
        ("a b c", chain),
    ]
    split = held_out(make, rows, [0, 1, 2], [3])
    (held,) = [held for held in split.held_out.chosen if not held.train_count]
    assert held.name == "a(1:b(1:c))"
    # Both pairs are in train; b(1:c) more often.
    assert (held.known.name, held.known.joined, held.known.count) == ("b(1:c)", True, 2)
    assert held.known.nodes == {1, 2}
    assert held.known.examples == (1, 2)


def test_a_rule_that_train_lacks(make: dict[str, Any]) -> None:
    split = held_out(make, [("walk", ("once", [WALK])), ("hop", ("hop", [("skip", [])]))], [0], [1])
    (held,) = split.held_out.chosen
    assert (held.known.count, held.known.examples, held.known.nodes) == (0, (), set())


def test_the_summary(tiny: Dataset, tiny_split: Split, tiny_features: DatasetFeatures) -> None:
    split = build_data(tiny, {"tiny": tiny_split}, tiny_features).splits[0]
    text = summary(split, "test").replace("\u00a0", " ")
    assert text.startswith("Trains on 3 examples and tests on 2. Every rule of test is in train (D_A ")
    assert "Of test’s 2 compounds, 1 (50%) never occur in train (D_C " in text
    assert text.endswith("Train has 0% of test’s source patterns and 0% of its target patterns.")


def test_programs_are_drawn_too() -> None:
    programs = ["answer ( largest ( city ) )", "answer ( longest ( river ) )", "answer ( city )", "answer ( river )"]
    data = recombine.load([*((p, p) for p in programs), ("new", "answer ( largest ( river ) )")], language="funql")
    parts = {"train": tuple(e.id for e in data)[:4], "test": (data[4].id,)}
    split = Split(parts, data.name, data.hash, recombine.Signature.of(by="hand"))
    (held,) = build_data(data, {"one": split}, recombine.features(data)).splits[0].held_out.chosen[:1]
    assert held.name == "largest(1:river)"
    assert held.graph is not None
    assert held.graph.rules == ("largest", "river")
    assert held.known.joined is False
