"""Tests of these pages read no public data but where they say so: Freebase's ontology takes long to read."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_public_data(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.node.get_closest_marker("shared_data") is None:
        monkeypatch.setenv("RECOMBINE_DATA", str(_empty(tmp_path_factory)))


def _empty(factory: pytest.TempPathFactory) -> Path:
    return factory.getbasetemp()
