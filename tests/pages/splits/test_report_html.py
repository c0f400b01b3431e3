"""The page: data shows as text, nothing comes from outside, the same input gives the same bytes."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import OptionError, SplitError
from recombine.pages.splits.build_report import build_report
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.structures.dataset_features import DatasetFeatures

NAME = '"><img src=x onerror=alert(2)>'


class Page(HTMLParser):
    """The tags, ids and attributes of a page, and its texts by tag."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.open = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open = tag
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open == "script" else self.texts).append(data)

    def handle_endtag(self, tag: str) -> None:
        del tag
        self.open = ""


@pytest.fixture(scope="module")
def unsafe_page(unsafe: Dataset, unsafe_split: Split) -> Page:
    return Page(build_report(unsafe, {NAME: unsafe_split}, recombine.features(unsafe)))


def test_data_shows_as_text(unsafe_page: Page, unsafe: Dataset) -> None:
    assert unsafe_page.tags.count("script") == 2
    assert not {"img", "b", "i"} & set(unsafe_page.tags)
    texts = "\n".join(unsafe_page.texts)
    assert NAME in texts
    assert unsafe[0].source in texts
    assert "<i>U</i>" in texts


def test_data_for_the_script_is_whole(unsafe_page: Page, unsafe: Dataset) -> None:
    data = orjson.loads(unsafe_page.scripts[0])
    assert sorted(row[1] for row in data["examples"]) == sorted(example.source for example in unsafe)
    assert data["splits"][0]["name"] == NAME
    assert not re.search(r"[<>&]", unsafe_page.scripts[0])


def test_nothing_comes_from_outside(unsafe_page: Page) -> None:
    policy = next(value for name, value in unsafe_page.attributes if name == "content" and "src" in value)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    links = [value for name, value in unsafe_page.attributes if name in ("href", "src", "xlink:href")]
    assert links
    assert all(link.startswith("#") or link == "data:," for link in links)
    # The policy forbids styles and handlers in attributes, so there are none.
    assert not [name for name, _ in unsafe_page.attributes if name == "style" or name.startswith("on")]


def test_ids_are_unique_and_named_things_exist(unsafe_page: Page) -> None:
    ids = [value for name, value in unsafe_page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    wanted = {"aria-labelledby", "for"}
    named = {word for name, value in unsafe_page.attributes if name in wanted for word in value.split()}
    assert named <= set(ids)


def test_data_without_derivations() -> None:
    dataset = recombine.load([("walk", "I_WALK"), ("jump", "I_JUMP"), ("run", "I_RUN")])
    split = recombine.split(dataset, by="random", test=1)
    page = build_report(dataset, {"random": split}, None).decode()
    assert "has no derivations" in page
    assert "Patterns covered" in page


def test_bad_options(tiny: Dataset, tiny_split: Split) -> None:
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"seed": -1}, OptionError, "the seed is -1"),
        ({"examples": -1}, OptionError, "the number of examples is -1"),
        ({"against": "train"}, OptionError, "cannot be compared with itself"),
        ({"against": "gen"}, SplitError, "has no part 'gen'"),
    ]
    for options, kind, message in cases:
        with pytest.raises(kind, match=message):
            build_report(tiny, {"one": tiny_split}, None, **options)
    with pytest.raises(OptionError, match="no split"):
        build_report(tiny, {}, None)


def test_scan(scan: Dataset, scan_features: DatasetFeatures) -> None:
    sizes: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045, "structures": scan_features}
    splits = {
        "random": recombine.split(scan, by="random", **sizes),
        "length": recombine.split(scan, by="length:target", max_length=22, **sizes),
    }
    page = build_report(scan, splits, scan_features)
    assert len(page) <= 3_000_000
    assert page == build_report(scan, splits, scan_features)
    assert page != build_report(scan, splits, scan_features, seed=1)
    text = page.decode()
    for name, split in splits.items():
        assert split.measured["signature"] in text
        assert f">{name}</th>" in text
        assert f"{split.measured['compound_divergence']:.3f}" in text
    # Output length 22 cannot hold "around" three times.
    assert "Train never shows <code>thrice(1:around(1:act))</code>" in text
