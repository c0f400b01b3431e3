"""The records of an Arrow file: of the file form, which is Feather's too, or of the form of a stream.

Batches may be packed, so that a small file can hold a large table: what they unpack to counts against the limit. A
stream says where it ends, so that one that was cut off between two batches is noticed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets.files.columnar.plain_records import iter_plain_records, read_columns, unpacked_size
from recombine.errors import InputFileError
from recombine.files import check_file, read_bytes, too_large
from recombine.max_unpacked import max_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

_FILE, _OLD_FEATHER = b"ARROW1", b"FEA1"
_END = b"\xff\xff\xff\xff\0\0\0\0"


def iter_arrow(path: Path) -> Iterator[dict[str, Any]]:
    """All records of a file, one by one."""
    limit, held = max_unpacked(), 0
    for batch in _iter_batches(check_file(path)):
        held += unpacked_size(batch)
        if held > limit:
            raise too_large(path, "unpacks to more", limit)
        yield from iter_plain_records(batch)


def _iter_batches(path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    try:
        with pa.BufferReader(read_bytes(path)) if path.suffix == ".gz" else pa.memory_map(str(path)) as source:
            yield from _iter_read(path, source)
    except (pa.ArrowException, OSError) as error:
        why = " ".join(str(error).split())
        raise InputFileError(f"{path}: not a whole Arrow file ({why})", "copy or write it again") from None


def _iter_read(path: Path, source: Any) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    size = source.size()
    if size == 0:
        raise InputFileError(f"{path}: is empty", "give a file with at least one record")
    beginning = source.read(len(_FILE))
    source.seek(0)
    if beginning.startswith(_OLD_FEATHER):
        raise InputFileError(f"{path}: is of the first version of Feather", "write it again, or as Parquet")
    if beginning == _FILE:
        reader = pa.ipc.open_file(source)
        columns = read_columns(reader.schema)
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number).select(columns)
        return
    source.seek(size - len(_END))
    whole = source.read(len(_END)) == _END
    source.seek(0)
    stream = pa.ipc.open_stream(source)
    if not whole:
        raise InputFileError(f"{path}: the stream is cut off before its end", "copy or write it again")
    columns = read_columns(stream.schema)
    for batch in stream:
        yield batch.select(columns)
