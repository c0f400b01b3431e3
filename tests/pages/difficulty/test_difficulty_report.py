"""The page on difficulty: its numbers, its data for the script, data as text, and nothing from outside."""

from __future__ import annotations

import gzip
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from recombine.easiness.predict_difficulty import Difficulty, predict_difficulty
from recombine.errors import OptionError
from recombine.evaluation.difficulty.correctness import Correctness
from recombine.languages.functional import FUNCTIONAL
from recombine.pages.difficulty.build_difficulty_report import build_difficulty_report
from recombine.pages.difficulty.difficulty_browser import difficulty_browser
from recombine.pages.difficulty.difficulty_data import build_difficulty_data
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.workbench import load, load_split

MARKUP = "<script>alert(1)</script>"
NAME = '"><img src=x onerror=alert(2)>'
TRAIN = [
    "exists ( find ( dog ) )",
    "exists ( find ( cat ) )",
    "count ( find ( dog ) )",
    "count ( scene ( ) )",
    "both ( dog , cat )",
    "both ( cat , dog )",
]
# Easy; count in place of exists; neighbours that were never seen together; a symbol that was never seen.
TEST = ["count ( find ( cat ) )", "exists ( scene ( ) )", "both ( dog , dog )", "exists ( find ( <b>mouse</b> ) )"]


def examples(texts: list[str], start: str) -> tuple[Example, ...]:
    return tuple(
        Example(f"{start}{place}", f"{MARKUP} {text}" if place == 3 else text, text) for place, text in enumerate(texts)
    )


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset("tiny", (*examples(TRAIN, "a"), *examples(TEST, "e")), language=FUNCTIONAL)


def difficulty(tested: list[int], **options: Any) -> Difficulty:
    test = examples(TEST, "e")
    return predict_difficulty(
        examples(TRAIN, "a"), [test[row] for row in tested], language=FUNCTIONAL, data="tiny", **options
    )


def correct(of: Difficulty, *rows: list[bool]) -> Correctness:
    return Correctness(tuple(example.id for example in of.test), tuple("xyz"[: len(rows[0])]), np.array(rows))


class Page(HTMLParser):
    """The tags and attributes of a page, and its texts and scripts."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        (self.scripts if self.tags and self.tags[-1] == "script" else self.texts).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def test_what_the_script_reads(dataset: Dataset) -> None:
    whole = difficulty([0, 1, 2, 3])
    data = build_difficulty_data(dataset, {"one": whole}, {"one": correct(whole, [True], [True], [False], [False])})
    browser = difficulty_browser(data)
    rows = {browser["programs"][row[0]][0]: row for row in browser["rows"]}
    assert [row[2] for row in browser["rows"]] == sorted(row[2] for row in browser["rows"])
    assert {key: (row[3], row[5]) for key, row in rows.items()} == {
        "e0": (1, 0),
        "e1": (1, 1),
        "e2": (0, 1),
        "e3": (0, 1),
    }
    assert rows["e0"][7:] == [-1, []]

    structure, nearest, mine, other, shown, shown_in = browser["reasons"][rows["e1"][7]]
    assert (browser["structures"][structure][0], browser["structures"][nearest][0]) == (
        "exists > scene()",
        "count > scene()",
    )
    assert (mine, other, shown) == ("exists", "count", 1)
    assert rows["e1"][8] == [(1, 2)]  # after the root
    assert [(browser["programs"][program][0], places) for program, places in shown_in] == [("a3", [(1, 2)])]

    structure = browser["reasons"][rows["e2"][7]][0]
    name, graph, across = browser["structures"][structure]
    assert (name, graph[1], across) == ("dog ~ dog", [], [0, 1])
    assert rows["e2"][8] == [(2, 3)]

    assert [browser["rules"][symbol] for symbol in rows["e3"][6]] == ["<b>mouse</b>"]
    assert browser["reasons"][rows["e3"][7]][1] == -1
    symbols, edges, centres, layers, width = browser["programs"][rows["e2"][0]][4]
    assert [browser["rules"][symbol] for symbol in symbols] == ["<s>", "both", "dog", "dog"]
    assert (edges, layers) == ([0, 1, 1, 1, 2, 1, 1, 3, 2], (0, 1, 2, 2))
    assert max(centres) < width


def test_the_least_easy_of_every_split_are_kept(dataset: Dataset) -> None:
    splits = {"one": difficulty([0, 1, 3]), "two": difficulty([1, 0])}
    data = build_difficulty_data(dataset, splits, examples=3)
    # In turn: the least easy of one and of two, then the next of one; by split.
    assert data.rows == ((0, 2), (0, 1), (1, 0))
    page = Page(build_difficulty_report(dataset, splits, examples=3))
    assert (
        "This page keeps 3 test examples, the least easy of every split; 2 others, as easy or easier, are left out."
        in page.text
    )
    assert "left out" not in Page(build_difficulty_report(dataset, splits)).text


def test_reasons_are_counted(dataset: Dataset) -> None:
    splits = {"one": difficulty([0, 1, 3]), "two": difficulty([1, 2])}
    answers = {"one": correct(splits["one"], [True], [True], [False]), "two": correct(splits["two"], [False], [True])}
    data = build_difficulty_data(dataset, splits, answers)
    first = data.reasons[0]
    assert (first.structure, first.similar, first.count) == ("exists > scene()", "count > scene()", 2)
    assert (first.right, first.wrong) == (1, 1)
    assert first.score == pytest.approx(float(splits["one"].easiness.scores[1]))
    assert [reason.count for reason in data.reasons] == [2, 1, 1]


def test_one_split_without_correctness(dataset: Dataset) -> None:
    whole = difficulty([0, 1, 2, 3])
    page = Page(build_difficulty_report(dataset, {NAME: whole}))
    assert f"tiny: which test examples of {NAME} are hard, and why" in page.text
    assert f"{whole.mean_easiness:.3f} mean easiness of 4 test examples" in page.text
    assert "3 hold a structure that train never shows 75% of the test examples" in page.text
    assert "1 hold a symbol that train never shows" in page.text
    assert str(whole.signature) in page.text
    assert "is not known here" in page.text
    assert not {"roc-title", "scatter-title", "splits"} & {value for name, value in page.attributes if name == "id"}


def test_one_split_with_correctness(dataset: Dataset) -> None:
    whole = difficulty([0, 1, 2, 3])
    answers = {"one": correct(whole, [True, True], [True, True], [True, False], [False, False])}
    page = Page(build_difficulty_report(dataset, {"one": whole}, answers))
    ids = {value for name, value in page.attributes if name == "id"}
    assert "roc-title" in ids
    assert "scatter-title" not in ids
    assert "1.000 AUC 2 right, 1 wrong, 1 dropped (ties)" in page.text
    assert "within splits" not in page.text
    assert "With one split there is no picture of splits" in page.text
    each = Page(build_difficulty_report(dataset, {"one": whole}, answers, gold="each model"))
    assert "AUC for x 3 right, 1 wrong" in each.text
    assert "it is right or wrong only if all models are" in each.text
    assert "models differ" in each.text
    right = {"one": correct(whole, *([True] for _ in whole.test))}
    assert (
        "There are no right or no wrong examples" in Page(build_difficulty_report(dataset, {"one": whole}, right)).text
    )


def test_several_splits_with_correctness(dataset: Dataset) -> None:
    splits = {"a": difficulty([3, 1]), "b": difficulty([1, 2]), "c": difficulty([0])}
    answers = {
        "a": correct(splits["a"], [False], [True]),
        "b": correct(splits["b"], [True], [True]),
        "c": correct(splits["c"], [True]),
    }
    page = Page(build_difficulty_report(dataset, splits, answers))
    ids = {value for name, value in page.attributes if name == "id"}
    assert {"roc-title", "scatter-title", "splits"} <= ids
    assert "Pearson’s correlation is 0." in page.text
    assert "1 of 3 splits have both right and wrong examples" in page.text
    assert "Signatures of 3 splits" in page.text
    two = {name: splits[name] for name in "ab"}
    assert "Two splits have no correlation" in Page(build_difficulty_report(dataset, two, answers)).text
    unknown = Page(build_difficulty_report(dataset, splits))
    assert "scatter-title" not in {value for name, value in unknown.attributes if name == "id"}


def test_data_shows_as_text_and_nothing_comes_from_outside(dataset: Dataset) -> None:
    splits = {NAME: difficulty([0, 1, 2, 3]), "b": difficulty([1])}
    content = build_difficulty_report(dataset, splits)
    page = Page(content)
    assert page.tags.count("script") == 2
    assert not {"img", "b"} & set(page.tags)
    assert "<b>mouse</b>" in page.text
    data = orjson.loads(page.scripts[0])
    assert data["splits"][0]["name"] == NAME
    assert any(row[1].startswith(MARKUP) for row in data["programs"])
    assert not set("<>&") & set(page.scripts[0])
    links = [value for name, value in page.attributes if name in ("href", "src", "xlink:href")]
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert not [name for name, _ in page.attributes if name == "style" or name.startswith("on")]
    policy = next(value for name, value in page.attributes if name == "content" and "src" in value)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    named = {word for name, value in page.attributes if name in ("aria-labelledby", "for") for word in value.split()}
    assert named <= set(ids)
    assert content == build_difficulty_report(dataset, splits)


@pytest.mark.parametrize("structures", ["local:4", "local:2,no-parents", "connected:3", "ngram:2"])
def test_other_structures(structures: str, dataset: Dataset) -> None:
    whole = difficulty([0, 1, 2, 3], structures=structures)
    browser = difficulty_browser(build_difficulty_data(dataset, {"one": whole}))
    assert all(bool(row[8]) == (row[7] >= 0) for row in browser["rows"])
    assert any(row[8] for row in browser["rows"])


def test_what_does_not_belong_together(dataset: Dataset) -> None:
    one, two = difficulty([0, 1]), difficulty([0, 1], structures="local:3")
    with pytest.raises(OptionError, match="different structures: local:2, local:3"):
        build_difficulty_report(dataset, {"one": one, "two": two})
    with pytest.raises(OptionError, match="no split to report on"):
        build_difficulty_report(dataset, {})
    with pytest.raises(OptionError, match="the number of examples is 0"):
        build_difficulty_report(dataset, {"one": one}, examples=0)
    with pytest.raises(OptionError, match="not of its test examples"):
        build_difficulty_report(dataset, {"one": one}, {"one": correct(difficulty([1, 0]), [True], [True])})


@pytest.mark.shared_data
def test_published_predictions(data_dir: Path) -> None:
    data = load("covr/text")
    places = {example.target: example.id for example in data}
    packed = (data_dir / "covr_text" / "predictions.jsonl.gz").read_bytes()
    rows = [orjson.loads(line) for line in gzip.decompress(packed).splitlines()]
    models = tuple(rows[0]["pred"])
    splits, answers, wrong = {}, {}, 0
    for number in (0, 15, 100):
        name = f"grammar/{number}"
        known = {
            places[row["target"]]: [row["pred"][model]["correct"] for model in models]
            for row in rows
            if row["split"] == number
        }
        split = load_split(data, name)
        # The test part of a sample may hold pairs that were not predicted.
        tested = [example for example in (data[key] for key in split.test) if example.id in known]
        train = [data[key] for key in split.train]
        splits[name] = predict_difficulty(train, tested, language=data.language, data=data.name)
        answers[name] = Correctness(tuple(e.id for e in tested), models, np.array([known[e.id] for e in tested]))
        wrong += int(np.count_nonzero(answers[name].gold() == 0))
    assert wrong > 20
    text = Page(build_difficulty_report(data, splits, answers)).text
    assert f"{wrong:,} wrong" in text
