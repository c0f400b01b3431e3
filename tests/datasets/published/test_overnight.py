from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import recombine
from recombine.datasets.published import overnight
from recombine.errors import MissingDataError, RecordError

# What only one domain speaks of.
OWN = {
    "basketball": r"en\.player|num_assists",
    "blocks": r"en\.block",
    "calendar": r"en\.meeting",
    "housing": r"en\.housing_unit",
    "publications": r"en\.article",
    "recipes": r"en\.recipe",
    "restaurants": r"en\.restaurant",
    "socialnetwork": r"\( string (student|employee|friend) \)",
}


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("overnight")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == 10942
    assert [data[n].id for n in (0, 5471, 10941)] == ["5165bda3f7ae5bc6", "ce6a3b9895e2b217", "1a33098a7c601b18"]
    assert [data[n].tags["domain"] for n in (0, 5471, 10941)] == ["basketball", "restaurants", "socialnetwork"]
    assert recombine.load_split(data, "overnight/published").sizes() == {"train": 8754, "dev": 2188}


@pytest.mark.shared_data
def test_domains_are_told_by_their_words(data: recombine.Dataset) -> None:
    assert len(Counter(example.tags["domain"] for example in data)) == 8
    for domain, words in OWN.items():
        found = Counter(e.tags["domain"] for e in data if re.search(words, e.target))
        assert set(found) == {domain}
    # The first and the last program of each block belong to its domain beyond doubt.
    end = 0
    for domain, size in overnight.BLOCKS:
        start, end = end, end + size
        assert all(re.search(OWN[domain], data[n].target) for n in (start, end - 1)), domain
    assert end == len(data)


def test_files_of_another_size_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"overnight/overnight_lf\.jsonl\.gz"):
        overnight.load()
    (tmp_path / "overnight").mkdir()
    (tmp_path / "overnight" / "overnight_lf.jsonl").write_text('{"source_de": "wer", "target": "x"}\n' * 3)
    with pytest.raises(RecordError, match="line 3: the last of 3 records where 10942 belong"):
        overnight.load()


def test_blocks_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    monkeypatch.setattr(overnight, "BLOCKS", (("blocks", 1), ("recipes", 2)))
    (tmp_path / "overnight").mkdir()
    row = '{"source_de": "wer", "target": "x", "orig_split": "train"}\n'
    (tmp_path / "overnight" / "overnight_lf.jsonl").write_text(row * 3)
    data = overnight.load()
    assert [e.tags["domain"] for e in data] == ["blocks", "recipes", "recipes"]
    assert overnight.splits()["published"](data) == {"train": tuple(e.id for e in data)}
