"""Paths in study files: beside the file first, then in the data directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.models.study_path import study_path


def test_what_lies_beside_the_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, folder = tmp_path / "data", tmp_path / "studies"
    monkeypatch.setenv("RECOMBINE_DATA", str(data))
    assert study_path(folder, "encoders/bert") == folder / "encoders" / "bert"  # in neither: said as beside the file
    (data / "encoders" / "bert").mkdir(parents=True)
    assert study_path(folder, "encoders/bert") == data / "encoders" / "bert"
    (folder / "encoders" / "bert").mkdir(parents=True)
    assert study_path(folder, "encoders/bert") == folder / "encoders" / "bert"
