"""A page on data without atoms and compounds says why they are missing and what would give them."""

from __future__ import annotations

from typing import Any

import pytest

import recombine
from recombine.pages.splits.build_report import build_report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

REASON = "records has no derivations, and the language of its targets is not known; name it with --language"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    data = recombine.load([(f"size {n}", f"answer ( loc_2 ( m{n} ) )") for n in range(12)])
    splits = {f"seed {seed}": recombine.split(data, by="random", test=4, seed=seed) for seed in (0, 1)}
    path = tmp_path_factory.mktemp("report") / "page.html"
    path.write_bytes(build_report(data, splits, None))
    return path.as_uri()


def test_missing_values_say_why(page: Any) -> None:
    expect = sync_api.expect
    row = page.locator("#measures tr", has_text="DC, compounds")
    assert row.locator("td").all_text_contents() == ["–", "–"]
    sentence = page.locator("#measures .missing")
    expect(sentence).to_have_count(1)
    expect(sentence).to_be_visible()
    expect(sentence).to_contain_text(f"DA, DC, unseen atoms and expected accuracy were not measured: {REASON}")
    expect(page.locator("#frequencies")).to_contain_text(REASON)
    expect(page.locator("#held-out")).to_contain_text(REASON)
