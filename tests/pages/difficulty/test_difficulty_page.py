"""The page on difficulty in a browser, with no network: sorting, filters, drawings, the keyboard, themes, a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recombine.easiness.predict_difficulty import predict_difficulty
from recombine.evaluation.difficulty.correctness import Correctness
from recombine.languages.functional import FUNCTIONAL
from recombine.pages.difficulty.build_difficulty_report import build_difficulty_report
from recombine.records.dataset import Dataset
from recombine.records.example import Example

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

MARKUP = "<script>alert(1)</script>"
TRAIN = [
    ("is there a dog", "exists ( find ( dog ) )"),
    ("is there a cat", "exists ( find ( cat ) )"),
    ("how many dogs", "count ( find ( dog ) )"),
    ("</script><b>how many</b>", "count ( scene ( ) )"),
    ("a dog and a cat", "both ( dog , cat )"),
    ("a cat and a dog", "both ( cat , dog )"),
]
# Easiness: all observed, 1; `exists > scene()`, of which train shows `count > scene()`; `dog ~ dog`, of which train
# shows `cat ~ dog`; a symbol that train never shows, 0.
TEST = [
    ("how many cats", "count ( find ( cat ) )"),
    ("is there anything", "exists ( scene ( ) )"),
    ("two dogs", "both ( dog , dog )"),
    (MARKUP, "exists ( find ( <img src=x> ) )"),
]
RIGHT = [[True, True], [True, True], [True, False], [False, False]]


def write_page(path: Path) -> str:
    """Two splits, which test the first three and the last example."""
    train = [Example(f"a{place}", *pair) for place, pair in enumerate(TRAIN)]
    test = [Example(f"e{place}", *pair) for place, pair in enumerate(TEST)]
    dataset = Dataset("tiny", (*train, *test), language=FUNCTIONAL)
    splits, answers = {}, {}
    for name, rows in (("first", [0, 1, 2]), ("second <b>", [3])):
        tested = [test[row] for row in rows]
        splits[name] = predict_difficulty(train, tested, language=FUNCTIONAL, data="tiny")
        keys = tuple(example.id for example in tested)
        answers[name] = Correctness(keys, ("small", "large"), np.array([RIGHT[row] for row in rows]))
    path.write_bytes(build_difficulty_report(dataset, splits, answers))
    return path.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(tmp_path_factory.mktemp("report") / "page.html")


def listed(page: Any) -> list[str]:
    return [str(text) for text in page.locator("#list td.id").all_text_contents()]


def choose(page: Any, key: str) -> None:
    page.locator("#list tr").filter(has=page.get_by_text(key, exact=True)).get_by_role("button").click()


def nodes(page: Any, look: str) -> list[str]:
    """The labels of nodes that look so, in the drawing of the chosen example's program."""
    return [str(text) for text in page.locator(f"#detail .drawing .node.{look} > text").all_text_contents()]


def test_what_is_on_the_page(page: Any) -> None:
    expect = sync_api.expect
    expect(page.get_by_role("heading", level=1)).to_have_text("tiny: which test examples of 2 splits are hard, and why")
    expect(page.locator("#overview").get_by_role("img")).to_have_count(3)
    expect(page.locator("#overview circle.dot")).to_have_count(2)
    assert page.locator("#splits tbody th").all_text_contents() == ["second <b>", "first"]
    for landmark in ("navigation", "main", "banner", "contentinfo"):
        expect(page.get_by_role(landmark)).to_have_count(1)


def test_data_is_text(page: Any) -> None:
    expect = sync_api.expect
    choose(page, "e3")
    expect(page.locator("#detail-title")).to_have_text(MARKUP)
    assert "<img src=x>" in nodes(page, "unseen")
    choose(page, "e1")
    expect(page.locator(".shown").get_by_text("</script><b>how many</b>")).to_have_count(1)
    assert page.locator("img, b, i").count() == 0


def test_sorting(page: Any) -> None:
    expect = sync_api.expect
    head = page.locator("#heads").get_by_role("columnheader")
    assert listed(page)[0] == "e3"
    assert listed(page)[-1] == "e0"
    expect(head.filter(has_text="easiness")).to_have_attribute("aria-sort", "ascending")
    head.filter(has_text="easiness").get_by_role("button").click()
    expect(head.filter(has_text="easiness")).to_have_attribute("aria-sort", "descending")
    assert listed(page)[0] == "e0"
    expect(page.locator("#detail-title")).to_have_text("how many cats")
    # By the keyboard: by id, down at the second press.
    button = head.filter(has_text="id").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert listed(page) == ["e0", "e1", "e2", "e3"]
    page.keyboard.press("Enter")
    assert listed(page) == ["e3", "e2", "e1", "e0"]
    head.filter(has_text="length").get_by_role("button").click()
    assert page.locator("#list td.length").all_text_contents() == ["2", "3", "3", "3"]
    expect(page.locator("#heads [aria-sort]")).to_have_count(1)


def test_filters(page: Any) -> None:
    expect = sync_api.expect
    expect(page.locator("#found")).to_have_text("4 of 4 found.")
    page.get_by_label("unobserved only").check()
    assert sorted(listed(page)) == ["e1", "e2", "e3"]
    page.get_by_label("wrong", exact=True).check()
    assert listed(page) == ["e3"]
    page.get_by_label("tie", exact=True).check()
    assert listed(page) == ["e2"]
    page.get_by_label("right", exact=True).check()
    assert listed(page) == ["e1"]
    page.get_by_label("any", exact=True).check()
    page.get_by_label("Search source").fill("DOG ~ dog")
    assert listed(page) == ["e2"]
    page.get_by_label("Search source").fill("no such text")
    expect(page.locator("#found")).to_have_text("0 of 4 found.")
    page.get_by_label("Search source").fill("")
    page.locator("#split").select_option(label="second <b>")
    assert listed(page) == ["e3"]


def test_a_link_down_is_marked(page: Any) -> None:
    expect = sync_api.expect
    choose(page, "e1")
    assert nodes(page, "marked") == ["exists", "scene()"]
    assert nodes(page, "plain") == ["<s>"]
    expect(page.locator("#detail .drawing .link.marked")).to_have_count(1)
    expect(page.locator("#detail .drawing .link.across")).to_have_count(0)
    detail = page.locator("#detail")
    expect(detail.get_by_role("img", name="count > scene()")).to_have_count(1)
    expect(detail).to_contain_text("count in place of exists, similarity 0.")
    expect(detail).to_contain_text("Shown in 1 train example:")
    expect(page.locator(".shown code")).to_have_text("count ( scene ( ) )")
    expect(detail).to_contain_text("right (small right, large right)")
    page.get_by_text("its program as a tree").click()
    # Drawn when the browser tells that it is open, which may be a moment later.
    expect(page.locator(".shown .node.known > text")).to_have_text(["count", "scene()"])


def test_neighbours_are_joined_by_a_level_line(page: Any) -> None:
    choose(page, "e2")
    assert nodes(page, "marked") == ["dog", "dog"]
    line = page.locator("#detail .drawing .link.across.marked")
    sync_api.expect(line).to_have_count(1)
    box, style = line.bounding_box(), line.evaluate("line => getComputedStyle(line).strokeDasharray")
    assert box["height"] <= 3 < box["width"]
    assert style != "none"
    boxes = [node.bounding_box() for node in page.locator("#detail .drawing .node.marked rect").all()]
    assert boxes[0]["x"] + boxes[0]["width"] <= box["x"] + 2
    assert box["x"] + box["width"] <= boxes[1]["x"] + 2


def test_nothing_like_it_and_nothing_new(page: Any) -> None:
    expect = sync_api.expect
    choose(page, "e3")
    expect(page.locator("#detail")).to_contain_text("Nearest observed structure: none")
    expect(page.locator("#detail")).to_contain_text("wrong (small wrong, large wrong)")
    choose(page, "e0")
    expect(page.locator("#detail")).to_contain_text("Train shows every structure of this program.")
    assert nodes(page, "marked") == []


def test_keys_move_through_the_list(page: Any) -> None:
    expect = sync_api.expect
    page.locator("#list button").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#list button").nth(1)).to_be_focused()
    expect(page.locator("#list tr").nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("End")
    expect(page.locator("#list button").last).to_be_focused()
    expect(page.locator("#detail-title")).to_have_text("how many cats")
    # One stop for the tabulator key, not one per example.
    expect(page.locator("#list button[tabindex='0']")).to_have_count(1)


def test_tables_lead_to_their_examples(page: Any) -> None:
    expect = sync_api.expect
    page.locator("#reasons").get_by_role("button", name="dog ~ dog").click()
    assert listed(page) == ["e2"]
    expect(page.locator("#detail-title")).to_be_focused()
    page.locator("#splits").get_by_role("button", name="first").click()
    assert sorted(listed(page)) == ["e0", "e1", "e2"]


def test_themes(page: Any) -> None:
    def colours() -> tuple[str, str]:
        rect = "getComputedStyle(document.querySelector('#detail .node.marked rect')).fill"
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor")), str(page.evaluate(rect))

    light = colours()
    assert light[0] == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Dark theme").click()
    dark = colours()
    assert dark[0] == "rgb(18, 22, 28)"
    assert dark[1] != light[1]


def test_a_narrow_screen_does_not_scroll_sideways(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 844})
    for key in ("e1", "e2", "e3"):
        choose(page, key)
        for closed in page.locator(".shown summary").all():
            closed.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    # What is read in one column is still a table to those who hear it.
    sync_api.expect(page.get_by_role("table", name="Test examples").get_by_role("row")).to_have_count(5)
