"""The page of a data set like CFQ in a browser, with no network: figures, tables, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_questions_of_films import write_questions

import recombine
from recombine.errors import OptionError

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    pool = write_questions(folder / "pool.jsonl", repeat=2)
    data = recombine.load(write_questions(folder / "films.jsonl"))
    split = recombine.split(data, by="random", train=8, test=4, seed=1)
    made = recombine.cfq_page(data, pool=pool, split=split, structures="dag:2-3,presence,rules=all")
    made.write(folder / "page.html")
    return (folder / "page.html").as_uri()


def test_all_figures_are_drawn(page: Any) -> None:
    expect = sync_api.expect
    expect(page.get_by_role("heading", level=1)).to_have_text("films: the data set in figures")
    titles = page.locator("svg.picture > title").all_text_contents()
    assert titles == [
        "Number of questions by level, before and after sub-sampling",
        "Frequency of rules in pool and data",
        "Frequency of combinations in pool and data",
        "Frequency of atoms in train and test",
        "Frequency of compounds in train and test",
    ]
    for each in page.locator("svg.picture").all():
        box = each.bounding_box()
        assert box["width"] > 600
        assert box["height"] > 200
    assert page.locator(".missing").count() == 0


def test_every_figure_has_its_number_in_a_caption(page: Any) -> None:
    begins = page.locator("figcaption strong").all_text_contents()
    assert [text.split(",")[0] for text in begins] == ["Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 6"]
    assert page.locator("figure").count() == 5
    caption = page.locator("#levels figcaption").text_content()
    assert "24 examples in the pool, wide bars, and 12 in the data, narrow ones" in caption


def test_a_narrow_window_scrolls_figures_whose_numbers_stay_readable(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    sizes = page.evaluate(
        "[...document.querySelectorAll('svg.picture')].map(each => 11 * each.getBoundingClientRect().width"
        " / each.viewBox.baseVal.width)"
    )
    assert len(sizes) == 5
    assert min(sizes) >= 10.5, "pixels of the letters of an axis"
    page.set_viewport_size({"width": 1280, "height": 900})


def test_what_stands_over_columns_and_texts_begin_at_the_left(page: Any) -> None:
    heads = page.locator("#statistics th[colspan], #answers th[colspan]").all()
    assert [head.text_content() for head in heads] == ["counted here", "in the paper", "CFQ in the paper"]
    texts = page.locator("#answers td.text").all()[:3]
    for each in (*heads, *texts):
        assert each.evaluate("each => getComputedStyle(each).textAlign") == "left"


def test_levels_have_two_bars_whose_heights_follow_their_numbers(page: Any) -> None:
    bars = page.locator("#levels svg g")
    told = bars.locator("title").all_text_contents()
    assert all(" of " in text for text in told)
    first = bars.nth(0).locator("rect")
    assert first.count() == 2
    before, after = (first.nth(at).bounding_box()["height"] for at in (0, 1))
    assert before > after


def test_tables_stand_beside_the_paper(page: Any) -> None:
    row = page.locator("#statistics tr", has_text="open questions")
    assert row.locator("td").all_text_contents() == ["6", "108,786"]
    row = page.locator("#subqueries tr", has_text="Did…?")
    assert row.locator("td").nth(1).text_content() == "17,464"
    rows = page.locator("#answers tbody tr")
    assert rows.count() == 30
    assert rows.nth(0).locator("th").text_content() == "Ann"
    assert rows.nth(0).locator("td").all_text_contents() == ["3", "No", "65,479"]
    assert page.locator("#questions tbody tr").count() == page.locator("#level option").count()


def test_questions_of_another_level_are_shown(page: Any) -> None:
    levels = page.locator("#level option").all_text_contents()
    seen = set()
    for level in levels:
        page.get_by_label("Questions of level").select_option(level)
        seen.update(page.locator("#browsed li").all_text_contents())
    assert "Who edited Jaws ↦ Ann" in seen
    assert len(seen) == 12


def test_data_is_text(page: Any) -> None:
    assert page.locator("b").count() == 0


def test_the_rarest_and_the_commonest_tenth_are_said(page: Any) -> None:
    """Of 107 rules, the 11 rarest are in 15 places of 24 questions, and in 9 of the 12 that are left: 5.7 and 6.8 %."""
    caption = page.locator("#rules figcaption").nth(0).text_content()
    assert "the rarest tenth is in 5.7% of examples each before and in 6.8% after" in " ".join(caption.split())


def test_a_page_without_pool_split_and_answers_says_so(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "films.jsonl", answers=False)
    text = recombine.cfq_page(data).page.decode()
    for said in (
        "The data has no answers: no field expectedResponse.",
        "name the pool that the data was taken of with --pool",
        "No split was named: give one with --split.",
        "no pool was named (--pool)",
    ):
        assert said in text
    assert text.count("<svg") == 2  # the sign of the theme, and levels
    bare = recombine.cfq_page([("a", "b")]).page.decode()
    assert "There are no levels: " in bare
    with pytest.raises(OptionError, match="has no derivations to compare"):
        recombine.cfq_page([("a", "b")], pool=data)


def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "films.jsonl")
    assert recombine.cfq_page(data, seed=3).page == recombine.cfq_page(data, seed=3).page
