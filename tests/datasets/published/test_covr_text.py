from __future__ import annotations

import json
from pathlib import Path

import pytest

import recombine
from recombine.datasets.published import covr_text
from recombine.errors import MissingDataError, SplitError, UnknownNameError


@pytest.fixture(scope="module")
def data(data_dir: Path) -> recombine.Dataset:
    return recombine.load("covr/text")


@pytest.mark.shared_data
def test_count_first_middle_last(data: recombine.Dataset) -> None:
    assert len(data) == len({e.target for e in data}) == 4991
    assert [data[n].id for n in (0, 2495, 4990)] == ["b8095a844b7085ba", "4d2a868c0278ab5b", "4eaa56c11bf53431"]
    assert data[4990].tags["seen_in"] == ["test:28"]


@pytest.mark.shared_data
def test_a_sample_of_each_grammar_split(data: recombine.Dataset, data_dir: Path) -> None:
    published = json.loads((data_dir / "covr_text" / "grammar_splits.json").read_text())
    assert {f"grammar/{number}" for number in published} == set(covr_text.splits())
    used = set()
    for name in covr_text.splits():
        split = recombine.load_split(data, name)
        assert 2 <= len(split.train) <= 109
        assert 24 <= len(split.test) <= 35
        assert not set(split.train) & set(split.test)
        used |= {*split.train, *split.test}
    assert len(used) == 4991


@pytest.mark.shared_data
def test_ids_of_splits(data: recombine.Dataset) -> None:
    split = recombine.load_split(data, "covr/text/grammar/3")
    assert split.sizes() == {"train": 106, "test": 33}
    assert split == recombine.load_split(data, "grammar/3")
    with pytest.raises(UnknownNameError, match=r"unknown split of covr/text 'grammar/2'"):
        recombine.load_split(data, "covr/text/grammar/2")


def test_a_small_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"covr_text/examples\.jsonl\.gz"):
        covr_text.load()
    (tmp_path / "covr_text").mkdir()
    rows = [["train:0", "test:10"], ["test:0"], ["train:1", "train:0"]]
    text = "".join(json.dumps({"source": f"q {n}", "target": "t", "seen_in": row}) + "\n" for n, row in enumerate(rows))
    (tmp_path / "covr_text" / "examples.jsonl").write_text(text)
    a, b, c = covr_text.load()
    assert covr_text.seen_in(covr_text.load(), "0") == {"train": (a.id, c.id), "test": (b.id,)}
    assert covr_text.seen_in(covr_text.load(), "1") == {"train": (c.id,), "test": ()}


def test_data_that_does_not_say_where_it_was_seen() -> None:
    with pytest.raises(SplitError, match="does not say where it was seen"):
        covr_text.seen_in(recombine.load([("q", "t")]), "0")
