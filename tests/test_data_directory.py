from __future__ import annotations

from pathlib import Path

import pytest

from recombine.data_directory import data_directory, data_file, data_files, missing_files
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
