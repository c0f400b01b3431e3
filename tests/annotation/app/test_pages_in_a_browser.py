"""The pages in Chromium: by keyboard alone, without scripts, drafts, double clicks, Back, two tabs, narrow, axe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from small_campaign import ANSWERS, FAILS, FLOW, ITEMS, Small, small_campaign

FORM, PARAPHRASE, NAMES, VALIDATE, *CHECKS = ITEMS
# What Chromium says of a page that comes with a refusal.
REFUSALS = ("status of 404", "status of 422")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """A campaign with one item of each kind."""
    with small_campaign(tmp_path) as served:
        yield served


@contextmanager
def opened(browser: Any, small: Small, *, scripts: bool = True, **more: Any) -> Iterator[Any]:
    """A page in a context of its own; whatever it complains of or pops up fails the test."""
    context = browser.new_context(
        java_script_enabled=scripts, reduced_motion="reduce", **({"viewport": {"width": 1000, "height": 800}} | more)
    )
    context.set_default_timeout(30_000)
    faults: list[str] = []
    context.on("page", lambda page: _watch(page, faults))
    yield context.new_page()
    context.close()
    assert faults == []


def _watch(page: Any, faults: list[str]) -> None:
    def complain(message: Any) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in REFUSALS):
            faults.append(message.text)

    page.on("console", complain)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))


def title(page: Any) -> str:
    """The heading of a page."""
    return str(page.inner_text("h1"))


def tab_to(page: Any, what: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"Tab does not reach {what}")


def press(page: Any, *keys: str) -> None:
    """Press keys, the last of which leads to another page."""
    for key in keys[:-1]:
        page.keyboard.press(key)
    with page.expect_navigation():
        page.keyboard.press(keys[-1])


def send(page: Any, what: str = "button.main") -> None:
    """Click on what leads to another page."""
    with page.expect_navigation():
        page.click(what)


# -- every kind of task ----------------------------------------------------------------------------------------------


def test_every_task_by_keyboard_alone(browser: Any, small: Small) -> None:
    with opened(browser, small) as page:
        page.goto(f"{small.url}/join/{small.add('lead', agreed=False)}")
        for _ in range(2):  # consent and survey
            tab_to(page, "button.main")
            press(page, "Enter")
        tab_to(page, "main a.button.main")
        press(page, "Enter")
        # The tree: a node is opened, then the answer is given with the arrow keys and sent.
        tab_to(page, ".tree details.node summary")
        page.keyboard.press("Enter")
        assert page.locator(".tree details[open] .about").count() == 1
        tab_to(page, "input[name=asked]")
        page.keyboard.press("Space")
        tab_to(page, "button.main")
        press(page, "Enter")
        # The text, with its bracketed part from the button.
        tab_to(page, "textarea")
        page.keyboard.type("Who is the author of ")
        tab_to(page, ".insert button")
        page.keyboard.press("Enter")
        page.keyboard.type("?")
        press(page, "Control+Enter")
        # Several, by numbers; one is taken back.
        for key in ("1", "2", "3", "2"):
            page.keyboard.press(key)
        press(page, "Control+Enter")
        # A choice with pictures, by the arrow keys.
        page.wait_for_function("[...document.images].length == 2 && [...document.images].every(i => i.naturalWidth)")
        tab_to(page, "input[name=verdict]")
        page.keyboard.press("Space")
        press(page, "ArrowDown", "Control+Enter")
        assert small.given() == list(ANSWERS.values())
        # A batch by numbers, failing its control, and once more.
        for _ in range(3):
            press(page, "1", "2", "Control+Enter")
        assert small.given("check") == [FAILS] * 3
        assert title(page) == "Please look at these 3 again"
        tab_to(page, "button.main")
        press(page, "Enter")
        assert title(page) == "You are paused"
        assert len(small.given("check")) == 6


def test_every_task_without_scripts(browser: Any, small: Small) -> None:
    with opened(browser, small, scripts=False) as page:
        page.goto(f"{small.url}/join/{small.add(agreed=False)}")
        send(page)
        page.select_option("select", "old")
        send(page)
        send(page, "main a.button.main")
        page.click(".tree details.node summary >> nth=0")
        assert page.locator(".tree details[open]").count() == 1
        page.check("input[name=asked][value=yes]")
        send(page)
        page.fill("textarea", "Who wrote it?")
        send(page)
        assert "[Jaws]" in page.inner_text(".why")
        assert page.input_value("textarea") == "Who wrote it?"
        page.fill("textarea", ANSWERS["paraphrase"]["text"])
        send(page)
        for name in ANSWERS["names"]["names"]:
            page.locator("label.choice", has_text=name).click()
        send(page)
        page.check("input[value='not valid']")
        send(page)
        assert small.given() == list(ANSWERS.values())
        for _ in range(3):
            for name, value in FAILS.items():
                page.check(f"input[name={name}][value={value}]")
            send(page)
        for entry in page.query_selector_all("section.entry"):
            bad = "control bad" in entry.inner_text()
            entry.query_selector(f"input[name$=same][value={'no' if bad else 'yes'}]").check()
            entry.query_selector("input[name$=fluent][value=yes]").check()
        send(page)
        assert title(page) == "Nothing left for now"
        assert {batch.state for batch in small.campaign.batches() if batch.task == "check"} == {"passed"}


def test_a_lead_decides_by_keyboard(browser: Any, tmp_path: Path) -> None:
    with small_campaign(tmp_path, items=CHECKS) as small:
        for same in ("yes", "no"):
            worker = small.campaign.worker_of(small.add()).id
            work: Any = small.campaign.claim(worker)
            for each in work.assignments:
                wanted = {"control good": "yes", "control bad": "no"}.get(each.show["canonical"], same)
                small.campaign.submit(worker, work.batch, each.item, {"same": wanted, "fluent": "yes"})
        with opened(browser, small) as page:
            page.goto(f"{small.url}/join/{small.add('lead')}")
            page.goto(f"{small.url}/decide")
            press(page, "1", "Control+Enter")
            press(page, "2", "Control+Enter")
            assert title(page) == "Nothing to decide"
        states = [row.state for row in small.campaign.items(task="check") if not row.control]
        assert sorted(states) == ["accepted", "rejected"]


# -- one response ----------------------------------------------------------------------------------------------------


def test_a_reload_keeps_the_draft_and_so_does_another_browser(browser: Any, tmp_path: Path) -> None:
    with small_campaign(tmp_path, items=[PARAPHRASE]) as small:
        token = small.add()
        with opened(browser, small) as page:
            page.goto(f"{small.url}/join/{token}")
            page.fill("textarea", "Who\nwrote [")
            page.reload()
            assert page.input_value("textarea") == "Who\nwrote ["
            page.locator("textarea").press("Control+End")
            with page.expect_response("**/draft") as kept:
                page.locator("textarea").press_sequentially("Ja")
            assert kept.value.status == 204
        with opened(browser, small) as page:
            page.goto(f"{small.url}/join/{token}")
            assert page.input_value("textarea") == "Who\nwrote [Ja"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_double_click_sends_once(browser: Any, tmp_path: Path, scripts: bool) -> None:
    with small_campaign(tmp_path, items=[FORM, NAMES]) as small, opened(browser, small, scripts=scripts) as page:
        page.goto(f"{small.url}/join/{small.add()}")
        page.check("input[value=yes]")
        page.dblclick("button.main")
        page.wait_for_url("**/work*")
        page.locator("h1", has_text="Choose some").wait_for()
        assert small.given() == [{"asked": "yes"}]


def test_back_and_sent_again_is_one_response(browser: Any, tmp_path: Path) -> None:
    with small_campaign(tmp_path, items=[FORM, NAMES]) as small, opened(browser, small) as page:
        page.goto(f"{small.url}/join/{small.add()}")
        page.check("input[value=yes]")
        send(page)
        assert title(page) == "Choose some"
        page.go_back()
        # The page of the item that is answered is not shown again: what comes is the item to do.
        page.locator("h1", has_text="Choose some").wait_for()
        assert small.given() == [{"asked": "yes"}]


def test_two_tabs_are_one_response(browser: Any, tmp_path: Path) -> None:
    with small_campaign(tmp_path, items=[FORM, NAMES]) as small, opened(browser, small) as page:
        page.goto(f"{small.url}/join/{small.add()}")
        other = page.context.new_page()
        other.goto(f"{small.url}/work")
        page.check("input[value=yes]")
        send(page)
        other.check("input[value=no]")
        send(other)
        assert "first answer stands" in other.inner_text(".notice")
        assert small.given() == [{"asked": "yes"}]


@pytest.mark.slow
def test_keys_can_be_turned_off(browser: Any, tmp_path: Path) -> None:
    with small_campaign(tmp_path, items=[FORM]) as small, opened(browser, small) as page:
        page.goto(f"{small.url}/join/{small.add()}")
        page.uncheck("#keys input")
        page.reload()
        page.keyboard.press("1")
        assert page.locator("input:checked").count() == 0
        page.check("#keys input")
        page.locator("h1").click()
        page.keyboard.press("1")
        assert page.locator("input[name=asked][value=yes]").is_checked()


# -- how it looks ----------------------------------------------------------------------------------------------------

PAGES = ("consent", "survey", "instructions", "form", "paraphrase", "refused", "names", "validate", "check", "again",
         "paused", "finish", "decide", "unknown")  # fmt: skip


def visit(page: Any, small: Small) -> Iterator[str]:
    """Every page once; the name of the page that is shown."""
    page.goto(f"{small.url}/join/{'x' * 43}")
    yield "unknown"
    page.goto(f"{small.url}/join/{small.add('lead', agreed=False)}")
    for name in ("consent", "survey"):
        yield name
        send(page)
    yield "instructions"
    page.goto(f"{small.url}/work")
    for task, given in ANSWERS.items():
        yield task
        if task == "paraphrase":
            page.fill("textarea", "no brackets")
            send(page)
            yield "refused"
            page.fill("textarea", given["text"])
        for value in [] if task == "paraphrase" else next(iter(given.values())) if task == "names" else given.values():
            page.locator(f"input[value='{value}']").check()
        send(page)
    for number in range(3):
        if number == 0:
            yield "check"
        for name, value in FAILS.items():
            page.check(f"input[name={name}][value={value}]")
        send(page)
    yield "again"
    send(page)
    yield "paused"
    page.goto(f"{small.url}/finish")
    yield "finish"
    page.goto(f"{small.url}/decide")
    yield "decide"


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), pytest.param("dark", 1000, marks=pytest.mark.slow)])
def test_no_page_is_wide_or_hard_to_use(browser: Any, small: Small, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    seen = []
    viewport = {"width": width, "height": 740}
    with opened(browser, small, color_scheme=scheme, viewport=viewport, bypass_csp=True) as page:
        for name in visit(page, small):
            seen.append(name)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            found = Axe().run(page).response["violations"]
            serious = [
                (each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")
            ]
            assert serious == [], name
    assert sorted(seen) == sorted(PAGES)


def test_the_flow_shows_every_kind() -> None:
    kinds = {each["kind"] for task in FLOW["task"] for each in (*task["show"], *task["ask"]) if "kind" in each}
    assert kinds == {"tree", "list", "images", "yes_no", "choice", "several", "text"}
