from __future__ import annotations

from pathlib import Path

import pytest

from recombine.data_directory import data_directory, data_file, data_files, missing_files, remedy_for_missing
from recombine.errors import MissingDataError


def test_the_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", "/data")
    assert data_directory() == Path("/data")
    monkeypatch.delenv("RECOMBINE_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert data_directory() == Path("/cache/recombine")


def test_gzipped_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    for name in ("a.tsv", "b.tsv.gz", "both.tsv", "both.tsv.gz"):
        (tmp_path / name).touch()
    assert data_file("a.tsv.gz", "x") == tmp_path / "a.tsv"
    assert data_file("b.tsv", "x") == tmp_path / "b.tsv.gz"
    assert data_file("both.tsv.gz", "x") == tmp_path / "both.tsv.gz"
    assert missing_files(["a.tsv.gz", "c.tsv", "d.tsv"]) == ["c.tsv", "d.tsv"]
    with pytest.raises(MissingDataError, match=r"x needs the files c\.tsv, d\.tsv, which are not in"):
        data_files(["c.tsv", "a.tsv", "d.tsv"], "x")


def test_how_to_come_by_what_is_missing() -> None:
    both = ["spider/tables.json.gz", "spider/dev.json"]
    then = "or set RECOMBINE_DATA to the directory that holds them"
    assert remedy_for_missing(both, "spider/xsp") == f"get them with `recombine download spider/xsp`, {then}"
    # What they are for is no name of a data set: the first that each is for.
    assert remedy_for_missing(both, "schemas") == f"get them with `recombine download spider/ssp spider/xsp`, {then}"
    assert remedy_for_missing(["mine.tsv", "spider/dev.json"]) == f"put them there, {then}"
