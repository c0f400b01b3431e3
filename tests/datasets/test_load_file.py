"""A file of one's own comes from the cache where it is large enough, and is then what reading it gives."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

import recombine
from recombine import data_cache
from recombine.data_cache import stored_files
from recombine.datasets import load_file as module
from recombine.errors import InputFileError, InputWarning, RecordError
from recombine.records.columns import StoredExamples

PAIRS = [(f"go {n}", f"answer ( city ( m{n} ) )") for n in range(40)]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and small files that are worth keeping."""
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(module, "LEAST", 100)


def write(path: Path, **more: object) -> Path:
    rows = [{"source": s, "target": t, "other": s[::-1], "line_of": n, **more} for n, (s, t) in enumerate(PAIRS)]
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def kept() -> int:
    return len(stored_files())


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.parquet", "mine.tsv", "mine.jsonl.gz"])
def test_it_is_read_once_and_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    recombine.show(write(tmp_path / "first.jsonl"), n=1, language="funql").write(path)
    recombine.cache_clear()
    read = recombine.load(path, language="funql", no_cache=True)  # type: ignore[call-arg]
    assert kept() == 0
    first = recombine.load(path, language="funql")
    assert kept() == 1
    monkeypatch.setattr(module, "read_table", None)
    again = recombine.load(path, language="funql")
    assert isinstance(again.examples, StoredExamples)
    for each in (first, again):
        assert list(each) == list(read)
        assert (each.name, each.hash, each.reading) == (read.name, read.hash, read.reading)
        assert (each.language, each.structures, each.identity) == (read.language, read.structures, read.identity)
    assert again.made_from


def test_what_decides_the_data_decides_the_key(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl")
    recombine.load(path)
    for number, read in enumerate(
        (
            lambda: recombine.load(path, source="other"),
            lambda: recombine.load(path, target="other"),
            lambda: recombine.load(path, source="target", target="source"),
            lambda: recombine.load(path, language="funql"),
            lambda: recombine.load(write(tmp_path / "named.jsonl")),
            lambda: recombine.load(write(path, x=1)),
        ),
        start=2,
    ):
        made = read()
        assert kept() == number
        assert not isinstance(made.examples, StoredExamples)
    (tmp_path / "mine.jsonl.meta.json").write_text('{"context": ["other"], "identity": ["other"]}')
    told = recombine.load(path)
    assert kept() == 8
    assert told[0].context["other"] == "0 og"
    assert recombine.load(path)[0].id == told[0].id


def test_small_and_huge_files_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "mine.jsonl")
    for least, most in ((path.stat().st_size + 1, 1 << 30), (1, path.stat().st_size - 1)):
        monkeypatch.setattr(module, "LEAST", least)
        monkeypatch.setattr(module, "MOST", most)
        recombine.load(path)
        assert kept() == 0
    monkeypatch.setattr(module, "MOST", path.stat().st_size)
    recombine.load(path)
    assert kept() == 1


def test_what_is_said_of_a_file_is_said_every_time(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("".join(f"{s}\t{t}\n" for s, t in PAIRS))
    for _ in range(2):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            recombine.load(path)
        assert [each.category for each in said] == [InputWarning]
        assert "mine.tsv" in str(said[0].message)
    assert kept() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputWarning, match=r"mine\.tsv"):
            recombine.load(path)


def test_what_is_wrong_is_said_every_time(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl")
    path.write_bytes(path.read_bytes() + b"{broken\n")
    for _ in range(2):
        with pytest.raises(RecordError, match="line 41"):
            recombine.load(path)
    with pytest.raises(InputFileError, match="no such file"):
        recombine.load(tmp_path / "none.jsonl")
    assert kept() == 0


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl")
    before = recombine.load(path)
    path.write_bytes(path.read_bytes().replace(b"go 7", b"go x"))
    assert recombine.load(path)[7].source == "go x" != before[7].source


def test_its_features_are_kept_too(tmp_path: Path) -> None:
    data = recombine.load(write(tmp_path / "mine.jsonl"), language="funql")
    made = recombine.features(data)
    assert kept() == 2
    again = recombine.features(recombine.load(tmp_path / "mine.jsonl", language="funql"))
    plain = recombine.features(replace(data, made_from=""))
    assert kept() == 2
    for half in ("atoms", "compounds"):
        one, two, three = (getattr(each, half) for each in (made, again, plain))
        assert [*one.names] == [*two.names] == [*three.names]
        assert one.indices.tolist() == two.indices.tolist() == three.indices.tolist()
