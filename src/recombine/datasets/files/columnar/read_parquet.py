"""The records of a Parquet file, as long as they are within the limit on what is held whole.

Parquet packs pages and writes a repeated text once, so that a small file can hold a large table. Its own statement of
its unpacked size is looked at before anything is unpacked. After that rows are read in batches, repeated texts as
numbers of a list of texts, and become records only when their size so far is known to be within the limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets.files.columnar.plain_records import ROWS, iter_plain_records, read_columns, unpacked_size
from recombine.errors import InputFileError
from recombine.files import read_bytes, too_large
from recombine.max_unpacked import max_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def iter_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """All records of a file, one by one."""
    import pyarrow as pa

    data = read_bytes(path)
    batches = _iter_batches(path, data)
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            return
        except (pa.ArrowInvalid, OSError) as error:
            raise InputFileError(f"{path}: not a Parquet file ({error})", "check the file") from None
        yield from iter_plain_records(batch)


def _iter_batches(path: Path, data: bytes) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    limit, held = max_unpacked(), 0
    file = pq.ParquetFile(pa.BufferReader(data))
    read = read_columns(file.schema_arrow)
    groups = (file.metadata.row_group(group) for group in range(file.metadata.num_row_groups))
    if sum(group.total_byte_size for group in groups) > limit:
        raise too_large(path, "unpacks to more", limit)
    texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    for batch in pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts).iter_batches(
        batch_size=ROWS, columns=read
    ):
        held += unpacked_size(batch)
        if held > limit:
            raise too_large(path, "unpacks to more", limit)
        yield batch
