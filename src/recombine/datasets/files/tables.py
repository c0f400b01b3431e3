"""Data files of one's own: JSON lines, tab-separated values and Parquet, in and out, gzipped or not.

A `.json` file holds JSON lines or one array of records. What a record may have is said in `rows.py`, and which fields
are context in the file's sidecar (`sidecar.py`). Nothing is skipped: a record that cannot be used is an error that
names it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from recombine.datasets.files.context_cells import ParquetColumn, read_parquet_cell, read_tsv_cell, write_tsv_cell
from recombine.datasets.files.part_folder import part_paths
from recombine.datasets.files.read_parquet import iter_parquet
from recombine.datasets.files.rows import OWN_FIELDS, PlacedRecord, Record, dataset_of_rows
from recombine.datasets.files.sidecar import check_sidecar_writable, read_sidecar, sidecar_bytes, sidecar_path
from recombine.datasets.files.tsv import is_in_quotes, parse_tsv, write_line
from recombine.errors import InputFileError, OptionError, OutputFileError, RecordError
from recombine.files import check_file, check_writable, read_text, read_utf8, write_whole, writing_whole
from recombine.json_lines import iter_json_lines
from recombine.records.dataset import Dataset
from recombine.records.example import thawed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from recombine.languages.language import Language
    from recombine.records.columns import WrittenExample
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference

ROW_GROUP = 1 << 14
"""The most rows of a group of Parquet: what is held while a file is written."""
TEXT_COLUMNS = ("id", "source", "target", "derivation")
"""What columns of examples give as texts, without a record for each."""
_LINES = 1 << 10
_BEGINNING = 1 << 12
SUFFIXES = {".jsonl": "jsonl", ".json": "jsonl", ".tsv": "tsv", ".txt": "tsv", ".parquet": "parquet"}


def table_format(path: Path | str) -> str:
    """The format that a file name says: jsonl, tsv or parquet."""
    name = Path(path).name.removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SUFFIXES:
        raise OptionError(f"{path}: cannot tell the format from the name", "use .jsonl, .tsv or .parquet")
    return SUFFIXES[suffix]


def read_table(
    path: Path | str,
    *,
    source: str = "source",
    target: str = "target",
    language: Language | None = None,
    world: Path | str | World | WorldReference | None = None,
) -> Dataset:
    """The data set in a file, or in a folder of Parquet parts; `source` and `target` name the fields to read.

    `language` is that of the targets.
    What the file's sidecar says of contexts and of the world is read too; `world` is used in place of the path there.
    """
    if Path(path).is_dir():
        rows: Iterator[PlacedRecord] = (row for part in part_paths(path) for row in iter_rows(part))
    else:
        check_file(path)
        rows = iter_rows(path, source=source, target=target)
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
    )
    return replace(loaded, world=sidecar.world_of(world))


def read_rows(
    path: Path | str, *, source: str = "source", target: str = "target", columns: Sequence[str] = ()
) -> list[PlacedRecord]:
    """The records of a file; `columns` names those of a TSV without a header, where they are not source and target."""
    return list(iter_rows(path, source=source, target=target, columns=columns))


def iter_rows(
    path: Path | str, *, source: str = "source", target: str = "target", columns: Sequence[str] = ()
) -> Iterator[PlacedRecord]:
    """The records of a file, one by one as they are read; see `read_rows`."""
    path = check_file(path)  # a missing file or a directory is a clearer error than an unknown suffix
    kind = table_format(path)
    if kind == "parquet":
        rows = _iter_parquet(path)
    elif kind == "tsv":
        rows = _iter_tsv(path, source, target, columns)
    else:
        rows = _iter_json(path)
    first = next(rows, None)
    if first is None:
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    yield first
    yield from rows


def _iter_json(path: Path) -> Iterator[PlacedRecord]:
    data = read_utf8(path)
    if _is_blank(data):
        return
    if Path(path.name.removesuffix(".gz")).suffix == ".json" and data.decode().lstrip().startswith("["):
        yield from _read_array(path, data)
        return
    for number, record in iter_json_lines(data, path):
        yield PlacedRecord(path, "line", number, record)


def _is_blank(data: bytes) -> bool:
    return not data[:_BEGINNING].decode(errors="ignore").strip() and not data.decode().strip()


def _read_array(path: Path, text: bytes) -> list[PlacedRecord]:
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


def _iter_tsv(path: Path, source: str, target: str, columns: Sequence[str]) -> Iterator[PlacedRecord]:
    for number, fields in parse_tsv(read_text(path), path, source=source, target=target, columns=columns):
        record: Record = dict(fields)
        if not record.get("derivation", "x"):
            del record["derivation"]
        yield PlacedRecord(path, "line", number, record, read_tsv_cell)


def _iter_parquet(path: Path) -> Iterator[PlacedRecord]:
    for number, record in enumerate(iter_parquet(path), start=1):
        kept = {key: value for key, value in record.items() if not (key in OWN_FIELDS and value is None)}
        yield PlacedRecord(path, "row", number, kept, read_parquet_cell)


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
    fields = tuple(dict.fromkeys(name for context in dataset.iter_mappings("context") for name in context))
    table = _Table(dataset, fields, path)
    table.check_contexts()
    with writing_whole(path) as stream:
        WRITERS[kind](table, stream)
        sidecar = sidecar_bytes(path, fields, dataset.identity, dataset.world)
        if sidecar is None:
            sidecar_path(path).unlink(missing_ok=True)
        else:
            write_whole(sidecar_path(path), sidecar)


@dataclass(frozen=True)
class _Table:
    """Examples as they are written: some records at a time, so that never all of them are held."""

    dataset: Dataset
    fields: tuple[str, ...]
    """The fields of contexts."""
    path: Path

    def iter_records(self) -> Iterator[Record]:
        """A record for each example, in which nothing of the context is missing."""
        return (_record(example, self.fields, self.path) for example in self.dataset.iter_written())

    def iter_values(self, name: str) -> Iterator[Any]:
        """The values of a field of contexts, as JSON has them."""
        return (thawed(context[name]) for context in self.dataset.iter_mappings("context"))

    def check_contexts(self) -> None:
        """Refuse fields that cannot be written, or that some examples lack, before anything is."""
        for row, example in enumerate(self.dataset.iter_written() if self.fields else ()):
            if row == 0 or len(example.context) < len(self.fields):
                _record(example, self.fields, self.path)

    def columns(self) -> list[str]:
        """The names of the columns: those that every record has, and those that some have."""
        derived = self.dataset.count_without_derivation() < len(self.dataset)
        tagged = any(name != "line" for tags in self.dataset.iter_mappings("tags") for name in tags)
        own = (("derivation",) if derived else (), self.fields, ("tags",) if tagged else ())
        return ["id", "source", "target", *chain.from_iterable(own)]


def _write_jsonl(table: _Table, stream: BinaryIO) -> None:
    records = table.iter_records()
    while lines := [orjson.dumps(_with_json(record)) + b"\n" for record in islice(records, _LINES)]:
        stream.write(b"".join(lines))


def _with_json(record: Record) -> Record:
    """The record with its derivation as JSON rather than a text."""
    if "derivation" in record:
        record["derivation"] = orjson.Fragment(record["derivation"])
    return record


def _write_tsv(table: _Table, stream: BinaryIO) -> None:
    quoted = any(is_in_quotes(cell) for row in _iter_cells(table) for cell in row)
    rows = _iter_cells(table)
    while lines := [write_line(row, quoted=quoted) for row in islice(rows, _LINES)]:
        stream.write("".join(lines).encode())


def _iter_cells(table: _Table) -> Iterator[list[str]]:
    """The header, then the cells of each record."""
    columns, fields = table.columns(), table.fields
    yield columns
    for record in table.iter_records():
        cells = [write_tsv_cell(record[c]) if c in fields else _text(record.get(c)) for c in columns]
        if any(mark in cell for cell in cells for mark in "\t\r\n"):
            raise OutputFileError(
                f"{table.path}: the example {record['id']} holds a tab or a line break",
                "write .jsonl or .parquet instead",
            )
        yield cells


def _write_parquet(table: _Table, stream: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns, records = table.columns(), table.iter_records()
    contexts = {name: ParquetColumn.of(name, table.iter_values(name), table.path) for name in table.fields}
    types = {name: contexts[name].type() if name in contexts else pa.string() for name in columns}
    texts = None if {*columns} - {*TEXT_COLUMNS} else table.dataset.iter_text_columns(ROW_GROUP)
    with pq.ParquetWriter(stream, pa.schema(types)) as writer:
        if texts is not None:
            for group in texts:
                writer.write_table(pa.table({name: group[name] for name in columns}))
            return
        while cells := _group(islice(records, ROW_GROUP), columns, contexts):
            writer.write_table(pa.table({name: pa.array(cells[name], types[name]) for name in columns}))


def _group(
    records: Iterable[Record], columns: Sequence[str], contexts: Mapping[str, ParquetColumn]
) -> dict[str, list[Any]]:
    """The cells of some records by column, those of each as soon as it is made; nothing where there are none."""
    rows = []
    for record in records:
        cells = (
            contexts[c].cells([record[c]])[0] if c in contexts else None if record.get(c) is None else _text(record[c])
            for c in columns
        )
        rows.append(tuple(cells))
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}


WRITERS = {"jsonl": _write_jsonl, "tsv": _write_tsv, "parquet": _write_parquet}


def table_line(example: WrittenExample, fields: Sequence[str], path: Path) -> bytes:
    """An example as a line of JSON; `fields` are those of the contexts."""
    return orjson.dumps(_with_json(_record(example, fields, path))) + b"\n"


def _record(example: WrittenExample, fields: Sequence[str], path: Path) -> Record:
    record: Record = {"id": example.id, "source": example.source, "target": example.target}
    if example.derivation is not None:
        record["derivation"] = example.derivation
    for name in fields:
        if name in ("source", "target", *OWN_FIELDS):
            raise OutputFileError(f"{path}: the context has a field {name!r}, as every record has", "rename it")
        if name not in example.context:
            raise OutputFileError(
                f"{path}: the example {example.id} has no {name!r} in its context, though others have",
                "give it to all examples",
            )
        record[name] = thawed(example.context[name])
    tags = {key: value for key, value in example.tags.items() if key != "line"}
    return {**record, "tags": tags} if tags else record


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()
