"""Contexts in columns that have types: a text is JSON only where it is an object or an array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OutputFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import pyarrow as pa


def read_column_cell(value: Any) -> Any:
    """The value of a cell of Parquet, where it is of a column of texts.

    >>> [read_column_cell(cell) for cell in ("7", 7, "[1]")]
    ['7', 7, [1]]
    """
    read = read_json(value) if isinstance(value, str) else value
    return read if isinstance(read, dict | list) else value


def read_json(text: str) -> Any:
    """The value of a text that is JSON, or the text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


@dataclass(frozen=True)
class ColumnOfCells:
    """A column of contexts: numbers and truths as they are where all are of one type, else texts.

    >>> from pathlib import Path
    >>> ColumnOfCells.of("scene", [7, None, 9], Path("x.parquet")).cells([7, None])
    [7, None]
    >>> ColumnOfCells.of("scene", ["a", [1]], Path("x.parquet")).cells([[1], "a"])
    ['[1]', 'a']
    """

    name: str
    path: Path | str
    kind: type
    """The type of its cells."""
    ends: tuple[Any, ...] = ()
    """The least and the greatest, where they are whole numbers."""

    @classmethod
    def of(cls, name: str, values: Iterable[Any], path: Path | str) -> ColumnOfCells:
        """The column of these values; each is looked at once, and none is kept."""
        kinds: set[type] = set()
        low, high = 0, 0
        for value in values:
            if value is not None:
                kinds.add(type(value))
                if type(value) is int:
                    low, high = min(low, value), max(high, value)
        if len(kinds) == 1 and kinds <= {bool, int, float}:
            return cls(name, path, kinds.pop(), (low, high))
        return cls(name, path, str)

    def type(self) -> pa.DataType:
        """Its type in Arrow."""
        import pyarrow as pa

        plain = {bool: pa.bool_(), float: pa.float64(), str: pa.string()}
        return plain[self.kind] if self.kind is not int else pa.array(self.ends).type

    def cells(self, values: Sequence[Any]) -> list[Any]:
        """The cells of some values; what would not be read back the same is refused."""
        if self.kind is not str:
            return list(values)
        cells = [orjson.dumps(value).decode() if isinstance(value, dict | list) else value for value in values]
        same = all(read_column_cell(cell) == value for cell, value in zip(cells, values, strict=True))
        if not same or not all(isinstance(cell, str | None) for cell in cells):
            raise OutputFileError(
                f"{self.path}: the context {self.name!r} has values of several types, which one column cannot hold",
                "write .jsonl or .tsv instead",
            )
        return cells
