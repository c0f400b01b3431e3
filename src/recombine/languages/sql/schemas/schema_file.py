"""The one reader of files of schemas, as Spider's `tables.json`, also packed with gzip.

It gives what stands there, checked: tables, columns with the table that each is of, and keys by the numbers of columns.
What is made of it is for others to say: tables to fill (`fillings/schema.py`), names to compare queries under
(`evaluation/match/spider/schema.py`), a text after a question (`datasets/published/append_schema.py`). Kinds of columns
and keys may be missing; who needs them asks with `needed`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

Given = TypeVar("Given")
REMEDY = "give Spider's tables.json, or one like it"


class SchemaColumn(NamedTuple):
    """A column as a file lists it: the number of its table, below 0 for all of them, and its name."""

    table: int
    name: str


@dataclass(frozen=True)
class SchemaEntry:
    """One database of a file."""

    database: str
    tables: tuple[str, ...]
    columns: tuple[SchemaColumn, ...]
    kinds: tuple[str, ...] | None = None
    """The kind of each column; none where the file does not say."""
    primary_keys: tuple[int, ...] | None = None
    """The numbers of columns; none where the file does not say."""
    foreign_keys: tuple[tuple[int, int], ...] | None = None
    """The number of a column and that of the one that it refers to; none where the file does not say."""
    path: str = "schemas"
    number: int = 1

    @classmethod
    def of(cls, record: Any, path: Path | str = "schemas", number: int = 1) -> SchemaEntry:
        """An entry from its JSON object; what is not in Spider's form is refused.

        >>> columns = [[-1, "*"], [0, "ID"], [0, "Name"]]
        >>> entry = SchemaEntry.of({"db_id": "x", "table_names_original": ["Dogs"], "column_names_original": columns})
        >>> entry.tables, entry.columns[2].name, entry.foreign_keys
        (('Dogs',), 'Name', None)
        """
        try:
            return cls._checked(record, str(path), number)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            problem = "does not name its database, tables, columns and keys as Spider does"
            raise RecordError(path, f"entry {number}", problem, REMEDY) from None

    @classmethod
    def _checked(cls, record: Mapping[str, Any], path: str, number: int) -> SchemaEntry:
        tables = tuple(map(_text, record["table_names_original"]))
        columns = tuple(SchemaColumn(int(table), _text(name)) for table, name in record["column_names_original"])
        kinds, primary, foreign = (record.get(key) for key in ("column_types", "primary_keys", "foreign_keys"))
        ends = None if foreign is None else tuple((int(one), int(other)) for one, other in foreign)
        keys = (*(primary or ()), *(end for link in ends or () for end in link))
        if any(column.table >= len(tables) for column in columns) or any(not 0 <= key < len(columns) for key in keys):
            raise IndexError
        if kinds is not None and len(kinds) != len(columns):
            raise ValueError
        return cls(
            _text(record["db_id"]),
            tables,
            columns,
            None if kinds is None else tuple(map(_text, kinds)),
            None if primary is None else tuple(map(int, primary)),
            ends,
            path,
            number,
        )

    def needed(self, value: Given | None, what: str, key: str) -> Given:
        """A part that a file may lack, for who cannot do without."""
        if value is None:
            raise RecordError(self.path, f"entry {self.number}", f"says nothing of {what}", f"add {key}, if need be []")
        return value


@dataclass(frozen=True)
class SchemaFile:
    """The databases of a file, in its order."""

    name: str
    """The file's own name."""
    digest: str
    entries: tuple[SchemaEntry, ...]


def read_schema_file(path: Path | str) -> SchemaFile:
    """The databases of a file; what is no such file is refused with the entry that is not."""
    content = read_bytes(path)
    try:
        records = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        problem = f"{path}: broken JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        raise InputFileError(problem, REMEDY) from None
    if not isinstance(records, list) or not records:
        raise InputFileError(f"{path}: is no list of schemas", REMEDY)
    entries = tuple(SchemaEntry.of(record, path, number) for number, record in enumerate(records, start=1))
    return SchemaFile(Path(path).name, hashlib.blake2b(content, digest_size=4).hexdigest(), entries)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
