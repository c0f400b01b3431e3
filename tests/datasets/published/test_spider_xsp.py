from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.datasets.files.read_parts import parts_by_tag
from recombine.datasets.published import spider_xsp
from recombine.errors import MissingDataError, RecordError


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("spider/xsp")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == 8034
    assert [data[n].id for n in (0, 4017, 8033)] == ["00b3d9aeb8d7d311", "5a28001bad798ea1", "7dce91dde5982241"]
    assert data[0].source.startswith("department_management: how many heads")
    assert str(data[0].tags["question"]).startswith("How many heads")
    assert (data[8033].tags["part"], data[8033].tags["line"]) == ("dev", 1034)


@pytest.mark.shared_data
def test_databases_are_not_shared(data: recombine.Dataset) -> None:
    split = recombine.load_split(data, "spider/xsp/published")
    assert split.sizes() == {"train": 7000, "dev": 1034}
    databases = {part: {data[key].tags["db_id"] for key in ids} for part, ids in split.parts.items()}
    assert {part: len(names) for part, names in databases.items()} == {"train": 140, "dev": 20}
    assert not databases["train"] & databases["dev"]


@pytest.mark.shared_data
def test_the_pairs_of_ssp_are_training_pairs_here(data: recombine.Dataset) -> None:
    train = set(recombine.load_split(data, "published").train)
    assert {example.id for example in recombine.load("spider/ssp")} <= train


def write(folder: Path, train: str, dev: str) -> None:
    (folder / "spider").mkdir()
    (folder / "spider" / "train_spider.json").write_text(train)
    (folder / "spider" / "dev.json").write_text(dev)


def test_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    row = '[{"db_id": "Dogs", "question": "How  many?", "query": "SELECT\\t count(*)\\nFROM Dogs", "sql": {}}]'
    write(tmp_path, row, row.replace("Dogs", "Cats"))
    data = spider_xsp.load()
    assert [(e.source, e.target) for e in data] == [
        ("dogs: how  many?", "select count(*) from dogs"),
        ("cats: how  many?", "select count(*) from cats"),
    ]
    assert data[1].tags == {
        "db_id": "Cats",
        "question": "How  many?",
        "query": "SELECT\t count(*)\nFROM Cats",
        "part": "dev",
        "line": 1,
    }
    assert parts_by_tag(data) == {"train": (data[0].id,), "dev": (data[1].id,)}


def test_all_missing_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError) as caught:
        recombine.load("spider/xsp")
    assert str(caught.value) == (
        "spider/xsp needs the files spider/train_spider.json.gz, spider/dev.json.gz, which are not in "
        f"{tmp_path}; get them with `recombine download spider/xsp`, "
        "or set RECOMBINE_DATA to the directory that holds them"
    )


def test_a_record_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    write(tmp_path, '[{"db_id": "d", "question": "q", "query": "s"}]', '[{"db_id": "d", "question": "q", "sql": 1}]')
    with pytest.raises(RecordError, match=r"dev\.json, record 1: no field 'query'"):
        spider_xsp.load()
