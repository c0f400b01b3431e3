"""The rows of columns as bytes in the order of their ids, without making a text: what a content hash is fed with."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from recombine.records.range_places import range_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

_HASHED = 1024
"""The rows that are put together at a time."""


def iter_rows_by_id(table: pa.Table) -> Iterator[bytes]:
    """Ids, sources and targets, row by row in the order of the ids, each after its length; some rows at a time."""
    columns = [_Texts(table[name]) for name in ("id", "source", "target")]
    order = columns[0].order()
    for start in range(0, len(order), _HASHED):
        yield _rows_in_order(columns, order[start : start + _HASHED])


class _Texts:
    """The bytes of each text of a column, without making the texts."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        import numpy as np

        self._begins: list[int] = [0]
        self._places: list[npt.NDArray[np.int64]] = []
        self._data: list[memoryview] = []
        for piece in column.chunks:
            if len(piece):
                _, offsets, data = piece.buffers()
                self._places.append(np.frombuffer(offsets, np.int64)[piece.offset : piece.offset + len(piece) + 1])
                self._data.append(memoryview(data if data is not None else b""))
                self._begins.append(self._begins[-1] + len(piece))

    def order(self) -> npt.NDArray[np.int64]:
        """The rows in the order of their texts, which is that of their bytes."""
        import numpy as np

        widths = {int(width) for places in self._places for width in np.unique(np.diff(places))}
        if len(widths) == 1 and (width := widths.pop()):  # as content ids are; bytes in a row take least room
            pieces = zip(self._places, self._data, strict=True)
            rows = [np.frombuffer(data[places[0] : places[-1]], f"S{width}") for places, data in pieces]
            return np.argsort(np.concatenate(rows), kind="stable")
        texts = [
            bytes(data[first:last])
            for places, data in zip(self._places, self._data, strict=True)
            for first, last in pairwise(places.tolist())
        ]
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)

    def gather(self, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The lengths of the texts of some rows, and all their bytes in a row."""
        import numpy as np

        pieces = np.searchsorted(self._begins, rows, side="right") - 1
        by_piece = np.argsort(pieces, kind="stable")
        bounds = np.searchsorted(pieces[by_piece], np.arange(len(self._data) + 1))
        firsts, lengths = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        for piece, (first, last) in enumerate(pairwise(bounds.tolist())):
            mine = by_piece[first:last]
            within = rows[mine] - self._begins[piece]
            firsts[mine] = self._places[piece][within]
            lengths[mine] = self._places[piece][within + 1] - firsts[mine]
        begins = np.cumsum(lengths) - lengths
        gathered = np.empty(int(lengths.sum()), np.uint8)
        for piece, (first, last) in enumerate(pairwise(bounds.tolist())):
            mine = by_piece[first:last]
            places = range_places(firsts[mine], lengths[mine])
            gathered[range_places(begins[mine], lengths[mine])] = np.frombuffer(self._data[piece], np.uint8)[places]
        return lengths, gathered


def _rows_in_order(columns: Sequence[_Texts], rows: npt.NDArray[np.int64]) -> bytes:
    """The texts of some rows, row by row, each after its length in eight bytes."""
    import numpy as np

    gathered = [column.gather(rows) for column in columns]
    sizes = np.stack([lengths for lengths, _ in gathered], axis=1)
    begins = (np.cumsum(sizes + 8) - (sizes + 8).ravel()).reshape(sizes.shape)
    data = np.empty(int(sizes.sum()) + 8 * sizes.size, np.uint8)
    data[begins.ravel()[:, None] + np.arange(8)] = sizes.ravel()[:, None].astype("<i8").view(np.uint8)
    for number, (lengths, texts) in enumerate(gathered):
        data[range_places(begins[:, number] + 8, lengths)] = texts
    return data.tobytes()
