"""Splits beside results: by rows, equal to what was made, small; those with ids are read too."""

from __future__ import annotations

import gzip
from pathlib import Path

import orjson
import pytest

from recombine.errors import SplitError
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.studies.cells.kept_split import FORM, KeptSplit, read_kept, write_kept
from recombine.workbench import split as make


def put(path: Path, record: object) -> None:
    path.write_bytes(gzip.compress(orjson.dumps(record)))


def record_of(path: Path) -> dict[str, object]:
    return dict(orjson.loads(gzip.decompress(path.read_bytes())))


def test_what_is_kept_is_what_was_made(scan: Dataset, tmp_path: Path) -> None:
    made = make(scan, by="random", train=8000, dev=1000, test=1000, seed=3)
    by_rows, by_ids = tmp_path / "rows.json.gz", tmp_path / "ids.json.gz"
    write_kept(made, by_rows, scan)
    made.write(by_ids)
    for path in (by_rows, by_ids):
        read = read_kept(path, scan)
        assert read == made
        assert (read.reading, read.measured) == (made.reading, made.measured)
        known = KeptSplit(path)
        assert (known.sizes, known.measured) == (made.sizes(), made.measured), "without the data"
    assert record_of(by_rows)["form"] == FORM
    assert by_rows.stat().st_size * 5 < by_ids.stat().st_size


def test_order_and_repeats_stay(scan: Dataset, tmp_path: Path) -> None:
    ids = scan.ids
    parts = {"train": (ids[9], ids[2], ids[9], ids[9]), "test": (ids[-1], ids[0]), "dev": ()}
    made = Split(parts, scan.name, scan.hash, Signature.of(data=scan, by="mine"))
    write_kept(made, tmp_path / "a.json.gz", scan)
    assert dict(read_kept(tmp_path / "a.json.gz", scan).parts) == parts


@pytest.mark.parametrize("rows", [{"train": [-1]}, {"train": [20909, 1]}])
def test_rows_that_the_data_has_not(rows: dict[str, list[int]], scan: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    put(path, {"form": FORM, "rows": rows})
    with pytest.raises(SplitError, match=r"a.json.gz: train has rows that scan has not; remove it, to make it again"):
        read_kept(path, scan)


@pytest.mark.parametrize("rows", [None, [1], {"train": 5}, {"train": ["x"]}])
def test_rows_that_are_none(rows: object, scan: Dataset, tmp_path: Path) -> None:
    put(tmp_path / "a.json.gz", {"form": FORM, "rows": rows})
    with pytest.raises(SplitError, match=r"a.json.gz: not a split by rows"):
        read_kept(tmp_path / "a.json.gz", scan)


def test_a_broken_file(scan: Dataset, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{"form": ')
    with pytest.raises(SplitError, match=r"a.json: broken JSON"):
        read_kept(tmp_path / "a.json", scan)
    put(tmp_path / "b.json.gz", [1])
    with pytest.raises(SplitError, match=r"b.json.gz: not a split file"):
        read_kept(tmp_path / "b.json.gz", scan)
