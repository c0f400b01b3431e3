from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from recombine.datasets.covr_generated import generate
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import OptionError
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.languages.covr import COVR
from recombine.records.dataset import Dataset


@pytest.fixture(scope="module")
def data() -> Dataset:
    return generate(2000, seed=1)


def test_distinct_pairs_with_derivations(data: Dataset) -> None:
    assert len(data) == len({(e.source, e.target) for e in data}) == 2000
    covr = packaged_synchronous("covr")
    for example in data.examples[:200]:
        assert example.derivation == covr.derivation(covr.parse_pair(example.source, example.target))
        assert data.language is COVR
        COVR.parse(example.target)


def test_the_seed_decides(data: Dataset) -> None:
    assert generate(100, seed=1).examples == data.examples[:100]
    assert generate(100, seed=2).examples != data.examples[:100]
    with pytest.raises(OptionError, match="cannot make 0 examples"):
        generate(0, seed=1)


def test_what_the_published_pairs_never_have(data: Dataset) -> None:
    for example in data:
        tree = COVR.parse(example.target)
        for node in tree.iter_nodes():
            if node.label == "choose":
                asked, *options = node.children
                assert {option.label.isdigit() for option in options} == {asked.label == "count"}
            if node.label == "filter" and node.children[1].label == "filter":
                assert node.children[1].children[1].label == "find"
            if node.label in ("all", "most", "some", "none"):
                named, condition = node.children
                assert "scene" not in COVR.render(named)
                assert condition.label in ("filter", "with_relation")
                assert COVR.render(condition).count("scene") == 1


def test_choices_are_even(data: Dataset) -> None:
    # As in the published pairs: or/and, the quantifiers and the relations are equally frequent.
    rules = Counter(rule for example in data if example.derivation for rule in example.derivation.rules)
    assert abs(rules["or"] / (rules["or"] + rules["and"]) - 0.5) < 0.06
    relations = [rules[name] for name in ("chasing", "playing-with", "looking-at")]
    assert min(relations) / sum(relations) > 0.30


def test_written_and_read_back(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "covr.jsonl"
    write_table(list(data.examples[:50]), path)
    back = read_table(path)
    assert [(e.id, e.source, e.target, e.derivation) for e in back] == [
        (e.id, e.source, e.target, e.derivation) for e in data.examples[:50]
    ]
