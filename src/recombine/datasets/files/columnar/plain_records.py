"""Rows of Arrow as records of values that JSON has.

Dates and times become texts in ISO 8601, decimals and durations texts; bytes stay what they are. Pictures, which are
`{bytes, path}` or lists of these, are not read: what a data set is about besides its texts is its world.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

ROWS = 1 << 12
"""The rows that become records together."""


def iter_plain_records(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows of a batch, some at a time."""
    odd = [field.name for field in batch.schema if _is_odd(field.type)]
    for start in range(0, batch.num_rows, ROWS):
        for record in batch.slice(start, ROWS).to_pylist():
            yield {**record, **{name: _plain(record[name]) for name in odd}} if odd else record


def read_columns(schema: pa.Schema) -> list[str]:
    """The names of the columns that are read: all but pictures."""
    return [field.name for field in schema if not _are_pictures(field.type)]


def _are_pictures(kind: Any) -> bool:
    """Whether a column is of pictures or of lists of them, as the library `datasets` keeps them."""
    import pyarrow as pa

    picture = pa.struct({"bytes": pa.binary(), "path": pa.string()})
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    return bool((kind.value_type if is_list else kind) == picture)


def _is_odd(kind: Any) -> bool:
    """Whether a type has, somewhere within it, values that JSON has not."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_odd(kind.value_type)
    if pa.types.is_nested(kind):
        return pa.types.is_map(kind) or any(_is_odd(kind.field(place).type) for place in range(kind.num_fields))
    plain = (
        pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)
    )
    return not (plain or _is_text(kind) or pa.types.is_string_view(kind))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):  # of a map
        return [_plain(item) for item in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bytes) else str(value)


def unpacked_size(batch: pa.RecordBatch) -> int:
    """The bytes of a batch where every text is written out, also one that is repeated."""
    return sum(map(_size, batch.columns))


def _size(column: Any) -> int:
    """The bytes of a column where every text is written out, and four for each, as Arrow has it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(column, pa.DictionaryArray) or not _is_text(column.type.value_type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).cast(pa.int64()).take(column.indices)
    return 4 * len(column) + (pc.sum(lengths).as_py() or 0)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
