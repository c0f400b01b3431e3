"""A batch of triples as three columns of keys: `subject`, `relation`, `target`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS = ("subject", "relation", "target")
SCHEMA = pa.schema([(name, pa.large_binary()) for name in COLUMNS])


class KeyColumn(NamedTuple):
    """Room for the keys of one column: their bytes one after another, and where each begins."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]


def room_for(rows: int, size: int) -> tuple[KeyColumn, KeyColumn, KeyColumn]:
    """Three columns of at most some rows and some bytes."""
    one, two, three = (KeyColumn(np.empty(size, np.uint8), np.zeros(rows + 1, np.int64)) for _ in COLUMNS)
    return one, two, three


def batch_of(columns: tuple[KeyColumn, ...], rows: int) -> Any:
    """The first rows of some columns as a batch that holds no more than they need."""
    arrays = []
    for data, starts in columns:
        used = int(starts[rows])
        buffers = [None, pa.py_buffer(starts[: rows + 1].copy()), pa.py_buffer(data[:used].copy())]
        arrays.append(pa.LargeBinaryArray.from_buffers(pa.large_binary(), rows, buffers))
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
