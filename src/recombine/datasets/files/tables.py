"""Data files of one's own, in and out, gzipped or not: JSON lines, values separated by tabs or commas, Parquet, Arrow.

A `.json` file holds JSON lines or one array of records. What a record may have is said in `rows.py`, and which fields
are context in the file's sidecar (`sidecar.py`). Nothing is skipped unless that was asked for: records that cannot be
used are an error that counts all and names the first.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import orjson

from recombine.datasets.files.columnar.read_arrow import iter_arrow
from recombine.datasets.files.columnar.read_parquet import iter_parquet
from recombine.datasets.files.columnar.saved_folder import saved_parts
from recombine.datasets.files.context_cells import read_tsv_cell, write_tsv_cell
from recombine.datasets.files.delimited.csv_file import parse_csv, write_csv_line
from recombine.datasets.files.delimited.lossy_text import read_lossy
from recombine.datasets.files.delimited.tsv import is_in_quotes, parse_tsv, write_line
from recombine.datasets.files.faults import Faults
from recombine.datasets.files.part_folder import part_paths
from recombine.datasets.files.rows import OWN_FIELDS, PART, ROW, PlacedRecord, Record, dataset_of_rows
from recombine.datasets.files.sidecar import check_sidecar_writable, read_sidecar, sidecar_bytes, sidecar_path
from recombine.errors import InputFileError, OptionError, OutputFileError, RecordError
from recombine.files import check_file, check_utf8, check_writable, read_text_bytes, write_whole, writing_whole
from recombine.json_lines import iter_json_lines
from recombine.records.column_cells import read_column_cell
from recombine.records.dataset import Dataset
from recombine.records.written_table import ROW_GROUP, WrittenTable, cell_text, written_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from recombine.languages.language import Language
    from recombine.records.columns import WrittenExample
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference

    Refuse = Callable[[RecordError], None]
    """What is told of a record that is none, or raises it."""

__all__ = ["ROW_GROUP", "SUFFIXES", "read_rows", "read_table", "table_format", "write_table"]
_LINES = 1 << 10
_BEGINNING = 1 << 12
SUFFIXES = {
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".tsv": "tsv",
    ".txt": "tsv",
    ".csv": "csv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}


def table_format(path: Path | str) -> str:
    """The format that a file name says: jsonl, tsv, csv, parquet or arrow."""
    name = Path(path).name.removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SUFFIXES:
        raise OptionError(f"{path}: cannot tell the format from the name", "use .jsonl, .tsv, .csv, .parquet or .arrow")
    return SUFFIXES[suffix]


def read_table(
    path: Path | str,
    *,
    source: str = "source",
    target: str = "target",
    language: Language | None = None,
    world: Path | str | World | WorldReference | None = None,
) -> Dataset:
    """The data set in a file or folder; `source` and `target` name the fields to read.

    A folder has Parquet parts, or is one that `save_to_disk` of the library `datasets` wrote. `language` is that of the
    targets. What the file's sidecar says of contexts and of the world is read too; `world` is used in place of the path
    there.
    """
    faults = Faults(path)
    if Path(path).is_dir():
        rows = _iter_folder(Path(path), faults)
    else:
        check_file(path)
        rows = iter_rows(path, source=source, target=target, refuse=faults.add)
    sidecar = read_sidecar(path)
    name = Path(Path(path).name.removesuffix(".gz")).stem
    loaded = dataset_of_rows(
        rows,
        name=name,
        source=source,
        target=target,
        language=language,
        context=sidecar.context,
        identity=sidecar.identity,
        faults=faults,
    )
    return replace(loaded, world=sidecar.world_of(world))


def read_rows(
    path: Path | str, *, source: str = "source", target: str = "target", columns: Sequence[str] = ()
) -> list[PlacedRecord]:
    """The records of a file; `columns` names those of a TSV without a header, where they are not source and target."""
    return list(iter_rows(path, source=source, target=target, columns=columns))


def iter_rows(
    path: Path | str,
    *,
    source: str = "source",
    target: str = "target",
    columns: Sequence[str] = (),
    refuse: Refuse | None = None,
) -> Iterator[PlacedRecord]:
    """The records of a file, one by one as they are read; see `read_rows`.

    `refuse` is told of records that are none, after which the others are read; where it is not given, that is raised.
    """
    path = check_file(path)  # a missing file or a directory is a clearer error than an unknown suffix
    kind = table_format(path)
    found = False

    def refused(error: RecordError) -> None:
        nonlocal found
        found = True
        if refuse is None:
            raise error
        refuse(error)

    if kind in ("parquet", "arrow"):
        rows = _iter_columnar(path, kind)
    elif kind in ("tsv", "csv"):
        rows = _iter_delimited(path, kind, source, target, columns, refused)
    else:
        rows = _iter_json(path, refused)
    for row in rows:
        found = True
        yield row
    if not found:
        raise InputFileError(f"{path}: has no records", "give a file with at least one")


def _iter_folder(folder: Path, faults: Faults) -> Iterator[PlacedRecord]:
    """The records of a folder: of Parquet parts, or one that was saved by the library `datasets`."""
    parts = saved_parts(folder)
    if parts is None:
        for path in part_paths(folder):
            yield from iter_rows(path, refuse=faults.add)
        return
    for part in parts:
        for file in part.files:
            for row in _iter_columnar(file, "arrow"):
                yield row._replace(record=part.record(row.record, PART))


def _iter_json(path: Path, refuse: Refuse) -> Iterator[PlacedRecord]:
    whole = read_text_bytes(path)
    data = whole.removeprefix(BOM_UTF8)
    if data[:_BEGINNING].lstrip().startswith(b"[") and _is_array(path, data):
        check_utf8(path, whole)
        yield from _read_array(path, data, refuse)
        return
    if _is_blank(data):
        return
    for number, record in iter_json_lines(data, path, refuse):
        yield PlacedRecord(path, "line", number, record)


def _is_blank(data: bytes) -> bool:
    return not data[:_BEGINNING].strip() and not data.strip()


def _is_array(path: Path, data: bytes) -> bool:
    """Whether a file that begins with a bracket is one array: its name says so, or its first line is no value."""
    if Path(path.name.removesuffix(".gz")).suffix == ".json":
        return True
    try:
        orjson.loads(data.split(b"\n", 1)[0])
    except orjson.JSONDecodeError:
        return True
    return b"\n" not in data.strip() and data.lstrip().startswith(b"[{")


def _read_array(path: Path, text: bytes, refuse: Refuse) -> Iterator[PlacedRecord]:
    try:
        records = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}"
        raise RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it") from None
    for number, record in enumerate(records, start=1):
        row = PlacedRecord(path, "record", number, record)
        if isinstance(record, dict):
            yield row
            continue
        refuse(row.fault("is not a JSON object", "write an array of {…}", reason="wrong_type"))


def _iter_delimited(
    path: Path, kind: str, source: str, target: str, columns: Sequence[str], refuse: Refuse
) -> Iterator[PlacedRecord]:
    read = read_lossy(path)
    if kind == "csv":
        records = parse_csv(read.text, path, source=source, target=target, refuse=refuse)
    else:
        records = parse_tsv(read.text, path, source=source, target=target, columns=columns, refuse=refuse)
    for number, fields in records:
        fault = read.fault(path, number, fields) if read.bad else None
        if fault is None:
            record: Record = {name: cell for name, cell in fields.items() if cell or name not in ("derivation", "tags")}
            yield PlacedRecord(path, "line", number, record, read_tsv_cell)
        else:
            refuse(fault)


def _iter_columnar(path: Path, kind: str) -> Iterator[PlacedRecord]:
    records = iter_parquet(path) if kind == "parquet" else iter_arrow(path)
    for number, record in enumerate(records, start=1):
        kept = {key: value for key, value in record.items() if not (key in OWN_FIELDS and value is None)}
        yield PlacedRecord(path, ROW, number, kept, read_column_cell)


# -- writing ------------------------------------------------------------------------------------------------------


def check_table_writable(path: Path | str) -> Path:
    """The path, when a table and its sidecar can be written there; called before long work, as `check_writable` is."""
    table_format(path)
    path = check_writable(path)
    check_sidecar_writable(path)
    return path


def write_table(examples: Iterable[Example], path: Path | str) -> None:
    """Write examples in the format that the file name says, their contexts as fields.

    A data set with contexts, an identity or a world gets its sidecar beside the file; where there is nothing to say, a
    sidecar that an older file of this name had is removed, so that it is not taken for the new one's. A file that
    has the name of a sidecar and is none is left alone, and nothing is written.
    """
    kind = table_format(path)
    path = check_table_writable(path)
    dataset = examples if isinstance(examples, Dataset) else Dataset.of("records", examples)
    table = WrittenTable.of(dataset, path)
    with writing_whole(path) as stream:
        WRITERS[kind](table, stream)
        sidecar = sidecar_bytes(path, table.fields, dataset.identity, dataset.world)
        if sidecar is None:
            sidecar_path(path).unlink(missing_ok=True)
        else:
            write_whole(sidecar_path(path), sidecar)


def _write_jsonl(table: WrittenTable, stream: BinaryIO) -> None:
    records = table.iter_records()
    while lines := [orjson.dumps(_with_json(record)) + b"\n" for record in islice(records, _LINES)]:
        stream.write(b"".join(lines))


def _with_json(record: Record) -> Record:
    """The record with its derivation as JSON rather than a text."""
    if "derivation" in record:
        record["derivation"] = orjson.Fragment(record["derivation"])
    return record


def _write_tsv(table: WrittenTable, stream: BinaryIO) -> None:
    quoted = False
    for row in _iter_cells(table):
        if any(mark in cell for cell in row for mark in "\t\r\n"):
            raise OutputFileError(
                f"{table.path}: the example {row[0]} holds a tab or a line break",
                "write .jsonl, .csv or .parquet instead",
            )
        quoted = quoted or any(map(is_in_quotes, row))
    rows = _iter_cells(table)
    while lines := [write_line(row, quoted=quoted) for row in islice(rows, _LINES)]:
        stream.write("".join(lines).encode())


def _iter_cells(table: WrittenTable) -> Iterator[list[str]]:
    """The header, then the cells of each record."""
    columns, fields = table.columns(), table.fields
    yield columns
    for record in table.iter_records():
        cells = [write_tsv_cell(record[c]) if c in fields else cell_text(record.get(c)) for c in columns]
        yield cells


def _write_csv(table: WrittenTable, stream: BinaryIO) -> None:
    rows = _iter_cells(table)
    while lines := [write_csv_line(row) for row in islice(rows, _LINES)]:
        stream.write("".join(lines).encode())


def _write_parquet(table: WrittenTable, stream: BinaryIO) -> None:
    import pyarrow.parquet as pq

    schema, groups = table.arrow()
    with pq.ParquetWriter(stream, schema) as writer:
        for group in groups:
            writer.write_table(group)


def _write_arrow(table: WrittenTable, stream: BinaryIO) -> None:
    import pyarrow as pa

    schema, groups = table.arrow()
    with pa.ipc.new_file(stream, schema) as writer:
        for group in groups:
            writer.write_table(group.cast(schema))


WRITERS = {
    "jsonl": _write_jsonl,
    "tsv": _write_tsv,
    "csv": _write_csv,
    "parquet": _write_parquet,
    "arrow": _write_arrow,
}


def table_line(example: WrittenExample, fields: Sequence[str], path: Path) -> bytes:
    """An example as a line of JSON; `fields` are those of the contexts."""
    return orjson.dumps(_with_json(written_record(example, fields, path))) + b"\n"
