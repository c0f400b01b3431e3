"""The records of a Parquet file, as long as they are within the limit on what is held whole.

Parquet packs pages and writes a repeated text once, so that a small file can hold a large table. Its own statement of
its unpacked size is looked at before anything is unpacked. After that rows are read in batches, repeated texts as
numbers of a list of texts, and become records only when their size so far is known to be within the limit. Pictures,
which are lists of `{bytes, path}`, are not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import read_bytes, too_large
from recombine.max_unpacked import max_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROWS = 1 << 12


def iter_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """All records of a file, one by one."""
    import pyarrow as pa

    data = read_bytes(path)
    batches = _iter_batches(path, data)
    while True:
        try:
            records = next(batches).to_pylist()
        except StopIteration:
            return
        except (pa.ArrowInvalid, OSError) as error:
            raise InputFileError(f"{path}: not a Parquet file ({error})", "check the file") from None
        yield from records


def _iter_batches(path: Path, data: bytes) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    limit, held = max_unpacked(), 0
    file = pq.ParquetFile(pa.BufferReader(data))
    read = [field.name for field in file.schema_arrow if not _are_pictures(field.type)]
    groups = (file.metadata.row_group(group) for group in range(file.metadata.num_row_groups))
    if sum(group.total_byte_size for group in groups) > limit:
        raise too_large(path, "unpacks to more", limit)
    texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    for batch in pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts).iter_batches(
        batch_size=_ROWS, columns=read
    ):
        held += sum(map(_size, batch.columns))
        if held > limit:
            raise too_large(path, "unpacks to more", limit)
        yield batch


def _are_pictures(kind: Any) -> bool:
    """Whether a column is of lists of pictures, as the library `datasets` keeps them."""
    import pyarrow as pa

    picture = pa.struct({"bytes": pa.binary(), "path": pa.string()})
    return bool((pa.types.is_list(kind) or pa.types.is_large_list(kind)) and kind.value_type == picture)


def _size(column: Any) -> int:
    """The bytes of a column where every text is written out, and four for each, as Arrow has it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(column, pa.DictionaryArray):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).cast(pa.int64()).take(column.indices)
    return 4 * len(column) + (pc.sum(lengths).as_py() or 0)
