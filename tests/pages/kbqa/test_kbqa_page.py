"""The page of a set of questions over a knowledge base in a browser, with no network: tables, graphs and filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_kbqa_set import made_set, write_set
from strangers import write_strangers

import recombine
from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.errors import OptionError

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hand-sized questions, and generated ones of many templates below them."""
    folder = tmp_path_factory.mktemp("page")
    small = recombine.load(write_set(folder / "small.jsonl"), language="sexpression")
    data = recombine.Dataset.of("both", [*small, *made_set()], language=small.language)
    recombine.kbqa_page(data).write(folder / "page.html")
    return (folder / "page.html").as_uri()


def cards(page: Any) -> int:
    found: int = page.locator("article.template").count()
    return found


def all_cards(page: Any) -> int:
    """Show the rest, as somebody with a keyboard does."""
    while page.locator("#more").is_visible():
        page.locator("#more").focus()
        page.keyboard.press("Enter")
    return cards(page)


def test_shares_stand_beside_the_paper(page: Any) -> None:
    row = page.locator("#shares tr", has_text="comparative")
    assert "5.0 %" in row.locator("td").last.text_content()
    counts = page.locator("#shares table").first.locator("tr", has_text="questions")
    assert counts.locator("td").all_text_contents() == ["256", "64,331"]
    assert page.locator("#wordings tbody tr").count() == 6
    assert "as the data says" in page.locator("#levels .lead").text_content()


def test_templates_are_drawn_in_lots_until_all_are_there(page: Any) -> None:
    first = cards(page)
    assert 10 <= first < 25
    total = int(page.locator("#found").text_content().split()[0])
    assert all_cards(page) == total > 25
    assert page.locator("article.template svg.picture").count() == total
    assert page.locator("article .shape.asked").count() == total
    assert page.locator("article .shape.entity").count() > 10
    assert page.locator("article .shape.literal").count() > 0
    assert page.locator("article .shape.extreme").count() > 0


def test_a_key_brings_the_next_card_into_focus(page: Any) -> None:
    before = cards(page)
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H3"
    assert cards(page) > before


@pytest.mark.parametrize(("name", "value"), [("function", "count"), ("relations", "2"), ("domain", "film")])
def test_filters(page: Any, name: str, value: str) -> None:
    whole = int(page.locator("#found").text_content().split()[0])
    page.locator(f"#{name}").select_option(value)
    found = int(page.locator("#found").text_content().split()[0])
    assert 0 < found < whole
    assert all_cards(page) == found
    said = page.locator("article header").all_text_contents()
    wanted = {"function": ", count", "relations": "2 relations", "domain": "film"}[name]
    assert all(wanted in text for text in said)


def test_search_finds_questions_answers_and_forms(page: Any) -> None:
    for text in ("made which film", "entity that is nowhere", "film.film.directed_by) m.03"):
        page.locator("#query").fill(text)
        found = int(page.locator("#found").text_content().split()[0])
        assert found == (0 if "nowhere" in text else 1), text


def test_names_are_marked_and_data_is_text(page: Any) -> None:
    page.locator("#query").fill("made which film")
    card = page.locator("article.template")
    assert card.locator("mark").all_text_contents() == ["Ann Lee", "Ann Lee", "Bo <b>Ek</b>", "Bo <b>Ek</b>"]
    assert card.locator("b").count() == 0
    assert "4 questions · 3 wordings" in card.locator(".said").text_content()
    assert card.locator(".answers").first.text_content() == "↦ A0; A1"
    assert "film.film.directed_by m.01" in card.locator("details").text_content()


def test_a_narrow_window_has_nothing_beside_it(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_levels_of_a_split_and_domains_held_out(tmp_path: Path, browser: Any) -> None:
    data = made_set()
    split = recombine.split(data, by="levels", dev_domains=2, test_domains=4, compositional=0.0, seed=1)
    made = recombine.kbqa_page(data, split)
    levels = made.to_dict()["levels"]
    assert sum(levels["parts"]["test"].values()) == levels["sizes"]["test"] == len(split.test)
    assert len(levels["held_out"]["test"]) == 4
    made.write(tmp_path / "page.html")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    row = page.locator("#levels tbody tr", has_text="test").locator("td")
    assert [row.nth(place).inner_text().split()[0] for place in range(3)] == [
        str(levels["parts"]["test"][name]) for name in ("i.i.d.", "compositional", "zero-shot")
    ]
    assert page.locator("#levels .chip").all_text_contents()[-4:] == levels["held_out"]["test"]
    page.locator("#level").select_option("zero-shot")
    assert 0 < all_cards(page) < made.to_dict()["templates"]
    assert all("zero-shot" in text for text in page.locator("article .said").all_text_contents())
    page.close()


def test_templates_beyond_what_the_page_holds_are_cut_and_the_number_said(tmp_path: Path) -> None:
    made = recombine.kbqa_page(write_set(tmp_path / "films.jsonl"), templates=2)
    assert (made.to_dict()["templates"], made.to_dict()["shown"]) == (3, 2)
    text = made.page.decode()
    assert "The page keeps 2 templates of 3, of all kinds in turn." in text
    assert sorted(each.function for each in made.built.shown) == ["count", "none"]
    assert "<b>Ek" not in text
    with pytest.raises(OptionError, match="cannot show 0 templates"):
        recombine.kbqa_page(tmp_path / "films.jsonl", templates=0)


def test_a_form_that_cannot_be_drawn_says_why() -> None:
    rows = [("is it?", "SELECT ?x WHERE { { ?x <http://e.org/p> ?y } UNION { ?y <http://e.org/q> ?x } }")]
    made = recombine.kbqa_page(rows)
    assert made.to_dict()["not_drawn"] == 1
    assert "1 template cannot be drawn, and says why." in made.page.decode()


def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    path = write_set(tmp_path / "films.jsonl")
    assert recombine.kbqa_page(path).page == recombine.kbqa_page(path).page


@pytest.mark.parametrize("name", ["wiki.ttl", "company.ttl"])
def test_the_graph_of_a_stranger_goes_from_file_to_page(tmp_path: Path, name: str) -> None:
    write_strangers(tmp_path)
    data = KbqaGenerator(kb=str(tmp_path / name)).generate(60, seed=1).dataset()
    made = recombine.kbqa_page(data)
    said = made.to_dict()
    assert (said["questions"], said["unnamed"], said["unreadable"]) == (60, 0, {})
    assert said["shown"] == said["templates"] > 5
    assert said["not_drawn"] == 0
    assert {"wiki.ttl": "Player", "company.ttl": "Customer"}[name] in made.page.decode()
