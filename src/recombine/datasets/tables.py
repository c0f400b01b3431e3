"""Data files of one's own: JSON lines, tab-separated values and Parquet, in and out.

A record has a source and a target and may have an id, a derivation and further fields, which become tags. Records
without ids get content ids; either all records of a file give an id or none does. The line or row number is kept as
the tag `line`. Nothing is skipped: a record that cannot be used is an error that names it.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import DerivationError, InputFileError, OptionError, OutputFileError, RecordError
from recombine.files import check_file, check_writable, read_bytes, read_text, write_whole
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import Example, iter_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from recombine.languages.language import Language

SUFFIXES = {".jsonl": "jsonl", ".json": "jsonl", ".tsv": "tsv", ".txt": "tsv", ".parquet": "parquet"}
STRUCTURES = "atoms=rules,presence;compounds=dag:2-9,counts"
PROGRAM_STRUCTURES = "atoms=symbols,presence;compounds=tree:2-2,counts"
_OWN = ("id", "derivation", "tags")
Record = dict[str, Any]


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
    path = check_file(path)  # a missing file or a directory is a clearer error than an unknown suffix
    kind = table_format(path)
    readers: Mapping[str, Callable[[Path, str, str], list[tuple[str, Record]]]] = {
        "jsonl": _read_jsonl,
        "tsv": _read_tsv,
        "parquet": _read_parquet,
    }
    rows = readers[kind](path, source, target)
    if not rows:
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    examples = _examples(path, rows, source, target)
    derived = all(example.derivation is not None for example in examples)
    name = Path(path.name.removesuffix(".gz")).stem
    structures = STRUCTURES if derived else PROGRAM_STRUCTURES if language else ""
    return Dataset(name, tuple(examples), {}, structures, language)


def _read_jsonl(path: Path, source: str, target: str) -> list[tuple[str, Record]]:
    del source, target
    rows: list[tuple[str, Record]] = []
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), start=1):
        where = f"line {number}"
        if not line.strip():
            raise RecordError(path, where, "is empty", "remove it")
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it") from None
        if not isinstance(record, dict):
            raise RecordError(path, where, "is not a JSON object", "write one {…} per line")
        rows.append((where, record))
    return rows


def _read_tsv(path: Path, source: str, target: str) -> list[tuple[str, Record]]:
    lines = read_text(path).removesuffix("\n").split("\n")
    header = lines[0].removesuffix("\r").split("\t")
    named = source in header and target in header
    if not named:
        if (source, target) != ("source", "target"):
            missing = source if source not in header else target
            raise RecordError(path, "line 1", f"no column {missing!r}", f"the first line has: {', '.join(header)}")
        header = ["source", "target"]
    rows: list[tuple[str, Record]] = []
    for number, line in enumerate(lines[named:], start=1 + named):
        fields = line.removesuffix("\r").split("\t")
        if len(fields) != len(header):
            raise RecordError(
                path, f"line {number}", f"{len(fields)} fields where {len(header)} are expected", "mend the line"
            )
        record: Record = dict(zip(header, fields, strict=True))
        if not record.get("derivation", "x"):
            del record["derivation"]
        rows.append((f"line {number}", record))
    return rows


def _read_parquet(path: Path, source: str, target: str) -> list[tuple[str, Record]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    del source, target
    try:
        table = pq.read_table(io.BytesIO(read_bytes(path)))
    except pa.ArrowInvalid as error:
        raise InputFileError(f"{path}: not a Parquet file ({error})", "check the file") from None
    rows = []
    for number, record in enumerate(table.to_pylist(), start=1):
        kept = {key: value for key, value in record.items() if not (key in _OWN and value is None)}
        rows.append((f"row {number}", kept))
    return rows


def _examples(path: Path, rows: list[tuple[str, Record]], source: str, target: str) -> list[Example]:
    for where, record in rows:
        for key in (source, target):
            if key not in record:
                have = ", ".join(map(str, record)) or "nothing"
                option = "--source" if key == source else "--target"
                raise RecordError(path, where, f"no field {key!r}", f"it has: {have}; name the field with {option}")
            if not isinstance(record[key], str):
                raise RecordError(path, where, f"the field {key!r} is not text", "write it as a string")
    ids = _ids(path, rows, source, target)
    return [
        Example(
            key,
            record[source],
            record[target],
            _derivation(path, where, record.get("derivation")),
            _tags(path, where, record, (source, target)),
        )
        for key, (where, record) in zip(ids, rows, strict=True)
    ]


def _ids(path: Path, rows: list[tuple[str, Record]], source: str, target: str) -> list[str]:
    given = [where for where, record in rows if "id" in record]
    if not given:
        return list(iter_ids((record[source], record[target]) for _, record in rows))
    if len(given) < len(rows):
        bare = next(where for where, record in rows if "id" not in record)
        raise RecordError(path, bare, "no id, though other records have one", "give ids to all records or to none")
    seen: dict[str, str] = {}
    for where, record in rows:
        key = record["id"]
        if not isinstance(key, str | int) or isinstance(key, bool) or key == "":
            raise RecordError(path, where, "the id is neither text nor a whole number", "mend it")
        if str(key) in seen:
            raise RecordError(path, where, f"the id {str(key)!r} stands already in {seen[str(key)]}", "make ids unique")
        seen[str(key)] = where
    return list(seen)


def _derivation(path: Path, where: str, value: object) -> Derivation | None:
    if value is None:
        return None
    try:
        rows = orjson.loads(value) if isinstance(value, str) else value
        return Derivation.from_rows(rows)
    except orjson.JSONDecodeError:
        raise RecordError(path, where, "the derivation is not JSON", "write it as `generate` does") from None
    except DerivationError as error:
        raise RecordError(path, where, error.problem, error.remedy) from None


def _tags(path: Path, where: str, record: Record, used: tuple[str, str]) -> dict[str, Any]:
    given = record.get("tags", {})
    if isinstance(given, str):
        try:
            given = orjson.loads(given)
        except orjson.JSONDecodeError:
            given = {"tags": given}
    if not isinstance(given, dict):
        raise RecordError(path, where, "the tags are not a JSON object", "write them as {…}")
    others = {key: value for key, value in record.items() if key not in used and key not in _OWN}
    return {**given, **others, "line": int(where.split()[1])}


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
    lines = ["\t".join(columns)]
    for record in records:
        fields = [_text(record.get(column)) for column in columns]
        if any(mark in field for field in fields for mark in "\t\r\n"):
            raise OutputFileError(
                f"{path}: the example {record['id']} holds a tab or a line break", "write .jsonl or .parquet instead"
            )
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n"


def _parquet(records: list[Record]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _columns(records)
    data = {c: [None if r.get(c) is None else _text(r[c]) for r in records] for c in columns}
    buffer = io.BytesIO()
    pq.write_table(pa.table({c: pa.array(v, pa.string()) for c, v in data.items()}), buffer)
    return buffer.getvalue()
