"""A study small enough to train in a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_study import PAIRS, STUDY, Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    def write(text: str = STUDY, *, name: str = "study.toml") -> Path:
        rows = ["source\ttarget", *(f"{source}\t{target}" for source, target in PAIRS)]
        (tmp_path / "letters.tsv").write_text("\n".join(rows) + "\n")
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write
