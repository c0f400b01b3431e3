from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.datasets.published import cfq_mcd1
from recombine.errors import MissingDataError, RecombineError, RecordError


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("cfq/mcd1")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == len({(e.source, e.target) for e in data}) == 107711
    assert [data[n].id for n in (0, 53855, 107710)] == ["6e7be1a9ed257923", "f47a747081eb689b", "7902bab9b0f79075"]
    assert data[0].target.startswith("SELECT count ( * ) WHERE {")
    assert (data[107710].tags["part"], data[107710].tags["line"]) == ("dev", 11968)
    assert data.language is not None
    assert data.language.parse(data[53855].target).label == "select_count"


@pytest.mark.shared_data
def test_the_published_split(data: recombine.Dataset) -> None:
    split = recombine.load_split(data, "cfq/mcd1/published")
    assert split.sizes() == {"train": 95743, "dev": 11968}  # CFQ paper, table 3: the sizes of MCD1
    assert split.train[0] == data[0].id
    assert split == recombine.load_split(data, "published")


def write(folder: Path, train: str, dev: str) -> None:
    (folder / "cfq").mkdir()
    (folder / "cfq" / "mcd1_train.tsv").write_text(train)
    (folder / "cfq" / "mcd1_dev.tsv").write_text(dev)


def test_other_content_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    write(tmp_path, "Did M0 run\tq\n", "Did M1 run\tq\n")
    assert [e.tags["part"] for e in cfq_mcd1.load()] == ["train", "dev"]
    with pytest.raises(RecombineError) as caught:
        recombine.load("cfq/mcd1")
    text = str(caught.value)
    assert f"not {cfq_mcd1.HASH}" in text
    assert f"cfq/mcd1_train.tsv.gz, cfq/mcd1_dev.tsv.gz in {tmp_path}" in text
    assert text.endswith("use the published files")


def test_missing_and_broken_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    write(tmp_path, "Did M0 run\tq\n", "Did M1 run\n")
    with pytest.raises(RecordError, match=r"mcd1_dev\.tsv, line 1: 1 fields where 2 are expected"):
        recombine.load("cfq/mcd1")
    (tmp_path / "cfq" / "mcd1_train.tsv").unlink()
    with pytest.raises(MissingDataError, match=r"needs the file cfq/mcd1_train\.tsv\.gz, which is not in"):
        recombine.load("cfq/mcd1")
