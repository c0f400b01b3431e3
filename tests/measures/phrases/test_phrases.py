"""Phrases in texts, and whether a split by phrase is what its signature says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import recombine
from recombine.errors import OptionError
from recombine.measures.check_split import check_split
from recombine.measures.phrases.phrases import Phrases
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.splits.methods import make_splitter
from recombine.structures.dataset_features import DatasetFeatures

WORDS = ("jump", "walk", "run", "look")
SOURCES = (
    *WORDS,
    *(f"{one} and {other}" for one in WORDS for other in WORDS),
    *(f"turn {one}" for one in WORDS),
)


@pytest.fixture(scope="module")
def data() -> Dataset:
    return recombine.load([(source, source.upper()) for source in SOURCES])


@pytest.fixture(scope="module")
def made(data: Dataset) -> Split:
    """Train is shown jump alone and two of walk and jump, run and jump, look and jump, each twice."""
    options: dict[str, Any] = {"held_out": "jump", "left_out": "turn", "tested": "and", "alone": True, "few_shot": 2}
    return make_splitter(
        "phrase:source", **options, drawn_from="and jump", drawn_without="jump and", shown_share=1 / 3, seed=1
    ).split(data)


def verdict(data: Dataset, split: Split) -> dict[str, Any]:
    return check_split(data, split, atoms=None)


def test_words_are_whole_and_in_order() -> None:
    phrases = Phrases.parse("walk left|turn")
    assert phrases.held_by(["walk  left", "left walk", "walk lefty", "turning", "a turn b", ""]).tolist() == [
        *(True, False, False, False, True, False)
    ]
    assert phrases.equal_to([" walk   left ", "walk left twice", "turn"]).tolist() == [True, False, True]
    assert str(Phrases.parse(" a  b|a b | c")) == "a b | c"
    assert Phrases.parse("walk lfet").unknown_words(["walk left"]) == "'lfet' is nowhere (did you mean 'left'?)"
    for empty in ("", " ", "a|", "|a"):
        with pytest.raises(OptionError, match="lack words"):
            Phrases.parse(empty)


def test_a_sound_split_has_no_problems(data: Dataset, made: Split) -> None:
    # Seven have jump, besides jump alone, and are not left out; twelve lack it, so that shown ones are six entries.
    assert made.signature.get("shown") == "3x2"
    assert made.sizes() == {"train": 18, "test": 5}
    said = verdict(data, made)
    assert said["problems"] == []
    assert said["held_out"] == [
        "'jump' in the source: 5 examples of test have it, train has 3 of them, each 2 times",
    ]


def moved(part: str, *sources: str) -> Callable[[Dataset, Split], Split]:
    """A change that adds sources to a part."""

    def change(data: Dataset, split: Split) -> Split:
        ids = {example.source: example.id for example in data}
        return replace(split, parts={**split.parts, part: (*split.parts[part], *(ids[source] for source in sources))})

    return change


def stating(**fields: str) -> Callable[[Dataset, Split], Split]:
    """A change of what the signature states."""

    def change(_: Dataset, split: Split) -> Split:
        stated = {**dict(split.signature.fields), **fields}
        return replace(split, signature=Signature(tuple(stated.items())))

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (moved("train", "jump and jump"), "1 examples of train have 'jump' and may not be shown, such as"),
        (moved("train", "jump and jump"), "train has 4 examples with what is held out, not 3 as stated"),
        (moved("train", "jump"), "train has 1 of the examples that are shown to it not 2 times, as stated"),
        (moved("test", "walk and walk"), "1 examples of test do not have 'jump', such as"),
        (moved("train", "turn walk"), "1 examples of train have 'turn', which no part has, such as"),
        (moved("test", "turn jump"), "1 examples of test have 'turn', which no part has, such as"),
        (moved("test", "turn jump"), "1 examples of test do not have 'and', such as"),
        (stating(held_out="walk"), "examples of train have 'walk' and may not be shown, such as"),
    ],
)
def test_what_is_wrong_is_said(
    change: Callable[[Dataset, Split], Split], problem: str, data: Dataset, made: Split
) -> None:
    assert any(problem in one for one in verdict(data, change(data, made))["problems"])


def test_what_cannot_be_read_is_not_checked(data: Dataset, made: Split) -> None:
    said = verdict(data, stating(shown="some")(data, made))
    assert said["not_checked"][-1:] == [
        "what the split holds out was not checked: the split's signature states shown:some, which cannot be read; "
        "make it anew"
    ]


def test_an_atom_that_only_the_words_have_is_held_out_on_purpose(scan: Dataset, scan_features: DatasetFeatures) -> None:
    split = make_splitter("phrase:source", held_out="jump").split(scan)
    said = check_split(scan, split, atoms=scan_features.atoms)
    assert said["problems"] == []
    assert "atoms that no other example has: 7,707 examples of test hold" in " ".join(said["held_out"])
