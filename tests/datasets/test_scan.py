from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.datasets import scan as scan_entry
from recombine.datasets.catalogue import is_verified, line_order
from recombine.errors import MissingDataError, RecordError, UnknownNameError
from recombine.files import read_text
from recombine.records.dataset import Dataset


def test_count_first_middle_last(scan: Dataset) -> None:
    assert len(scan) == 20910
    assert scan[0].source == "walk opposite left twice and walk opposite left twice"
    assert scan[10455].source == "walk opposite left twice after jump around right thrice"
    assert (scan[20909].source, scan[20909].target) == ("jump", "I_JUMP")
    assert scan.hash == scan_entry.HASH
    assert is_verified(scan)


@pytest.mark.shared_data
def test_the_pairs_are_those_of_the_published_file(scan: Dataset, data_dir: Path) -> None:
    lines = read_text(data_dir / "scan" / "tasks.txt.gz").splitlines()
    published = {tuple(line.removeprefix("IN: ").split(" OUT: ")) for line in lines}
    assert len(lines) == len(published) == 20910
    assert {(e.source, e.target) for e in scan} == published
    assert all(e.derivation is not None for e in scan)


@pytest.mark.shared_data
def test_line_numbers_are_those_of_the_published_file(scan: Dataset, data_dir: Path) -> None:
    first = read_text(data_dir / "scan" / "tasks.txt.gz").splitlines()[0]
    example = scan[line_order(scan)[0]]
    assert f"IN: {example.source} OUT: {example.target}" == first


@pytest.mark.shared_data
def test_a_split_reads_back_from_the_release_form(scan: Dataset, data_dir: Path, tmp_path: Path) -> None:
    split = recombine.load_split(scan, "scan/mcd1")
    assert split.sizes() == {"train": 8365, "dev": 1046, "test": 1045}
    split.write(tmp_path / "mcd1.json", form="cfq", order=line_order(scan))
    original = (data_dir / "scan" / "splits" / "mcd1.json").read_text()
    assert recombine.load_split(scan, tmp_path / "mcd1.json").parts == split.parts
    assert "".join(original.split()) == "".join((tmp_path / "mcd1.json").read_text().split())


@pytest.mark.shared_data
def test_unknown_splits_are_named(scan: Dataset, data_dir: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'length'"):
        recombine.load_split(scan, "scan/lenght")


def test_missing_files_are_named(scan: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match="RECOMBINE_DATA"):
        recombine.load_split(scan, "mcd1")
    with pytest.raises(MissingDataError, match=r"scan/tasks\.txt\.gz"):
        line_order(scan)


def test_another_file_in_its_place_is_refused(scan: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "scan").mkdir()
    with gzip.open(tmp_path / "scan" / "tasks.txt.gz", "wt") as stream:
        stream.write("IN: jump OUT: I_JUMP\nIN: hop OUT: I_HOP\n")
    with pytest.raises(RecordError, match="line 2: not a pair of SCAN"):
        line_order(scan)
