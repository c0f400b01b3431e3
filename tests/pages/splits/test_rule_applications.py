"""Rule applications of all kinds on the page: coloured by kind, a held-out compound marked, subqueries counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.pages.drawing.graph import Graph
from recombine.pages.splits.example_browser import browser_data
from recombine.pages.splits.marked_compounds import find_occurrence
from recombine.records.derivation import Derivation
from recombine.records.signature import Signature

HARM = "knowledge:<img src=x onerror=alert(1)>"
SUBQUERIES = """
[[table]]
title = "<b>Parts</b> of questions"
[[table.row]]
label = "<script>alert(2)</script>"
source = "direct"
count = "occurrences"
[[table.row]]
label = "ask with knowledge"
rules = { rule = "JOIN", slots = { 2 = { rule = "resolution:ASK" } } }
"""


def graph(verb: str, fact: str) -> Derivation:
    return Derivation.from_rows(
        [
            ["JOIN"],
            ["inference:BIND", 0, 3],
            ["S", 0, 1],
            [verb, 2, 1, 1, 2],
            ["resolution:ASK", 0, 2],
            [fact, 4, 1, 1, 1],
        ]
    )


EXAMPLES = [
    recombine.Example("1", "direct it", "A", graph("V=direct", "knowledge:K(a, b)")),
    recombine.Example("2", "direct and direct", "B", graph("V=direct", "knowledge:K(a, b)")),
    recombine.Example("3", "</script><i>edit</i>", "C", graph("V=edit", HARM)),
    recombine.Example("4", "edit it", "D", graph("V=edit", "knowledge:K(a, b)")),
]


def made(tmp_path: Path) -> Any:
    data = recombine.load(EXAMPLES)
    file = tmp_path / "subqueries.toml"
    file.write_text(SUBQUERIES, encoding="utf-8")
    ids = {"train": ("1", "2", "4"), "test": ("3",)}
    split = recombine.Split(ids, data.name, data.hash, Signature.of(data=data, by="hand"))
    return recombine.report(
        {"mine": split}, data=data, structures="line:2-3,presence,rules=resolution+knowledge", subqueries=file
    )


def test_all_rule_applications_with_their_kinds(tmp_path: Path) -> None:
    found = browser_data(made(tmp_path).data)
    assert found["kinds"][:4] == ("grammar", "inference", "resolution", "knowledge")
    (third,) = [example for example in found["examples"] if example[0] == "3"]
    names = [found["rules"][rule] for rule in third[3][3][0]]
    assert names == ["JOIN", "BIND", "S", "V=edit", "ASK", "<img src=x onerror=alert(1)>"]
    assert third[3][3][5] == [0, 1, 0, 0, 2, 3]
    # What train lacks is `resolution:ASK(1:knowledge:<img…>)`, nodes 4 and 5 of the example.
    assert third[4] == [[f"resolution:ASK(1:{HARM})", [4, 5]]]
    (first,) = [example for example in found["examples"] if example[0] == "1"]
    assert first[4] == []


def test_subqueries_in_numbers(tmp_path: Path) -> None:
    (split,) = made(tmp_path).to_dict()["splits"]
    rows = split["subqueries"][0]["rows"]
    assert [(row["train"], row["test"]) for row in rows] == [(3, 0), (3, 1)]


def test_texts_are_escaped(tmp_path: Path) -> None:
    page = made(tmp_path).page.decode()
    assert "<script>alert(2)" not in page
    assert "<img src=x" not in page
    assert "&lt;b&gt;Parts" in page


def test_an_occurrence_has_all_its_edges_and_no_other() -> None:
    derivation = Derivation.from_rows([["a"], ["b", 0, 1], ["b", 0, 2], ["c", 2, 1]])
    assert find_occurrence(derivation, Graph(("b", "c"), ((0, 1, 1),))) == [2, 3]
    assert find_occurrence(derivation, Graph(("a", "b", "c"), ((0, 1, 2), (1, 2, 1)))) == [0, 2, 3]
    assert find_occurrence(derivation, Graph(("a", "b", "c"), ((0, 1, 1), (1, 2, 1)))) is None
    assert find_occurrence(derivation, Graph(("c", "b"), ((1, 0, 2),))) is None


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    report = made(folder)
    report.write(folder / "page.html")
    return (folder / "page.html").as_uri()


def test_in_a_browser(page: Any) -> None:
    page.click("#list button:has-text('edit</i>')")
    kinds = page.eval_on_selector_all(
        "#detail .drawing .node", "nodes => nodes.map(node => node.getAttribute('class'))"
    )
    assert kinds.count("node kind-knowledge") == 1
    assert kinds.count("node kind-resolution") == 1
    assert len(page.query_selector_all("#detail rect.area")) == 2  # the compound is marked at once
    assert page.input_value("#marked") == "0"
    page.select_option("#marked", "-1")
    assert not page.query_selector_all("#detail rect.area")
    # A drawing that is wider than its place opens with its root in sight.
    page.evaluate("[...document.querySelectorAll('#detail .drawing')].at(-1).style.width = '90px'")
    page.select_option("#marked", "0")
    page.select_option("#marked", "-1")
    page.wait_for_timeout(100)
    drawing = page.locator("#detail .drawing").last
    place, root = drawing.bounding_box(), drawing.locator("g.node:has-text('JOIN')").bounding_box()
    assert place["x"] < root["x"] + root["width"] / 2 < place["x"] + place["width"]
    assert page.inner_text("#subqueries caption") == "<b>Parts</b> of questions"
