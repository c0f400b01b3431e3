"""Tables in memory: whatever gives an Arrow stream or the interchange form of data frames.

So pandas, polars, DuckDB, pyarrow and `datasets` are read without importing any of them. A mapping of names to such
tables, as `DatasetDict` is, is one data set whose records have their name as the field `part`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from recombine.datasets.files.columnar.plain_records import iter_plain_records, read_columns
from recombine.datasets.files.columnar.saved_folder import SavedPart
from recombine.datasets.files.rows import OWN_FIELDS, PART, ROW, PlacedRecord
from recombine.errors import InputFileError
from recombine.records.column_cells import read_column_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

_ROWS = 1 << 14


def is_table(data: Any) -> bool:
    """Whether an object is a table, or a mapping of names to tables."""
    if isinstance(data, Mapping):
        return bool(data) and all(isinstance(name, str) and is_table(table) for name, table in data.items())
    return any(hasattr(type(data), name) for name in ("__arrow_c_stream__", "__dataframe__")) or _is_of_datasets(data)


def iter_table_rows(data: Any, *, name: str) -> Iterator[PlacedRecord]:
    """The records of a table, each with its row; `name` is what errors call it."""
    tables = data.items() if isinstance(data, Mapping) else [(None, data)]
    rows = chain.from_iterable(_iter_rows(name, part, table) for part, table in tables)
    first = next(rows, None)
    if first is None:
        raise InputFileError(f"{name}: has no records", "give a table with at least one")
    yield first
    yield from rows


def _iter_rows(name: str, part: str | None, table: Any) -> Iterator[PlacedRecord]:
    place = SavedPart(part, [])
    number = 0
    for batch in _iter_batches(table):
        for record in iter_plain_records(batch.select(read_columns(batch.schema))):
            number += 1
            kept = {key: value for key, value in record.items() if not (key in OWN_FIELDS and value is None)}
            file = name if part is None else f"{name}[{part!r}]"
            yield PlacedRecord(file, ROW, number, place.record(kept, PART), read_column_cell)


def _is_of_datasets(data: Any) -> bool:
    """Whether an object is a data set of the library `datasets`, as far as its methods tell."""
    return all(callable(getattr(type(data), name, None)) for name in ("with_format", "iter", "map"))


def _iter_batches(table: Any) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    if _is_of_datasets(table):  # it may be a choice of rows of what it holds
        for piece in table.with_format("arrow").iter(batch_size=_ROWS):
            yield from piece.to_batches()
    elif hasattr(table, "__arrow_c_stream__"):
        yield from pa.RecordBatchReader.from_stream(table)
    else:
        from pyarrow.interchange import from_dataframe

        yield from from_dataframe(table).to_batches()
