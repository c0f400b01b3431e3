"""A data directory of its own, and a server that has the files of the made-up repositories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from odd_server import Served, odd_server
from small_sources import FILES


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server with the small sources; no time is lost between attempts, and no proxy is asked."""
    monkeypatch.setattr("recombine.datasets.downloads.fetch_original.WAIT", 0.0)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with odd_server(files=dict(FILES) | {path.replace(" ", "%20"): data for path, data in FILES.items()}) as server:
        yield server


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    path = tmp_path / "data"
    monkeypatch.setenv("RECOMBINE_DATA", str(path))
    return path
