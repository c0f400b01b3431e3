"""Arrow files and streams, and folders that the library `datasets` saves; what is cut or missing is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.feather as feather
import pytest

import recombine
from recombine.datasets.files.tables import read_table
from recombine.errors import InputFileError, RecombineError, RecordError

TABLE = pa.table({"source": ["a", "b", "c"], "target": ["x", "y", "z"]})


def stream(path: Path, table: pa.Table = TABLE) -> Path:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    return path


def test_dictionaries_and_large_texts(tmp_path: Path) -> None:
    table = pa.table(
        {
            "source": pa.array(["a", "b", "a"]).dictionary_encode(),
            "target": pa.array(["x", "y", "x"], pa.large_string()),
        }
    )
    feather.write_feather(table, str(tmp_path / "a.feather"))
    assert read_table(tmp_path / "a.feather").hash == read_table(stream(tmp_path / "a.arrow", table)).hash
    assert read_table(tmp_path / "a.arrow").hash == recombine.load([("a", "x"), ("b", "y"), ("a", "x")]).hash


def test_what_is_cut_off_is_refused(tmp_path: Path) -> None:
    """Also between two batches, where a stream that is cut would be read as one that has ended."""
    whole = stream(tmp_path / "a.arrow").read_bytes()
    cut = tmp_path / "cut.arrow"
    refused = 0
    for size in range(0, len(whole), 4):
        cut.write_bytes(whole[:size])
        with pytest.raises(InputFileError) as caught:
            read_table(cut)
        assert str(cut) in str(caught.value)
        assert "\n" not in str(caught.value)
        refused += "the stream is cut off before its end" in str(caught.value)
    assert refused > 10
    feather.write_feather(TABLE, str(tmp_path / "a.feather"))
    packed = (tmp_path / "a.feather").read_bytes()
    for size in (8, 100, len(packed) - 1):
        (tmp_path / "cut.feather").write_bytes(packed[:size])
        with pytest.raises(InputFileError, match="not a whole Arrow file"):
            read_table(tmp_path / "cut.feather")


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.arrow").write_bytes(b"")
    with pytest.raises(InputFileError, match=r"a.arrow: is empty; give a file with at least one record"):
        read_table(tmp_path / "a.arrow")
    (tmp_path / "a.feather").write_bytes(b"FEA1 and more")
    with pytest.raises(InputFileError, match="is of the first version of Feather; write it again"):
        read_table(tmp_path / "a.feather")
    with pytest.raises(InputFileError, match=r"b.arrow: has no records"):
        read_table(stream(tmp_path / "b.arrow", TABLE.slice(0, 0)))
    stream(tmp_path / "n.arrow", pa.table({"source": ["a"], "target": [7]}))
    with pytest.raises(RecordError, match=r"n.arrow, row 1: the field 'target' is not text but a number"):
        read_table(tmp_path / "n.arrow")


def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = pa.table({"source": ["a" * 1000] * 1000, "target": pa.array(["b" * 1000] * 1000).dictionary_encode()})
    feather.write_feather(many, str(tmp_path / "a.feather"), compression="zstd")
    assert (tmp_path / "a.feather").stat().st_size < 100_000
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "3M")
    assert len(read_table(tmp_path / "a.feather")) == 1000
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "1500k")  # a text that is repeated counts every time
    with pytest.raises(InputFileError, match=r"a.feather: unpacks to more than 1,500 KiB; raise the limit"):
        read_table(tmp_path / "a.feather")


# -- folders of `save_to_disk`, as its documentation and files of it have them


def save(folder: Path, *tables: pa.Table, **state: Any) -> Path:
    folder.mkdir(parents=True)
    names = [f"data-{number:05}-of-{len(tables):05}.arrow" for number in range(len(tables))]
    for name, table in zip(names, tables, strict=True):
        stream(folder / name, table)
    (folder / "state.json").write_bytes(orjson.dumps({"_data_files": [{"filename": name} for name in names], **state}))
    (folder / "dataset_info.json").write_text("{}")
    return folder


def test_a_saved_folder(tmp_path: Path) -> None:
    folder = save(tmp_path / "mine", TABLE.slice(0, 2), TABLE.slice(2))
    data = recombine.load(folder)
    assert (data.name, data.hash, data.path) == ("mine", recombine.load(TABLE).hash, "mine")


def test_saved_parts(tmp_path: Path) -> None:
    save(tmp_path / "all" / "train", TABLE.append_column("part", pa.array(["verb", "train", None])))
    save(tmp_path / "all" / "test", TABLE)
    (tmp_path / "all" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    data = recombine.load(tmp_path / "all")
    assert [example.tags["part"] for example in data] == ["train"] * 3 + ["test"] * 3
    assert [example.tags.get("own_part", "-") for example in data] == ["verb", "-", None, "-", "-", "-"]
    assert recombine.check(data, "published").problems == []


def test_ids_that_parts_share_are_refused_with_both_places(tmp_path: Path) -> None:
    numbered = TABLE.append_column("id", pa.array([0, 1, 2]))
    for part in ("train", "test"):
        save(tmp_path / "all" / part, numbered)
    (tmp_path / "all" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    with pytest.raises(RecordError) as caught:
        recombine.load(tmp_path / "all")
    assert "3 of 6 records cannot be read (3 id): row 1: the id '0' stands already in row 1" in str(caught.value)


def _no_shard(folder: Path) -> None:
    (folder / "data-00001-of-00002.arrow").unlink()


def _no_state(folder: Path) -> None:
    for name in ("state.json", "data-00001-of-00002.arrow", "data-00000-of-00002.arrow"):
        (folder / name).unlink()


def _write(name: str, text: str) -> Any:
    return lambda folder: (folder / name).write_text(text)


BROKEN: dict[str, tuple[Any, str]] = {
    "a missing shard": (_no_shard, "mine: the file data-00001-of-00002.arrow is missing, one of 2; copy or save the"),
    "no data set": (
        _no_state,
        "mine: is a directory without .parquet files and none that save_to_disk wrote, so no data set",
    ),
    "a broken state": (_write("state.json", "{"), "state.json: broken JSON (line 1, column 2"),
    "no files": (_write("state.json", "{}"), "state.json: names no files; save the data set again"),
    "a file elsewhere": (
        _write("state.json", '{"_data_files": [{"filename": "../x.arrow"}]}'),
        "state.json: names a file that is not of its folder",
    ),
    "a choice of rows": (
        _write("state.json", '{"_data_files": [], "_indices_data_files": [{"filename": "i.arrow"}]}'),
        "mine: is a choice of rows of its files; call flatten_indices() before save_to_disk(), and save it",
    ),
    "a part that is missing": (
        _write("dataset_dict.json", '{"splits": ["train"]}'),
        "mine/train: has no state.json, as a saved data set has; copy or save it again",
    ),
    "a part elsewhere": (_write("dataset_dict.json", '{"splits": [".."]}'), "dataset_dict.json: names no splits"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_folders_are_refused(case: str, tmp_path: Path) -> None:
    change, message = BROKEN[case]
    folder = save(tmp_path / "mine", TABLE, TABLE)
    change(folder)
    with pytest.raises(RecombineError) as caught:
        recombine.load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
