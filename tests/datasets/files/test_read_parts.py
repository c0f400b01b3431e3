from __future__ import annotations

from pathlib import Path

import pytest

from recombine.datasets.files.read_parts import parts_by_tag, read_parts
from recombine.datasets.files.rows import dataset_of_rows
from recombine.errors import RecordError


def test_columns_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("source\ttarget\tkind\n")
    (tmp_path / "two.tsv").write_text("a\tb\tc\na\tb\td\n")
    files = {"train": tmp_path / "one.tsv", "dev": tmp_path / "two.tsv"}
    data = dataset_of_rows(read_parts(files, columns=("source", "target", "kind")), name="x")
    assert [(e.source, e.tags["kind"], e.tags["part"], e.tags["line"]) for e in data] == [
        ("source", "kind", "train", 1),  # with columns named, a first line is never taken for a header
        ("a", "c", "dev", 1),
        ("a", "d", "dev", 2),
    ]
    assert {part: len(ids) for part, ids in parts_by_tag(data).items()} == {"train": 1, "dev": 2}


def test_faults_name_their_file(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("a\tb\n")
    (tmp_path / "two.tsv").write_text("a\tb\na\n")
    with pytest.raises(RecordError, match=r"two\.tsv, line 2: 1 fields where 2 are expected"):
        read_parts({"train": tmp_path / "one.tsv", "dev": tmp_path / "two.tsv"}, columns=("source", "target"))
