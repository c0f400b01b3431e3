"""The hub's package is not needed: a stand-in of the same form is put in its place."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import MissingDataError, OptionError, RecordError

TABLES: dict[str, list[dict[str, Any]]] = {
    "train": [{"id": 1, "q": "how many", "sql": "select 1"}, {"id": 2, "q": "which", "sql": "select 2"}],
    "test": [{"id": 1, "q": "how many", "sql": "select 1"}],
}
CALLS: list[tuple[Any, ...]] = []


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    def load_dataset(path: str, name: str | None = None, *, split: str | None = None) -> Any:
        CALLS.append((path, name, split))
        if path == "no/network":
            raise ConnectionError("Couldn't reach the hub\nand more")
        if path == "no/such":
            raise FileNotFoundError("Dataset 'no/such' doesn't exist")
        return TABLES if split is None else TABLES[split]

    CALLS.clear()
    module = ModuleType("datasets")
    module.load_dataset = load_dataset  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", module)
    return module


def test_all_splits_as_one(hub: ModuleType) -> None:
    data = recombine.load("hub:me/mine", source="q", target="sql", language="sql")
    assert CALLS == [("me/mine", None, None)]
    assert [(e.source, e.tags["part"], e.tags["hub_id"], e.tags["line"]) for e in data] == [
        ("how many", "train", 1, 1),
        ("which", "train", 2, 2),
        ("how many", "test", 1, 1),
    ]
    assert data[2].id == f"{data[0].id}#2"
    assert data.name == "hub:me/mine"
    split = recombine.load_split(data, "published")
    assert split.sizes() == {"train": 2, "test": 1}
    assert split == recombine.load_split(data, "hub:me/mine/published")


def test_a_configuration_and_one_split(hub: ModuleType) -> None:
    data = recombine.load("hub:me/mine:small@test", source="q", target="sql")
    assert CALLS == [("me/mine", "small", "test")]
    assert len(data) == 1


def test_the_columns_are_named_on_the_command_line(hub: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["show", "hub:me/mine@train", "--source", "q", "--target", "sql", "-n", "2", "--json"])
    assert ended.value.code == 0
    assert [e["target"] for e in orjson.loads(capsys.readouterr().out)["examples"]] == ["select 1", "select 2"]


def test_unknown_columns_are_said(hub: ModuleType) -> None:
    told = "hub:me/mine, row 1: no field 'source', as in all 3 records; it has: hub_id, q, sql, part"
    with pytest.raises(RecordError, match=told):
        recombine.load("hub:me/mine")


def test_what_the_hub_cannot_give(hub: ModuleType) -> None:
    with pytest.raises(MissingDataError) as caught:
        recombine.load("hub:no/network")
    assert str(caught.value) == (
        "hub:no/network: the hub cannot be reached (Couldn't reach the hub); with no network, download the data "
        "elsewhere and give a .jsonl, .tsv or .parquet file"
    )
    with pytest.raises(MissingDataError, match=r"gave no data \(FileNotFoundError: Dataset 'no/such' doesn't exist\)"):
        recombine.load("hub:no/such")


@pytest.mark.parametrize("name", ["hub:", "hub:a b", "hub:me/mine:", "hub:me/mine@", "hub:me/mine:a:b"])
def test_ids_that_cannot_be_read(name: str, hub: ModuleType) -> None:
    with pytest.raises(OptionError, match="cannot read the hub id"):
        recombine.load(name)


def test_the_package_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(SystemExit) as ended:
        run(["show", "hub:me/mine"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "error: hub:me/mine needs the package datasets, which is not installed; pip install 'recombine[hub]'\n"
    )


def test_a_folder_named_datasets_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", ModuleType("datasets"))
    with pytest.raises(MissingDataError, match="needs the package datasets"):
        recombine.load("hub:me/mine")


def test_an_empty_split(hub: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLES, "test", [])
    with pytest.raises(MissingDataError, match="hub:me/mine@test: has no rows"):
        recombine.load("hub:me/mine@test")
