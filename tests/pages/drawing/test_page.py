"""The page in a browser, with no network: it works, complains of nothing, and takes no data for markup."""

from __future__ import annotations

from typing import Any

import pytest

import recombine
from recombine.pages.splits.build_report import build_report
from recombine.records.dataset import Dataset
from recombine.records.split import Split

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

MARKUP = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def address(unsafe: Dataset, unsafe_split: Split, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "page.html"
    splits = {"first": unsafe_split, "second <b>": unsafe_split}
    path.write_bytes(build_report(unsafe, splits, recombine.features(unsafe)))
    return path.as_uri()


def test_what_is_on_the_page(page: Any) -> None:
    expect = sync_api.expect
    expect(page.get_by_role("heading", level=1)).to_have_text("tiny: what 2 splits hold out")
    assert page.locator("#measures thead th").all_text_contents() == ["measure", "first", "second <b>"]
    assert page.locator("#measures td").count() >= 20
    expect(page.locator("#frequencies").get_by_role("img")).to_have_count(4)
    held = page.locator("#held-out").get_by_role("img")
    assert held.count() >= 2
    assert page.locator("#held-out").get_by_text("In train: never").count() >= 2
    for landmark in ("navigation", "main", "banner", "contentinfo"):
        expect(page.get_by_role(landmark)).to_have_count(1)


def test_data_is_text(page: Any) -> None:
    assert page.locator("#held-out").get_by_text(MARKUP).count() >= 1
    assert page.locator("#list").get_by_text(MARKUP).count() == 1
    assert page.locator("img, b, i").count() == 0


def test_filter_and_open(page: Any) -> None:
    expect = sync_api.expect
    expect(page.locator("#list button")).to_have_count(4)
    page.get_by_label("Search source").fill("ALERT(1)")
    expect(page.locator("#list button")).to_have_count(1)
    expect(page.locator("#found")).to_contain_text("1 example found")
    page.locator("#list button").click()
    expect(page.locator("#detail-title")).to_have_text(MARKUP)
    drawing = page.locator("#detail").get_by_role("img")
    expect(drawing).to_have_count(1)
    expect(drawing).to_contain_text("<i>U</i>")
    page.get_by_label("Search source").fill("no such text")
    expect(page.locator("#list button")).to_have_count(0)
    page.get_by_label("Search source").fill("")
    page.get_by_label("train", exact=True).check()
    assert set(page.locator("#list .part").all_text_contents()) == {"train"}


def test_keys_move_through_the_list(page: Any) -> None:
    expect = sync_api.expect
    page.locator("#list button").first.focus()
    page.keyboard.press("ArrowDown")
    second = page.locator("#list button").nth(1)
    expect(second).to_be_focused()
    expect(second).to_have_attribute("aria-current", "true")
    expect(page.locator("#detail-title")).to_have_text("jump twice")
    page.keyboard.press("End")
    expect(page.locator("#list button").last).to_be_focused()
    # One stop for the tabulator key, not one per example.
    expect(page.locator("#list button[tabindex='0']")).to_have_count(1)


def test_a_cited_example_opens_in_the_browser(page: Any) -> None:
    link = page.locator("#held-out a").first
    text = link.text_content()
    link.click()
    sync_api.expect(page.locator("#detail-title")).to_have_text(text)
    sync_api.expect(page.locator("#detail-title")).to_be_focused()


def test_themes(page: Any) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert paper() == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Dark theme").click()
    assert paper() == "rgb(18, 22, 28)"
    page.get_by_role("button", name="Light theme").click()
    assert paper() == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark")
    assert paper() == "rgb(255, 255, 255)"
    page.reload()
    assert paper() == "rgb(18, 22, 28)"


def test_a_narrow_screen_does_not_scroll_sideways(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
