"""The page on a parser in a browser, with no network: filters, linked trees, the keyboard, themes, a phone."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.uses import with_uses
from recombine.models.nqg.model import Nqg
from recombine.pages.parser.nqg_data import build_nqg_data
from recombine.pages.parser.nqg_page import render_nqg
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.records.split import Split

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

MARKUP = "<b>hop</b>"
TRAIN = [("jump", "J"), ("walk", "W"), ("jump twice", "J J"), ("walk and jump", "W J"), (MARKUP, "</script>")]
TEST = [("walk twice", "W W"), ("jump and walk", "W J"), ("skip", "S"), (f"{MARKUP} twice", "</script> </script>")]
RULES = f"jump ### J\nwalk ### W\n{MARKUP} ### </script>\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2\n"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = tuple(Example(f"e{place}", *pair) for place, pair in enumerate([*TRAIN, *TEST]))
    dataset = Dataset("tiny", rows)
    parts = {"train": tuple(f"e{n}" for n in range(5)), "test": tuple(f"e{n}" for n in range(5, 9))}
    split = Split(parts, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))
    parser = Nqg(grammar=with_uses(Qcfg.parse(RULES), TRAIN)).fit_scorer(TRAIN)
    path = tmp_path_factory.mktemp("report") / "page.html"
    path.write_bytes(render_nqg(build_nqg_data(dataset, split, parser)))
    return path.as_uri()


def listed(page: Any) -> list[str]:
    return [str(text) for text in page.locator("#list li:not([hidden]) span:last-child").all_text_contents()]


def lit(page: Any) -> list[str]:
    """The numbers of the boxes that stand out, of the source tree and then of the target tree."""
    return [str(box.get_attribute("data-node")) for box in page.locator("article:not([hidden]) .lit").all()]


def test_what_is_on_the_page(page: Any) -> None:
    expect = sync_api.expect
    expect(page.get_by_role("heading", level=1)).to_have_text("tiny: a grammar, and what it parses")
    assert page.locator(".tiles .value").all_text_contents() == ["75%", "67%", "50%", "50%"]
    expect(page.locator("#results").get_by_role("img")).to_have_count(1)
    expect(page.get_by_text("There are no pictures by local structure")).to_be_visible()
    for landmark in ("navigation", "main", "banner", "contentinfo"):
        expect(page.get_by_role(landmark)).to_have_count(1)
    assert page.locator("article:visible").count() == 1


def test_data_is_text(page: Any) -> None:
    page.locator("#list").get_by_role("button", name="hop").click()
    sync_api.expect(page.locator("article:visible h3")).to_have_text(f"{MARKUP} twice")
    assert page.locator("b, i, img").count() == 0


def test_rules_are_filtered(page: Any) -> None:
    shown = page.locator("#rules tr:visible")
    assert shown.count() == 5
    page.get_by_label("Search source and target of rules").fill("TWICE")
    assert shown.count() == 1
    assert shown.locator(".nt").all_text_contents() == ["NT_1", "NT_1", "NT_1"]
    page.get_by_label("Search source and target of rules").fill("")
    page.get_by_label("two").check()
    sync_api.expect(page.locator("#rules-found")).to_have_text("1 rule of 5 shown.")
    colours = [mark.evaluate("one => getComputedStyle(one).color") for mark in shown.locator(".nt").all()]
    assert colours[:2] == colours[2:]
    assert colours[0] != colours[1]


def test_examples_are_filtered(page: Any) -> None:
    expect = sync_api.expect
    assert len(listed(page)) == 4
    page.locator("#controls").get_by_label("abstained").check()
    assert listed(page) == ["skip"]
    expect(page.locator("article:visible h3")).to_have_text("skip")
    expect(page.locator("article:visible")).to_contain_text("the grammar has no derivation of this source")
    page.locator("#controls").get_by_label("any").check()
    page.get_by_label("Search source, gold, output and id").fill("W W")
    assert listed(page) == ["walk twice"]
    expect(page.locator("#found")).to_have_text("1 example of 4 found.")
    page.get_by_label("Search source, gold, output and id").fill("nothing like it")
    assert listed(page) == []
    expect(page.locator("article:visible")).to_have_count(0)


def test_a_wrong_output_stands_beside_gold(page: Any) -> None:
    page.locator("#list").get_by_role("button", name="jump and walk").click()
    told = page.locator("article:visible dd").all_text_contents()
    assert told == ["Wrong. The grammar does not derive the gold target.", "W J", "J W", "e6"]


def test_trees_are_linked_by_pointer_and_keyboard(page: Any) -> None:
    page.locator("#list").get_by_role("button", name="jump and walk").click()
    boxes = page.locator("article:visible [data-node]")
    assert [box.get_attribute("data-node") for box in boxes.all()] == ["1", "2", "3", "1", "2", "3"]
    boxes.nth(2).hover()
    assert lit(page) == ["3", "3"]
    boxes.nth(4).hover()
    assert lit(page) == ["2", "2"]
    page.locator("h1").hover()
    assert lit(page) == []
    boxes.nth(0).focus()
    assert lit(page) == ["1", "1"]
    page.keyboard.press("Tab")
    assert lit(page) == ["2", "2"]
    page.locator("#query").focus()
    assert lit(page) == []


def test_arrow_keys_move_through_the_list(page: Any) -> None:
    expect = sync_api.expect
    page.locator("#list button").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("article:visible h3")).to_have_text("jump and walk")
    page.keyboard.press("End")
    expect(page.locator("article:visible h3")).to_have_text(f"{MARKUP} twice")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#list [aria-current]")).to_have_count(1)


def test_themes(page: Any) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    badge = page.locator("article:visible .badge").first
    before = badge.evaluate("one => getComputedStyle(one).fill")
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate(paper) != light
    assert badge.evaluate("one => getComputedStyle(one).fill") != before


def test_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_without_a_script_everything_is_shown(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(address)
    assert opened.locator("article:visible").count() == 4
    assert opened.locator("#rules tr:visible").count() == 5
    assert opened.locator("form:visible, #list:visible").count() == 0
    context.close()
