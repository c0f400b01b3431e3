"""Figures of published data stand beside those of one's own: they are counted where a test is about them alone."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_public_data(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if "data_dir" not in request.fixturenames:
        monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "none"))
