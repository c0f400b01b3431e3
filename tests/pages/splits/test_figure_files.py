"""Figures and tables as files."""

from __future__ import annotations

import csv
from xml.etree import ElementTree

import pytest

import recombine
from recombine.pages.splits.figure_files import figure_files
from recombine.pages.splits.report_data import build_data
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.structures.dataset_features import DatasetFeatures

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def files(tiny: Dataset, tiny_split: Split, tiny_features: DatasetFeatures) -> dict[str, bytes]:
    return figure_files(build_data(tiny, {"tiny/one": tiny_split}, tiny_features))


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(content.decode().splitlines()))


def test_names(files: dict[str, bytes]) -> None:
    tables = ["table.csv", "atoms.csv", "compounds.csv"]
    assert list(files) == [*tables, "atoms-tiny-one.svg", "compounds-tiny-one.svg", "held-out-tiny-one-01.svg"]


def test_tables(files: dict[str, bytes], tiny: Dataset, tiny_split: Split, tiny_features: DatasetFeatures) -> None:
    measured = recombine.measure(tiny, tiny_split, structures=tiny_features)
    table = dict(rows(files["table.csv"]))
    assert table["measure"] == "tiny/one"
    assert (table["train"], table["test"]) == ("3", "2")
    assert float(table["compound_divergence"]) == measured["compound_divergence"]
    assert table["signature"] == measured["signature"]
    head, *compounds = rows(files["compounds.csv"])
    assert head == [
        "split", "name", "train_count", "test_count", "train_frequency", "test_frequency", "contribution",
    ]  # fmt: skip
    assert compounds[-1] == ["tiny/one", "twice(1:jump)", "0", "1", "0.0", "0.5", "0.5"]
    assert sum(float(row[-1]) for row in compounds) == pytest.approx(measured["compound_divergence"])


def test_pictures_stand_alone(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(content)  # noqa: S314  # written just now
            assert root.tag == f"{SVG}svg"
            assert root.find(f"{SVG}title") is not None
            assert root.find(f"{SVG}rect").get("fill") == "#ffffff"  # type: ignore[union-attr]
            assert b"var(--" not in content
    texts = [node.text for node in ElementTree.fromstring(files["held-out-tiny-one-01.svg"]).iter(f"{SVG}text")]  # noqa: S314
    assert texts == ["1", "twice", "jump"]


def test_markup_in_data_is_text_in_pictures(unsafe: Dataset, unsafe_split: Split) -> None:
    files = figure_files(build_data(unsafe, {"one": unsafe_split}, recombine.features(unsafe)))
    root = ElementTree.fromstring(files["atoms-one.svg"])  # noqa: S314
    assert "</script><img src=x>" in [node.text for node in root.iter(f"{SVG}text")]


def test_many_structures_share_columns(scan: Dataset, scan_features: DatasetFeatures) -> None:
    split = recombine.split(scan, by="random", train=8365, test=1045, structures=scan_features)
    content = figure_files(build_data(scan, {"random": split}, scan_features))["compounds-random.svg"]
    assert len(content) < 100_000
    assert b"only in test: " in content
