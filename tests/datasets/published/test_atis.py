from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.datasets.published import atis
from recombine.errors import MissingDataError


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("atis")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == 5418
    assert sum("#" in example.id for example in data) == 385
    assert [data[n].id for n in (0, 2709, 5417)] == ["1fa9538500579030", "b7ee6dbc85d51ebf", "2eb1e4f2a9d0e6bd"]
    assert data[2709].tags["qid"] == "atis_2709"
    assert "value:_ap" in str(data[0].tags["anonymized"])
    assert "mke:_ap" in data[0].target


@pytest.mark.shared_data
def test_the_split_of_the_release(data: recombine.Dataset) -> None:
    split = recombine.load_split(data, "atis/published")
    assert split.sizes() == {"train": 4473, "dev": 497, "test": 448}
    assert split == recombine.load_split(data, "published")


def test_a_small_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"atis needs the file atis/atis\.jsonl\.gz"):
        recombine.load("atis")
    (tmp_path / "atis").mkdir()
    rows = [f'{{"source": "q", "target": "mke:_ap", "orig_split": "{part}"}}\n' for part in ("train", "test", "train")]
    (tmp_path / "atis" / "atis.jsonl").write_text("".join(rows))
    data = atis.load()
    key = data[0].id
    assert atis.splits()["published"](data) == {"train": (key, f"{key}#3"), "test": (f"{key}#2",)}
