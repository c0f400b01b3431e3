"""Laws that hold for every splitter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recombine.errors import OptionError, SizeError, UnknownNameError
from recombine.measures.check_split import check_split
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.splits.hold_out import grammar, phrase
from recombine.splits.methods import SPLITTERS, make_splitter
from recombine.splits.search import mcd, tmcd
from recombine.splits.simple import length, pattern, random, template
from recombine.splits.sizes import Sizes, parse_size
from recombine.splits.splitter import Splitter
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import Structures

SIZES = {"train": 800, "dev": 100, "test": 120}
SEARCH: dict[str, Any] = {"effort": 0.001, "structures": "dag:2-2,counts", "max_atom_divergence": 0.5}
PHRASES = {"phrase:source": {"held_out": "jump"}, "phrase:target": {"held_out": "I_JUMP"}}
SEARCHES = {"mcd": SEARCH, "tmcd": SEARCH}
QUICK = {**SEARCHES, **PHRASES}
# `predefined` draws nothing and has its own sizes, `local-structure` needs a language, and its sizes follow; SCAN has
# no tags to split by (see `simple/test_tag.py`), no domains (see `hold_out/test_levels.py`) and no language to ask for
# properties in (see `hold_out/test_property.py`).
METHODS = sorted(set(SPLITTERS) - {"predefined", "local-structure", "length:tag", "pattern:tag", "levels", "property"})


def make(by: str, **options: Any) -> Splitter:
    """A splitter of the method that does not take long."""
    return make_splitter(by, **QUICK.get(by, {}), **options)


@pytest.fixture(scope="module")
def of_scan(scan: Dataset) -> Callable[..., Splitter]:
    """The same for SCAN, whose features are extracted once for those that search."""
    features = extract_features(scan, Structures.parse(SEARCH["structures"]))
    return lambda by, **options: make(by, **options, **({"features": features} if by in SEARCHES else {}))


@pytest.fixture(scope="module")
def made(scan: Dataset, of_scan: Callable[..., Splitter]) -> Callable[[str], Split]:
    """The split of SCAN into `SIZES` by a method with seed 5, made once."""
    return functools.cache(lambda by: of_scan(by, **SIZES, seed=5).split(scan))


@pytest.mark.parametrize("by", METHODS)
def test_sizes_are_exact_and_parts_disjoint(by: str, scan: Dataset, made: Callable[[str], Split]) -> None:
    found = check_split(scan, made(by), atoms=None, sizes=SIZES)
    assert found["problems"] == []
    assert found["repeats"] == {"train": 0, "dev": 0, "test": 0}


@pytest.mark.parametrize("by", METHODS)
def test_same_seed_same_bytes(
    by: str, scan: Dataset, made: Callable[[str], Split], of_scan: Callable[..., Splitter]
) -> None:
    assert made(by).to_bytes() == make(by, **SIZES, seed=5).split(scan).to_bytes()
    assert made(by).parts != of_scan(by, **SIZES, seed=6).split(scan).parts


@pytest.mark.parametrize("by", METHODS)
def test_defaults_work(by: str, scan: Dataset, of_scan: Callable[..., Splitter]) -> None:
    split = of_scan(by).split(scan)
    assert set(split.parts) == {"train", "test"}
    assert 0.15 < len(split.test) / len(scan) < 0.5  # many commands share a length
    assert check_split(scan, split, atoms=None)["problems"] == []


@pytest.mark.parametrize("by", METHODS)
def test_the_side_not_named_takes_the_rest(by: str, scan: Dataset, of_scan: Callable[..., Splitter]) -> None:
    split = of_scan(by, test=0.1, seed=1).split(scan)
    assert len(split.test) == 2091
    assert len(split.train) > 2 * 2091


@pytest.mark.parametrize("by", METHODS)
def test_repr_is_exact(by: str) -> None:
    splitter = make(by, **SIZES, seed=7)
    names = vars(grammar) | vars(random) | vars(length) | vars(pattern) | vars(mcd) | vars(tmcd) | vars(template)
    names |= vars(phrase)
    rebuilt = names[type(splitter).__name__](**SIZES, seed=7, **QUICK.get(by, {}))
    assert rebuilt == splitter
    assert repr(rebuilt) == repr(splitter)
    assert repr(splitter) != repr(make(by, **SIZES, seed=8))


@pytest.mark.parametrize("by", METHODS)
def test_as_scikit_learn_has_it(
    by: str, scan: Dataset, made: Callable[[str], Split], of_scan: Callable[..., Splitter]
) -> None:
    ((train, test),) = of_scan(by, **SIZES, seed=5).iter_indices(scan)
    assert train.dtype == test.dtype == np.int64
    assert [scan[int(n)].id for n in test] == list(made(by).test)
    assert len(np.intersect1d(train, test)) == 0


@pytest.mark.parametrize("by", METHODS)
def test_the_signature_tells_every_option(by: str, scan: Dataset, made: Callable[[str], Split]) -> None:
    signature = made(by).signature
    assert signature.get("by") == by
    assert signature.get("seed") == "5"
    assert signature.get("parts") == "train=800,dev=100,test=120"
    assert signature.get("data") == str(scan)


@pytest.mark.parametrize("by", METHODS)
def test_more_than_there_is(by: str, scan: Dataset) -> None:
    with pytest.raises(SizeError, match="21010 examples"):
        make(by, train=20910, test=100).split(scan)


@pytest.mark.parametrize("by", METHODS)
@pytest.mark.parametrize("side", ["train", "test"])
def test_nothing_left_for_the_other_side(by: str, side: str, scan: Dataset) -> None:
    with pytest.raises(
        SizeError, match=f"leave nothing of 20910 examples for {'test' if side == 'train' else 'train'}"
    ):
        make(by, **{side: 20910}).split(scan)


def test_lengths(scan: Dataset) -> None:
    split = make_splitter("length:target", max_length=22, seed=1).split(scan)
    assert max(len(scan[key].target.split()) for key in split.train) == 22
    assert min(len(scan[key].target.split()) for key in split.test) > 22
    with pytest.raises(SizeError, match="a target length of at most 48 leaves 0"):
        make_splitter("length:target", max_length=48, test=10).split(scan)
    with pytest.raises(OptionError, match="greatest length is -1"):
        make_splitter("length:source", max_length=-1).split(scan)


@pytest.mark.parametrize("side", ["source", "target"])
def test_patterns_stay_on_one_side(side: str, scan: Dataset) -> None:
    split = make_splitter(f"pattern:{side}", **SIZES, seed=2).split(scan)
    collapse = scan.pattern(side).collapse
    train = {collapse(getattr(scan[key], side)) for key in split.train}
    test = {collapse(getattr(scan[key], side)) for key in split.test}
    assert train
    assert test
    assert not train & test


def test_scan_has_the_papers_numbers_of_patterns(scan: Dataset) -> None:
    assert len({scan.pattern("source").collapse(e.source) for e in scan}) == 210
    assert len({scan.pattern("target").collapse(e.target) for e in scan}) == 290


def test_predefined_needs_a_name_and_no_sizes() -> None:
    with pytest.raises(OptionError, match="needs a name"):
        make_splitter("predefined")
    with pytest.raises(OptionError, match="has the sizes it has"):
        make_splitter("predefined", name="mcd1", test=10)


@pytest.mark.shared_data
def test_predefined_is_the_published_split(scan: Dataset, data_dir: Path) -> None:
    splitter = make_splitter("predefined", name="mcd1")
    assert splitter.split(scan).sizes() == {"train": 8365, "dev": 1046, "test": 1045}
    ((train, test),) = splitter.iter_indices(scan)
    assert (len(train), len(test)) == (8365, 1045)


def test_unknown_methods_and_options() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'random'"):
        make_splitter("randon")
    with pytest.raises(OptionError, match="has no option --max-length"):
        make_splitter("random", max_length=3)
    for seed in (-1, True, 1.5):
        with pytest.raises(OptionError, match="the seed is"):
            make_splitter("random", seed=seed)


@pytest.mark.parametrize("size", [0, -1, 1.0, 0.0, 1.5, 0.0001, True])
def test_sizes_that_cannot_be_used(size: float) -> None:
    with pytest.raises(SizeError):
        Sizes(test=size).counts(100)


def test_sizes_as_typed() -> None:
    assert [parse_size(text) for text in ("8365", "0.4", "40%", "1.0")] == [8365, 0.4, 0.4, 1.0]
    with pytest.raises(SizeError, match="cannot read the size 'many'"):
        parse_size("many")
    assert Sizes(train=0.4, test=0.1).counts(20910) == {"train": 8364, "dev": 0, "test": 2091}
