"""One data set in every format, and as a table of every library, is the same data set."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import recombine
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import InputFileError, InputWarning, MissingDataError
from recombine.records.dataset import Dataset

PAIRS = [
    ("how many rivers", 'SELECT "a", count(*) FROM r'),
    ("who, is; it?\nsay", "x\ty\r\nz"),
    (' "quoted" ', '""'),
    ("Köln – 東京 😀", "f ( 'é' )"),
    ("how many rivers", 'SELECT "a", count(*) FROM r'),  # again: `…#2`
]
ROWS = [{"question": source, "sql": target, "n": number} for number, (source, target) in enumerate(PAIRS)]
WANTED = recombine.load(PAIRS).hash
NAMED: dict[str, Any] = {"source": "question", "target": "sql"}


@pytest.fixture(autouse=True)
def _warned() -> Iterator[None]:
    """What other libraries warn of is theirs; ours stays an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", InputWarning)
        yield


def written_by_others(folder: Path) -> dict[str, Path]:
    """The rows in files of every kind, none of which we wrote."""
    table = pa.Table.from_pylist(ROWS)
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    plain = {"x.jsonl": lines, "x.json": json.dumps(ROWS, indent=1), "array.jsonl": json.dumps(ROWS)}
    for name, text in plain.items():
        (folder / name).write_text(text)
    (folder / "x.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (folder / "bom.jsonl").write_bytes(b"\xef\xbb\xbf" + lines.encode())
    pq.write_table(table, folder / "x.parquet")
    feather.write_feather(table, str(folder / "x.feather"), compression="zstd")
    with pa.OSFile(str(folder / "stream.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    (folder / "x.arrow.gz").write_bytes(gzip.compress((folder / "stream.arrow").read_bytes()))
    parts = folder / "parts"
    parts.mkdir()
    for number in range(2):
        pq.write_table(table.slice(3 * number, 3), parts / f"{number}.parquet")
    return {path.name: path for path in sorted(folder.iterdir())}


def test_files_of_others_have_one_content(tmp_path: Path) -> None:
    files = written_by_others(tmp_path)
    assert len(files) == 10
    assert {name: read_table(path, **NAMED).hash for name, path in files.items()} == dict.fromkeys(files, WANTED)


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.parquet", "x.arrow", "x.feather", "x.csv.gz", "x.arrow.gz"])
def test_what_we_write_has_the_same_content(name: str, tmp_path: Path) -> None:
    data = recombine.load(ROWS, **NAMED)
    write_table(data, tmp_path / name)
    back = read_table(tmp_path / name)
    assert back.hash == WANTED
    assert [example.tags["n"] for example in back] == [0, 1, 2, 3, 4]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(pairs=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4), name=st.sampled_from(["x.csv", "x.arrow"]))
def test_any_text_reads_back(pairs: list[tuple[str, str]], name: str, tmp_path: Path) -> None:
    data = recombine.load(pairs)
    write_table(data, tmp_path / name)
    assert [(e.id, e.source, e.target) for e in read_table(tmp_path / name)] == [
        (e.id, e.source, e.target) for e in data
    ]


# -- other libraries


def test_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS)
    assert recombine.load(frame, **NAMED).hash == WANTED
    chosen = recombine.load(frame[frame["n"] % 2 == 1], **NAMED)  # rows keep the numbers that they had
    assert [example.tags["n"] for example in chosen] == [1, 3]
    frame.to_csv(tmp_path / "index.csv")
    read = read_table(tmp_path / "index.csv", **NAMED)
    assert (read.hash, read[1].tags) == (WANTED, {"column_1": "1", "n": "1", "line": 3})
    frame.to_csv(tmp_path / "excel.csv", sep=";", index=False, encoding="utf-8-sig")
    frame.to_csv(tmp_path / "all.csv", quoting=1)
    frame.to_parquet(tmp_path / "x.parquet")
    for name in ("excel.csv", "all.csv", "x.parquet"):
        assert read_table(tmp_path / name, **NAMED).hash == WANTED
    frame.to_csv(tmp_path / "x.tsv", sep="\t", index=False)
    with pytest.warns(InputWarning, match="some fields are in double quotes, which are read as quoting, as in CSV"):
        assert read_table(tmp_path / "x.tsv", **NAMED).hash == WANTED
    back = recombine.load(PAIRS).to_pandas()
    assert list(back.columns) == ["id", "source", "target"]
    assert recombine.load(back).hash == WANTED


@pytest.mark.slow
def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    assert recombine.load(frame, **NAMED).hash == WANTED
    nested = frame.select("question", polars.struct(call=polars.struct("sql")).alias("made"))
    assert recombine.load(nested, source="question", target="made.call.sql").hash == WANTED


@pytest.mark.slow
def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = pa.Table.from_pylist(ROWS)
    with duckdb.connect() as connection:
        connection.register("mine", frame)
        assert recombine.load(connection.sql("SELECT question, sql FROM mine ORDER BY n"), **NAMED).hash == WANTED


def test_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    made = datasets.Dataset.from_list(ROWS)
    assert recombine.load(made, **NAMED).hash == WANTED
    chosen = made.select([3, 1])  # a choice of rows of the same table
    assert [example.tags["n"] for example in recombine.load(chosen, **NAMED)] == [3, 1]
    made.save_to_disk(tmp_path / "one", num_shards=2)
    chosen.save_to_disk(tmp_path / "chosen")
    assert read_table(tmp_path / "one", **NAMED).hash == WANTED
    assert [example.tags["n"] for example in read_table(tmp_path / "chosen", **NAMED)] == [3, 1]
    parts = datasets.DatasetDict({"train": made.select([0, 1, 2]), "test": made.select([3, 4])})
    parts.save_to_disk(tmp_path / "parts")
    for each in (parts, str(tmp_path / "parts")):
        read = recombine.load(each, **NAMED)
        assert read.hash == WANTED
        assert [example.tags["part"] for example in read] == ["train"] * 3 + ["test"] * 2
        assert recombine.measure(read, "published")["train"] == 3
    back = recombine.load(PAIRS).to_datasets()
    assert back.column_names == ["id", "source", "target"]
    back.save_to_disk(tmp_path / "back")
    assert recombine.load(tmp_path / "back").hash == recombine.load(back).hash == WANTED


def test_what_gives_a_frame_for_interchange_only() -> None:
    class Frame:
        """A table that knows no Arrow stream."""

        def __dataframe__(self, **options: Any) -> Any:
            return pa.Table.from_pylist(ROWS).__dataframe__(**options)

    assert recombine.load(Frame(), **NAMED).hash == WANTED


def test_columns_of_a_table_tell_records_apart() -> None:
    table = pa.table({"source": ["a", "a"], "target": ["b", "b"], "scene": [1, 2]})
    rows = [{"source": "a", "target": "b", "context": {"scene": scene}} for scene in (1, 2)]
    assert recombine.load(table, identity=["scene"]).ids == recombine.load(rows, identity=["scene"]).ids
    with pytest.raises(InputFileError, match="records: has no records"):
        recombine.load(table.slice(0, 0))


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingDataError, match=r"to_pandas\(\) needs the package pandas.*pip install 'recombine\[tab"):
        recombine.load(PAIRS).to_pandas()
    monkeypatch.setitem(__import__("sys").modules, "datasets", None)
    with pytest.raises(MissingDataError, match=r"to_datasets\(\) needs the package datasets.*'recombine\[hub\]'"):
        recombine.load(PAIRS).to_datasets()


def test_a_table_has_all_that_a_file_has() -> None:
    rows = [{"source": "a", "target": "b", "kind": "x", "context": {"scene": number}} for number in range(2)]
    data = recombine.load(rows, identity=["scene"])
    table = data.to_arrow()
    assert table.column_names == ["id", "source", "target", "scene", "tags"]
    assert table.to_pylist()[1] == {
        "id": data[1].id,
        "source": "a",
        "target": "b",
        "scene": 1,
        "tags": '{"kind":"x"}',
    }
    assert recombine.load(table, identity=["scene"]).ids == data.ids
    assert Dataset.of("none", []).to_arrow().num_rows == 0


def test_values_that_json_has_not_become_texts() -> None:
    import datetime
    from decimal import Decimal

    day = datetime.datetime(2026, 1, 2, 3, 4, 5)
    row = {"source": "a", "target": "b", "day": day, "price": Decimal("1.50"), "raw": b"\xff", "when": [day.date()]}
    tags = recombine.load(pa.Table.from_pylist([row]))[0].tags
    assert tags == {"day": "2026-01-02T03:04:05", "price": "1.50", "raw": "/w==", "when": ["2026-01-02"], "line": 1}
