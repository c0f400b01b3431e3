"""Length and pattern splits by tags."""

from __future__ import annotations

import pytest

import recombine
from recombine.errors import OptionError

DATA = [
    {"id": str(n), "source": f"s{n}", "target": f"t{n}", "constraints": 1 + n % 10, "template": f"T{n % 7}"}
    for n in range(70)
]


def tags(data: recombine.Dataset, split: recombine.Split, part: str, tag: str) -> set[object]:
    return {data[row].tags[tag] for row in split.positions(data, part)}


def test_train_has_the_small_and_test_the_large() -> None:
    data = recombine.load(DATA)
    split = recombine.split(data, by="length:tag", tag="constraints", max_length=7, seed=1)
    assert tags(data, split, "train", "constraints") == {1, 2, 3, 4, 5, 6, 7}
    assert tags(data, split, "test", "constraints") == {8, 9, 10}
    assert "tag:constraints" in str(split.signature)
    assert "max_length:7" in str(split.signature)


def test_without_a_limit_the_largest_that_leaves_enough() -> None:
    split = recombine.split(recombine.load(DATA), by="length:tag", tag="constraints", test=14, seed=1)
    assert "max_length:8" in str(split.signature)
    assert split.sizes() == {"train": 56, "test": 14}


def test_no_pattern_is_on_both_sides() -> None:
    data = recombine.load(DATA)
    split = recombine.split(data, by="pattern:tag", tag="template", test=20, seed=3)
    sides = [tags(data, split, part, "template") for part in ("train", "test")]
    assert sides[0].isdisjoint(sides[1])
    assert len(sides[0] | sides[1]) == 7
    assert split.sizes()["test"] == 20
    assert "tag:template" in str(split.signature)
    again = recombine.split(data, by="pattern:tag", tag="template", test=20, seed=3)
    assert again.part("test") == split.part("test")


def test_tags_that_do_not_do() -> None:
    data = recombine.load(DATA)
    with pytest.raises(OptionError, match="needs a tag"):
        recombine.split(data, by="length:tag", seed=1)
    with pytest.raises(OptionError, match=r"has no tag 'leaves'.*it has: constraints, template"):
        recombine.split(data, by="length:tag", tag="leaves", seed=1)
    with pytest.raises(OptionError, match=r"is 'T0'.*whole numbers"):
        recombine.split(data, by="length:tag", tag="template", seed=1)
