"""Examples in parts as one file: JSON lines, Parquet, or the form of the CFQ release, a few in memory at a time.

A file is the same as that of a data set of the same examples. It is there whole or not at all, and so is its sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from recombine.datasets.files.sidecar import sidecar_bytes, sidecar_path
from recombine.datasets.files.tables import table_format
from recombine.datasets.parts.made_lot import TextRow
from recombine.datasets.release.write_release import iter_release
from recombine.datasets.write_data import RELEASE, check_data_writable
from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.pieces import writing_pieces
from recombine.records.derivation import Derivation
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from recombine.datasets.parts.kept_parts import KeptParts
    from recombine.records.world import World, WorldReference

_ROWS = 1 << 12
"""The rows of a group of Parquet; an example takes some kilobytes."""


def check_parts_writable(path: Path | str, form: str) -> Path:
    """The path, when examples can be written there while they are made; called before long work."""
    path = check_data_writable(path, form)
    if form != RELEASE and table_format(path) == "tsv":
        raise OptionError(f"{path}: questions with rule graphs are no lines of a TSV", "use .jsonl or .parquet")
    return path


def write_parts(
    parts: KeptParts,
    path: Path | str,
    form: str,
    *,
    made: Mapping[str, Any],
    world: World | WorldReference | None = None,
    chosen: Collection[int] | None = None,
) -> None:
    """Write all examples, or those at some places; `made` is said in the sidecar."""
    path = check_parts_writable(path, form)
    rows = iter_chosen(parts, chosen)
    sidecar = sidecar_bytes(path, (), (), world, made)
    with writing_pieces(path) as stream:
        if form == RELEASE:
            stream.writelines(iter_release(map(to_example, rows), path))
        elif table_format(path) == "parquet":
            _write_parquet(rows, stream)
        else:
            stream.writelines(map(_line, rows))
        if sidecar is not None:
            write_whole(sidecar_path(path), sidecar)


def to_example(row: TextRow) -> Example:
    """An example of its texts."""
    derivation = Derivation.from_rows(orjson.loads(row.derivation))
    return Example(row.id, row.source, row.target, derivation, orjson.loads(row.tags))


def iter_chosen(parts: KeptParts, chosen: Collection[int] | None) -> Iterator[TextRow]:
    """All examples, or those at some places, in their order."""
    if chosen is None:
        return parts.iter_rows()
    wanted = frozenset(chosen)
    return (row for place, row in enumerate(parts.iter_rows()) if place in wanted)


def _line(row: TextRow) -> bytes:
    pair = orjson.dumps({"id": row.id, "source": row.source, "target": row.target})
    return b'%s,"derivation":%s,"tags":%s}\n' % (pair[:-1], row.derivation.encode(), row.tags.encode())


def _write_parquet(rows: Iterable[TextRow], stream: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(dict.fromkeys(TextRow._fields, pa.string()))
    with pq.ParquetWriter(stream, schema) as writer:
        group: list[TextRow] = []
        for row in rows:
            group.append(row)
            if len(group) == _ROWS:
                writer.write_table(_table(group, schema))
                group = []
        if group:
            writer.write_table(_table(group, schema))


def _table(rows: list[TextRow], schema: Any) -> Any:
    import pyarrow as pa

    return pa.table([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], schema)
