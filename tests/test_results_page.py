"""The page of results: every caption of the papers has a line, numbers are those stored, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

ROOT = Path(__file__).parent.parent
# Read off the papers' captions by hand: the last table and the last figure. Figure 6 of CFQ is that of appendix D.2.
CAPTIONS = {"cfq": (9, 15), "local_structures": (10, 6), "covr": (15, 5), "grailqa": (4, 8), "nqg_t5": (9, 4)}
FURTHER = {
    ("local_structures", "§5.1, in words"),
    ("grailqa", "§3.2, in words"),
    ("grailqa", "§5.4, in words"),
    ("grailqa", "§5.5, its table"),
    ("nqg_t5", "Table 2, models made for SCAN"),
    ("nqg_t5", "Table 2, NQG with a pretrained encoder"),
}
NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?")
SMALL = """
awaited = ["later.md", "unborn"]
[[paper]]
name = "p"
short = "P"
title = "A paper <b>"
link = "https://example.org/p"
[[study]]
name = "tried"
cells = 6
seconds_each = 52
[[study]]
name = "unborn"
[[result]]
paper = "p"
label = "Table 1"
shows = "what `x` is <i>"
state = "part"
published = "7"
ours = "{exact_match tried net random*}, {accuracy tried net odd}, {exact_match tried other odd}, {kept k.json a > b}"
differs = "a | b"
pages = ["told.md#the-table-it-is", "told.md", "later.md"]
studies = ["tried"]
[[result]]
paper = "p"
label = "Table 2"
shows = "more"
state = "reproduced"
ours = "12"
needs = ["unborn"]
studies = ["unborn"]
[[result]]
paper = "p"
label = "Table 3"
shows = "all of it"
state = "reproduced"
whole = true
studies = ["tried"]
"""


def script() -> ModuleType:
    specification = importlib.util.spec_from_file_location("results_page", ROOT / "benchmarks" / "results_page.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["results_page"] = module
    specification.loader.exec_module(module)
    return module


results_page: Any = script()


@pytest.fixture(scope="module")
def overview() -> Any:
    return results_page.Overview()


def cell(
    folder: Path, name: str, model: str, split: str, state: str, score: dict[str, float], *, part: str = "test"
) -> None:
    record = {
        "name": name,
        "key": name,
        "part": part,
        "model": {"name": model},
        "split": {"name": split},
        "state": state,
        "score": score,
    }
    (folder / f"{name}.json").write_bytes(orjson.dumps(record))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A root with one page, one study of six cells, four of them done, a tuning run, and a file of kept numbers."""
    stored = tmp_path / "studies" / "results" / "tried"
    stored.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "results.toml").write_text(SMALL)
    (tmp_path / "docs" / "told.md").write_text("# Told\n\n## The table: it is\n")
    (tmp_path / "studies" / "tried.toml").write_text("")
    (tmp_path / "k.json").write_bytes(orjson.dumps({"a": {"b": 3.14159}}))
    (stored / "recombine-results.json").write_bytes(orjson.dumps({"form": "x"}))
    cell(stored, "a", "net", "random,seed=0", "done", {"exact_match": 0.5})
    cell(stored, "b", "net", "random,seed=1", "done", {"exact_match": 0.25})
    cell(stored, "c", "net", "odd", "done", {"accuracy": 1.0})
    cell(stored, "d", "other", "odd", "failed", {"exact_match": 0.9})
    cell(stored, "e", "other", "random,seed=0", "done", {"exact_match": 0.9})
    cell(stored, "f", "net", "random,held_back=0.2", "done", {"exact_match": 0.9}, part="held_back")
    return tmp_path


# -- what stands in the repository -------------------------------------------------------------------------------------


def test_both_files_are_what_the_script_writes(overview: Any) -> None:
    for path, content in results_page.made(overview).items():
        assert path.read_bytes() == content, f"{path.name}: run `python benchmarks/results_page.py`"


def test_every_caption_has_one_line(overview: Any) -> None:
    wanted = Counter(
        (paper, f"{kind} {number}")
        for paper, counts in CAPTIONS.items()
        for kind, last in zip(("Table", "Figure"), counts, strict=True)
        for number in range(1, last + 1)
    )
    assert Counter((each.paper, each.label) for each in overview.results) == wanted + Counter(FURTHER)


def test_what_was_not_run_says_why_and_how(overview: Any) -> None:
    for lines in overview.lines.values():
        for line in lines:
            said = "; ".join(line.notes)
            assert line.state in results_page.STATES
            assert line.state != "not run" or (said and "`" in said), line.result.label
            assert line.state in ("not run", "not a result") or (line.result.published and line.ours), line.result.label
            assert line.state != "other data" or line.result.differs, line.result.label


def test_numbers_that_are_quoted_stand_on_the_pages_named(overview: Any) -> None:
    for each in overview.results:
        pages = [ROOT / "docs" / page.partition("#")[0] for page in each.pages]
        told = "\n".join(page.read_text() for page in pages if page.exists())
        quoted = {found.rstrip(",") for found in NUMBER.findall(results_page.FIELD.sub("", each.ours))}
        numbers = {found.rstrip(",") for found in NUMBER.findall(told)}
        assert quoted <= numbers, f"{each.paper}, {each.label}: {sorted(quoted - numbers)}"


def test_links_lead_to_files_and_headings(overview: Any) -> None:
    texts = {path: content.decode() for path, content in results_page.made(overview).items()}
    for path, text in texts.items():
        found = re.findall(r"\]\(([^)]+)\)", text) if path.suffix == ".md" else re.findall(r'href="([^"]+)"', text)
        inside = [each for each in found if not each.startswith(("http", "#", "data:"))]
        assert len(inside) > 100
        for each in inside:
            name, _, anchor = each.partition("#")
            target = (path.parent / name).resolve()
            assert target.exists(), each
            assert not anchor or f"#{anchor}" in anchors(target), each


def anchors(page: Path) -> set[str]:
    """The anchors that a page of Markdown has, worked out apart from the script."""
    found = set()
    for line in page.read_text().splitlines():
        if line.startswith("#"):
            kept = [letter for letter in line.lstrip("# ").lower() if letter.isalnum() or letter in " -_"]
            found.add("#" + "".join(kept).replace(" ", "-"))
    return found


class Counting(HTMLParser):
    """Counts elements by tag and class, and keeps what is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.seen.update(f"{tag}.{name}" for name in (given.get("class") or "").split())
        self.fetched += [str(given[name]) for name in ("src", "srcset", "action") if name in given]


def test_the_html_page_has_every_line_and_fetches_nothing(overview: Any) -> None:
    seen = Counting()
    seen.feed(results_page.page(overview).decode())
    assert seen.seen["li.result"] == len(overview.results)
    assert seen.seen["section.paper"] == len(CAPTIONS)
    assert seen.fetched == []


def test_counts_are_those_of_the_lines(overview: Any) -> None:
    page = results_page.markdown(overview)
    row = next(line for line in page.splitlines() if line.startswith("| CFQ |"))
    states = Counter(line.split(" | ")[2] for line in paper_rows(page, "Measuring Compositional"))
    assert [int(number) for number in row.split("|")[2:-1]] == [states[state] for state in results_page.STATES]


def paper_rows(page: str, title: str) -> list[str]:
    """The lines of a paper's table, without its head."""
    section = page.partition(f"## [{title}")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| ") and not line.startswith(("|  |", "| ---"))]


# -- a small root ------------------------------------------------------------------------------------------------------


def test_numbers_are_means_over_cells_that_are_done(small: Path) -> None:
    line = results_page.Overview(small).lines["p"][0]
    # (50 + 25) / 2; one cell; the cell of the other model failed; 3.14159 is kept.
    assert line.ours == "37.5, 100.0, –, 3.1"
    assert line.state == "part"


def test_what_is_left_of_a_study_is_said_with_its_seconds(small: Path) -> None:
    lines = results_page.Overview(small).lines["p"]
    # Four of six cells are done; 2 times 52 s are 104, which is 100 with two digits.
    command = "`recombine study run studies/tried.toml`"
    assert lines[0].notes == ["a | b", f"not run: 2 of the 6 cells of tried, about 100 s on one H200, {command}"]
    assert lines[2].notes == []


def test_a_result_without_what_it_needs_is_not_run(small: Path) -> None:
    line = results_page.Overview(small).lines["p"][1]
    assert (line.state, line.ours) == ("not run", "")
    assert line.notes == ["no cell of unborn is stored: `recombine study run studies/unborn.toml`"]
    stored = small / "studies" / "results" / "unborn"
    stored.mkdir()
    cell(stored, "a", "net", "odd", "done", {"exact_match": 0.5})
    later = results_page.Overview(small).lines["p"][1]
    assert (later.state, later.ours, later.notes) == ("reproduced", "12", [])


def test_links_name_headings_where_a_page_is_linked_twice(small: Path) -> None:
    line = results_page.Overview(small).lines["p"][0]
    assert line.links == [
        ("The table: it is", "docs/told.md", "the-table-it-is"),
        ("told", "docs/told.md", ""),
        ("tried", "studies/tried.toml", ""),
    ]


def test_text_is_escaped_in_both(small: Path) -> None:
    overview = results_page.Overview(small)
    page = results_page.page(overview).decode()
    assert "what <code>x</code> is &lt;i&gt;" in page
    assert "A paper &lt;b&gt;" in page
    assert "| a \\| b; not run" in results_page.markdown(overview)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('state = "part"', 'state = "done"', "state 'done' is none of reproduced, part"),
        ("told.md#the-table-it-is", "told.md#the-table", "docs/told.md has no heading for #the-table"),
        ('"told.md", ', '"gone.md", ', "docs/gone.md is named in docs/results.toml and is not there"),
        ("{accuracy tried net odd}", "{exact_match tried net odd}", "the cell c .c. has no exact_match in its score"),
        ("k.json a > b", "k.json a > c", "k.json has no 'a > c': there is no 'c'"),
        ('published = "7"', 'publshed = "7"', "Table 1: .*publshed"),
        ("{accuracy tried net", "{accuracy tired net", "the study tired is used and has no"),
        ("seconds_each = 52", "", "tried has 2 cells left and no seconds_each"),
        ('paper = "p"\nlabel = "Table 3"', 'paper = "q"\nlabel = "Table 3"', "Table 3: no .*'q'"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(small: Path, old: str, new: str, said: str) -> None:
    path = small / "docs" / "results.toml"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.raises(results_page.ResultsError, match=said):
        results_page.made(results_page.Overview(small))


def test_check_writes_nothing_and_ends_with_1_where_a_file_differs(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert results_page.main(["--check"], small) == 1
    assert not (small / "docs" / "results.md").exists()
    assert results_page.main([], small) == 0
    assert results_page.main(["--check"], small) == 0
    (small / "studies" / "results" / "index.html").write_text("old")
    capsys.readouterr()
    assert results_page.main(["--check"], small) == 1
    assert capsys.readouterr().out == (
        "studies/results/index.html is not what `python benchmarks/results_page.py` writes\n"
    )


def test_a_bad_file_is_one_line_and_2(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "docs" / "told.md").unlink()
    assert results_page.main([], small) == 2
    assert capsys.readouterr().err == "error: docs/told.md is named in docs/results.toml and is not there\n"
