"""A Chromium for the app's pages; without one the test skips and says what is missing."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run")


def _find_chromium() -> str | None:
    spec = importlib.util.spec_from_file_location("find_chromium", Path(__file__).parents[2] / "find_chromium.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program: str | None = module.find_chromium()
    return program


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium."""
    from playwright import sync_api

    chromium = _find_chromium()
    if chromium is None:
        pytest.skip("no Chromium: install one, or name it in RECOMBINE_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(SWITCHES))
        yield started
        started.close()
