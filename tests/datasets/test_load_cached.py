"""Data from the cache is what the loader makes; the key is what the loader reads, and nothing else."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

import recombine
from recombine import data_cache
from recombine.cli.main import run
from recombine.data_cache import content_key, stored_files
from recombine.datasets import catalogue
from recombine.datasets.catalogue import CATALOGUE, Entry
from recombine.datasets.files.tables import read_table
from recombine.datasets.load_cached import data_key, load_cached
from recombine.errors import InputFileError, InputWarning
from recombine.records.columns import FORM, StoredExamples
from recombine.records.dataset import Dataset

NOT_KEPT = {"geoquery/funql", "schema2qa"}
"""One has a world, the other eight records."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b'{"source": "jump", "target": "I_JUMP"}\n{"source": "walk", "target": "I_WALK"}\n')
    return path


class Loader:
    """Reads a file and counts how often."""

    def __init__(self, path: Path, name: str = "mine") -> None:
        self.path, self.name, self.times = path, name, 0

    def __call__(self) -> Dataset:
        self.times += 1
        return read_table(self.path)

    def cached(self) -> Dataset:
        return load_cached(self, self.name, [self.path], {})


def same(read: Dataset, made: Dataset) -> None:
    """All that a data set is, equal in both."""
    assert list(read) == list(made)
    assert [type(each.tags) for each in read] == [type(each.tags) for each in made]
    assert [list(each.tags) for each in read] == [list(each.tags) for each in made]
    assert (read.hash, read.index, read.structures) == (made.hash, made.index, made.structures)
    assert (read.language, read.patterns, read.identity) == (made.language, made.patterns, made.identity)
    assert read.reading == made.reading
    assert read.world_is_implied == made.world_is_implied
    fresh = Dataset.of(read.name, list(read))
    assert fresh.hash == read.hash, "the hash that is kept is that of the examples"


def from_cache(name: str) -> Dataset:
    recombine.load(name)
    read = recombine.load(name)
    assert isinstance(read.examples, StoredExamples)
    return read


@pytest.mark.slow
def test_scan_from_the_cache_is_what_the_grammar_makes(folder: Path) -> None:
    read = from_cache("scan")
    made = recombine.load("scan", no_cache=True)  # type: ignore[call-arg]
    assert (bool(read.made_from), made.made_from) == (True, "")
    assert all(example.derivation is not None for example in made)
    same(read, made)
    # Whoever changes what is derived, or how it is kept, raises FORM, and writes here the digest that this shows.
    rows = orjson.dumps([[each.id, each.derivation and each.derivation.to_rows(), dict(each.tags)] for each in made])
    assert (FORM, content_key([rows])) == (2, "5f5f4b67e5b7444602a52c3bb4182d62")


@pytest.mark.shared_data
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow)
        if name in ("cfq/mcd1", "cogs", "metaqa/2hop", "metaqa/3hop")
        else name
        for name in sorted(set(CATALOGUE) - {"scan"})
    ],
)
def test_published_data_from_the_cache_is_what_is_read(name: str, folder: Path, data_dir: Path) -> None:
    if CATALOGUE[name].missing():
        pytest.skip("its files are not in the data directory")
    made = recombine.load(name, no_cache=True)  # type: ignore[call-arg]
    if name in NOT_KEPT:
        same(recombine.load(name), made)
        assert stored_files() == []
    else:
        same(from_cache(name), made)


def test_it_is_loaded_once(folder: Path, mine: Path) -> None:
    loader = Loader(mine)
    same(loader.cached(), loader.cached())
    assert loader.times == 1


def test_the_key_is_made_of_content_name_and_form(mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = data_key("mine", [mine])
    moved = tmp_path / "moved.jsonl"
    moved.write_bytes(mine.read_bytes())
    os.utime(moved, (1000, 1000))
    assert data_key("mine", [moved]) == key
    assert data_key("other", [mine]) != key
    assert data_key("mine", [mine, mine]) != key
    moved.write_bytes(mine.read_bytes().replace(b"I_WALK", b"I_WOLK"))
    assert data_key("mine", [moved]) != key
    monkeypatch.setattr("recombine.datasets.load_cached.FORM", 99)
    assert data_key("mine", [mine]) != key


def test_changed_content_is_read_anew(folder: Path, mine: Path) -> None:
    loader = Loader(mine)
    loader.cached()
    mine.write_bytes(b'{"source": "run", "target": "I_RUN"}\n')
    assert [example.source for example in loader.cached()] == ["run"]
    assert len(stored_files()) == 2


def test_a_file_that_changes_while_it_is_read_is_not_kept(folder: Path, mine: Path) -> None:
    def load() -> Dataset:
        dataset = read_table(mine)
        mine.write_bytes(b'{"source": "run", "target": "I_RUN"}\n')
        return dataset

    assert len(load_cached(load, "mine", [mine], {})) == 2
    assert stored_files() == []


def test_a_damaged_file_is_made_again(folder: Path, mine: Path) -> None:
    loader = Loader(mine)
    first = loader.cached()
    path = stored_files()[0].path
    data = path.read_bytes()
    path.write_bytes(data[:-20] + b"?" + data[-19:])
    with pytest.warns(InputWarning, match="is damaged"):
        same(loader.cached(), first)
    assert path.read_bytes() == data
    assert loader.times == 2


def test_a_cache_that_cannot_be_written_does_not_stop(
    tmp_path: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "file" / "data"))
    with pytest.warns(InputWarning, match="is not kept for the next command"):
        assert len(Loader(mine).cached()) == 2


def test_a_lower_limit_on_what_is_read_is_kept(folder: Path, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Loader(mine).cached()
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "10")
    with pytest.raises(InputFileError, match="is larger than 10 bytes"):
        Loader(mine).cached()


def test_a_file_that_is_missing_is_the_error_of_the_loader(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no such file"):
        Loader(tmp_path / "none.jsonl").cached()


def test_what_columns_cannot_hold_is_not_kept(folder: Path, mine: Path, tmp_path: Path) -> None:
    loader = Loader(mine, name="another name than the data has")
    assert len(loader.cached()) == len(loader.cached()) == 2
    assert (loader.times, stored_files()) == (2, [])


def test_an_entry_of_a_plug_in_is_loaded_every_time(folder: Path, mine: Path) -> None:
    loader = Loader(mine)
    catalogue.register_dataset(Entry("mine", "mine", None, loader))
    recombine.load("mine")
    recombine.load("mine")
    assert (loader.times, stored_files()) == (2, [])


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run([*arguments])
    out = capsys.readouterr()
    assert ended.value.code == 0, out.err
    return out.out, out.err


def test_no_cache_neither_reads_nor_writes(
    folder: Path, mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(CATALOGUE["scan"], hash=None, patterns={}, load=lambda: Dataset.of("scan", list(read_table(mine))))
    monkeypatch.setitem(CATALOGUE._things, "scan", few)  # the entry of data that is kept, with few examples
    for arguments in (["show", "scan", "-n", "1", "--no-cache"], ["--no-cache", "show", "scan", "-n", "1"]):
        with monkeypatch.context() as patch:
            patch.setenv(data_cache.VARIABLE, str(folder))  # the option sets it, here and for processes started
            printed, _ = ran(capsys, *arguments)
        assert not folder.exists()
    monkeypatch.setenv(data_cache.VARIABLE, str(folder))
    cold = ran(capsys, "show", "scan", "-n", "1")
    assert len(stored_files()) == 1
    assert ran(capsys, "show", "scan", "-n", "1") == cold == (printed, "")


def test_info_and_clear(folder: Path, mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Loader(mine).cached()
    size = stored_files()[0].size
    info = orjson.loads(ran(capsys, "cache", "info", "--json")[0])
    assert info == {"cache": str(folder), "files": 1, "bytes": size, "limit": 2 << 30} == recombine.cache_info()
    out, _ = ran(capsys, "cache", "clear")
    assert out == f"{folder}: 1 file removed, {size / 1e6:.1f} MB\n"
    assert recombine.cache_info().files == 0
    assert recombine.cache_info(no_cache=True).folder is None  # type: ignore[call-arg]
