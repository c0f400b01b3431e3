"""Data files of one's own: JSON lines, tab-separated values and Parquet, in and out, gzipped or not.

A `.json` file holds JSON lines or one array of records. What a record may have is said in `rows.py`, and which fields
are context in the file's sidecar (`sidecar.py`). Nothing is skipped: a record that cannot be used is an error that
names it.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.datasets.files.context_cells import (
    read_parquet_cell,
    read_tsv_cell,
    write_parquet_cells,
    write_tsv_cell,
)
from recombine.datasets.files.read_parquet import read_parquet
from recombine.datasets.files.rows import OWN_FIELDS, PlacedRecord, Record, dataset_of_rows
from recombine.datasets.files.sidecar import check_sidecar_writable, read_sidecar, sidecar_bytes, sidecar_path
from recombine.datasets.files.tsv import parse_tsv, write_tsv
from recombine.errors import InputFileError, OptionError, OutputFileError, RecordError
from recombine.files import check_file, check_writable, read_text, write_whole
from recombine.json_lines import iter_json_lines
from recombine.records.dataset import Dataset
from recombine.records.example import thawed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference

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
    """The data set in a file; `source` and `target` name the fields to read, `language` is that of the targets.

    What the file's sidecar says of contexts and of the world is read too; `world` is used in place of the path there.
    """
    check_file(path)
    sidecar = read_sidecar(path)
    rows = read_rows(path, source=source, target=target)
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
        rows.append(PlacedRecord(path, "line", number, record, read_tsv_cell))
    return rows


def _read_parquet(path: Path) -> list[PlacedRecord]:
    rows = []
    for number, record in enumerate(read_parquet(path), start=1):
        kept = {key: value for key, value in record.items() if not (key in OWN_FIELDS and value is None)}
        rows.append(PlacedRecord(path, "row", number, kept, read_parquet_cell))
    return rows


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
    listed = list(examples)
    fields = tuple(dict.fromkeys(name for example in listed for name in example.context))
    identity, world = (examples.identity, examples.world) if isinstance(examples, Dataset) else ((), None)
    records = [table_record(example, fields, path) for example in listed]
    if kind == "jsonl":
        content = b"".join(orjson.dumps(record) + b"\n" for record in records)
    elif kind == "tsv":
        content = _tsv(records, fields, path).encode()
    else:
        content = _parquet(records, fields, path)
    sidecar = sidecar_bytes(path, fields, identity, world)
    if sidecar is None:
        sidecar_path(path).unlink(missing_ok=True)
    else:
        write_whole(sidecar_path(path), sidecar)
    write_whole(path, content)


def table_record(example: Example, fields: Sequence[str], path: Path) -> Record:
    """An example as a record of a file; `fields` are those of the contexts."""
    record: Record = {"id": example.id, "source": example.source, "target": example.target}
    if example.derivation is not None:
        record["derivation"] = example.derivation.to_rows()
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


def _columns(records: list[Record], fields: Sequence[str]) -> list[str]:
    own = (key for key in ("derivation", *fields, "tags") if key in fields or any(key in r for r in records))
    return ["id", "source", "target", *own]


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()


def _tsv(records: list[Record], fields: Sequence[str], path: Path) -> str:
    columns = _columns(records, fields)
    rows = [columns]
    for record in records:
        cells = [write_tsv_cell(record[c]) if c in fields else _text(record.get(c)) for c in columns]
        if any(mark in cell for cell in cells for mark in "\t\r\n"):
            raise OutputFileError(
                f"{path}: the example {record['id']} holds a tab or a line break", "write .jsonl or .parquet instead"
            )
        rows.append(cells)
    return write_tsv(rows)


def _parquet(records: list[Record], fields: Sequence[str], path: Path) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _columns(records, fields)
    arrays = {c: pa.array([None if r.get(c) is None else _text(r[c]) for r in records], pa.string()) for c in columns}
    for name in fields:
        cells = write_parquet_cells(name, [record[name] for record in records], path)
        arrays[name] = pa.array(cells) if any(cell is not None for cell in cells) else pa.nulls(len(cells), pa.string())
    buffer = io.BytesIO()
    pq.write_table(pa.table(arrays), buffer)
    return buffer.getvalue()
