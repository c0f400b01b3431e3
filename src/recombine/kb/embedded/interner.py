"""Terms as numbers: every distinct key of a stream gets one, and in the end the place it has among the sorted keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.base_names import ENCODED
from recombine.kb.embedded.intern_kernels import enter_keys, gather_keys, intern_keys

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

MOST_TERMS = 2**31 - 2
"""Terms are numbered by 32 bits with a sign."""


class Interner:
    """The distinct keys so far; IRIs under the base are kept by their names."""

    def __init__(self, base: str) -> None:
        self.count = 0
        self._base = np.frombuffer(base.encode(), np.uint8)
        self._encoded = np.array([byte in ENCODED for byte in range(256)])
        self._arena = np.empty(1, np.uint8)
        self._starts = np.zeros(1, np.int64)
        self._table = np.zeros(1, np.uint64)

    def numbers(self, column: pa.Array) -> npt.NDArray[np.int32]:
        """The numbers of a column of keys."""
        if not len(column):
            return np.empty(0, np.int32)
        data, offsets = key_arrays(column)
        self._make_room(len(offsets) - 1, int(offsets[-1] - offsets[0]))
        numbers, self.count = intern_keys(
            data, offsets, self._base, self._encoded, self._arena, self._starts, self._table, self.count
        )
        return numbers  # type: ignore[no-any-return]

    def sort(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """The sorted keys end to end with their starts, and the place of each number among them.

        The keys in the order of their numbers are given up.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        starts = self._starts[: self.count + 1]
        self._table = self._table[:0]
        buffers = [None, pa.py_buffer(starts), pa.py_buffer(self._arena)]
        order = pc.sort_indices(pa.Array.from_buffers(pa.large_binary(), self.count, buffers)).to_numpy()
        order = order.astype(np.int32)
        keys, sorted_starts = gather_keys(self._arena, starts, order)
        places = np.empty(self.count, np.int32)
        places[order] = np.arange(self.count, dtype=np.int32)
        self._arena = self._arena[:0]
        return keys, sorted_starts, places

    def _make_room(self, rows: int, size: int) -> None:
        """Room for so many keys more, all of them new."""
        if self.count + rows > MOST_TERMS:
            raise KnowledgeBaseError(
                f"more than {MOST_TERMS - rows:,} terms, and an embedded index numbers them by 32 bits",
                "build it from a part of the facts, or ask a store with a server",
            )
        used = int(self._starts[self.count])
        self._arena = _grown(self._arena, used + size + 1)
        self._starts = _grown(self._starts, self.count + rows + 1)
        if 2 * (self.count + rows) > len(self._table):
            wanted = 1 << (4 * (self.count + rows) - 1).bit_length() - 1
            self._table = np.zeros(max(wanted, 2 * len(self._table)), np.uint64)
            enter_keys(self._arena, self._starts, self._table, self.count)


def key_arrays(column: pa.Array) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The bytes of a column of keys and where each begins; what is no text in UTF-8 is refused."""
    import pyarrow as pa

    if column.null_count:
        raise KnowledgeBaseError("a fact without a subject, relation or target", "mend what reads the facts")
    try:
        texts = column.cast(pa.large_string())
    except pa.ArrowInvalid as error:
        raise KnowledgeBaseError(f"a key that is no text in UTF-8 ({error})", "mend what reads the facts") from error
    _, starts, content = texts.buffers()
    offsets = np.frombuffer(starts, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(content, np.uint8) if content is not None else np.empty(0, np.uint8), offsets


def _grown(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """The array, or one at least half as large again with the same beginning, where it has to be larger."""
    if size <= len(array):
        return array
    grown = np.zeros(max(size, len(array) + len(array) // 2), array.dtype)
    grown[: len(array)] = array
    return grown
