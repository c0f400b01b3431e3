"""Data files of one's own: JSON lines, tab-separated values and Parquet, in and out, gzipped or not.

A `.json` file holds JSON lines or one array of records. What a record may have is said in `rows.py`. Nothing is
skipped: a record that cannot be used is an error that names it.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.datasets.files.read_parquet import read_parquet
from recombine.datasets.files.rows import OWN_FIELDS, PlacedRecord, Record, dataset_of_rows
from recombine.datasets.files.tsv import parse_tsv, write_tsv
from recombine.errors import InputFileError, OptionError, OutputFileError, RecordError
from recombine.files import check_file, check_writable, read_text, write_whole
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

SUFFIXES = {".jsonl": "jsonl", ".json": "jsonl", ".tsv": "tsv", ".txt": "tsv", ".parquet": "parquet"}


def table_format(path: Path | str) -> str:
    """The format that a file name says: jsonl, tsv or parquet."""
    name = Path(path).name.removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SUFFIXES:
        raise OptionError(f"{path}: cannot tell the format from the name", "use .jsonl, .tsv or .parquet")
    return SUFFIXES[suffix]


def read_table(
    path: Path | str, *, source: str = "source", target: str = "target", language: Language | None = None
) -> Dataset:
    """The data set in a file; `source` and `target` name the fields to read, `language` is that of the targets."""
    rows = read_rows(path, source=source, target=target)
    name = Path(Path(path).name.removesuffix(".gz")).stem
    return dataset_of_rows(rows, name=name, source=source, target=target, language=language)


def read_rows(
    path: Path | str, *, source: str = "source", target: str = "target", columns: Sequence[str] = ()
) -> list[PlacedRecord]:
    """The records of a file; `columns` names those of a TSV without a header, where they are not source and target."""
    path = check_file(path)  # a missing file or a directory is a clearer error than an unknown suffix
    kind = table_format(path)
    if kind == "parquet":
        rows = _read_parquet(path)
    elif kind == "tsv":
        rows = _read_tsv(path, source, target, columns)
    else:
        rows = _read_json(path)
    if not rows:
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    return rows


def _read_json(path: Path) -> list[PlacedRecord]:
    text = read_text(path)
    if not text.strip():
        return []
    if Path(path.name.removesuffix(".gz")).suffix == ".json" and text.lstrip().startswith("["):
        return _read_array(path, text)
    return [PlacedRecord(path, "line", number, record) for number, record in iter_json_lines(text, path)]


def _read_array(path: Path, text: str) -> list[PlacedRecord]:
    try:
        rows = [
            PlacedRecord(path, "record", number, record) for number, record in enumerate(orjson.loads(text), start=1)
        ]
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}"
        raise RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it") from None
    bad = next((row for row in rows if not isinstance(row.record, dict)), None)
    if bad is not None:
        raise bad.fault("is not a JSON object", "write an array of {…}")
    return rows


def _read_tsv(path: Path, source: str, target: str, columns: Sequence[str]) -> list[PlacedRecord]:
    rows: list[PlacedRecord] = []
    for number, fields in parse_tsv(read_text(path), path, source=source, target=target, columns=columns):
        record: Record = dict(fields)
        if not record.get("derivation", "x"):
            del record["derivation"]
        rows.append(PlacedRecord(path, "line", number, record))
    return rows


def _read_parquet(path: Path) -> list[PlacedRecord]:
    rows = []
    for number, record in enumerate(read_parquet(path), start=1):
        kept = {key: value for key, value in record.items() if not (key in OWN_FIELDS and value is None)}
        rows.append(PlacedRecord(path, "row", number, kept))
    return rows


# -- writing ------------------------------------------------------------------------------------------------------


def write_table(examples: Iterable[Example], path: Path | str) -> None:
    """Write examples in the format that the file name says."""
    kind = table_format(path)
    path = check_writable(path)
    records = [_record(example) for example in examples]
    if kind == "jsonl":
        write_whole(path, b"".join(orjson.dumps(record) + b"\n" for record in records))
    elif kind == "tsv":
        write_whole(path, _tsv(records, path).encode())
    else:
        write_whole(path, _parquet(records))


def _record(example: Example) -> Record:
    record: Record = {"id": example.id, "source": example.source, "target": example.target}
    if example.derivation is not None:
        record["derivation"] = example.derivation.to_rows()
    tags = {key: value for key, value in example.tags.items() if key != "line"}
    return {**record, "tags": tags} if tags else record


def _columns(records: list[Record]) -> list[str]:
    return ["id", "source", "target", *(key for key in ("derivation", "tags") if any(key in r for r in records))]


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()


def _tsv(records: list[Record], path: Path) -> str:
    columns = _columns(records)
    rows = [columns]
    for record in records:
        fields = [_text(record.get(column)) for column in columns]
        if any(mark in field for field in fields for mark in "\t\r\n"):
            raise OutputFileError(
                f"{path}: the example {record['id']} holds a tab or a line break", "write .jsonl or .parquet instead"
            )
        rows.append(fields)
    return write_tsv(rows)


def _parquet(records: list[Record]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _columns(records)
    data = {c: [None if r.get(c) is None else _text(r[c]) for r in records] for c in columns}
    buffer = io.BytesIO()
    pq.write_table(pa.table({c: pa.array(v, pa.string()) for c, v in data.items()}), buffer)
    return buffer.getvalue()
