"""The page of all results in a browser: filters show what they say, and nothing is wider than a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "studies" / "results" / "index.html"


@pytest.fixture(scope="module")
def address() -> str:
    """The page as it is stored."""
    return PAGE.as_uri()


def shown(page: Any) -> list[str]:
    """The papers and states of the results that can be seen."""
    found: list[str] = page.eval_on_selector_all(
        ".result:not([hidden])", "nodes => nodes.map((node) => `${node.dataset.paper}/${node.dataset.state}`)"
    )
    return found


def test_filters_by_paper_state_and_words(page: Any) -> None:
    written = re.findall(r'data-paper="(\w+)" data-state="([\w ]+)"', PAGE.read_text())
    assert len(shown(page)) == len(written)
    page.select_option("#paper", "covr")
    assert shown(page) == [f"{paper}/{state}" for paper, state in written if paper == "covr"]
    page.select_option("#state", "not run")
    # Tables 13 to 15 are of paraphrases.
    assert shown(page) == ["covr/not run"] * 3
    assert page.eval_on_selector_all(".paper:not([hidden])", "nodes => nodes.map((node) => node.id)") == ["covr"]
    page.fill("#query", "table 14")
    assert page.inner_text("#shown") == f"1 of {len(written)} results"


def test_nothing_is_wider_than_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
