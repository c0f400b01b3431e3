from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import recombine
from recombine.datasets.files.read_parts import parts_by_tag
from recombine.datasets.published import cogs
from recombine.errors import MissingDataError


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("cogs")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == len({(e.source, e.target) for e in data}) == 51155
    assert [data[n].id for n in (0, 25577, 51154)] == ["745cb93a08bac8eb", "6fb654b6ee534062", "02f669c9bf84d7db"]
    assert data[51154].tags == {"type": "unacc_to_transitive", "part": "gen", "line": 21000}


@pytest.mark.shared_data
def test_the_published_split(data: recombine.Dataset) -> None:
    split = recombine.load_split(data, "cogs/published")
    assert split.sizes() == {"train": 24155, "dev": 3000, "test": 3000, "gen": 21000}


@pytest.mark.shared_data
def test_types_of_generalization(data: recombine.Dataset) -> None:
    types = Counter(example.tags["type"] for example in data if example.tags["part"] == "gen")
    assert len(types) == 21
    assert set(types.values()) == {1000}
    train = Counter(example.tags["type"] for example in data if example.tags["part"] == "train")
    assert (train["in_distribution"], train["primitive"], len(train)) == (24000, 143, 14)


def test_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "cogs").mkdir()
    with pytest.raises(MissingDataError) as caught:
        cogs.load()
    assert all(name in str(caught.value) for name in cogs.FILES)
    for name in cogs.FILES:
        (tmp_path / name.removesuffix(".gz")).write_text(f"A dog ran .\tdog ( x _ 1 )\t{Path(name).name[:3]}\n")
    data = cogs.load()
    assert [e.tags["type"] for e in data] == ["tra", "dev", "tes", "gen"]
    # The same pair in several parts is several examples.
    first = data[0].id
    assert parts_by_tag(data) == {
        "train": (first,),
        "dev": (f"{first}#2",),
        "test": (f"{first}#3",),
        "gen": (f"{first}#4",),
    }
