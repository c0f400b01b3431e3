"""The tables of a database: columns with their kinds, keys, and which column refers to which.

`read_schemas` reads them as Spider publishes them (`tables.json`, also packed with gzip).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

TEXT, NUMBER, TIME = "text", "number", "time"
"""The kinds of columns; any other kind is filled as text."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: str = TEXT


@dataclass(frozen=True)
class Table:
    """A table; its key is one column, or none."""

    name: str
    columns: tuple[Column, ...]
    key: str = ""


@dataclass(frozen=True)
class Link:
    """A foreign key: a column of a table and the column that it refers to."""

    table: str
    column: str
    to_table: str
    to_column: str


@dataclass(frozen=True)
class Schema:
    """The tables of a database."""

    name: str
    tables: tuple[Table, ...]
    links: tuple[Link, ...] = ()


def read_schemas(path: Path) -> dict[str, Schema]:
    """The schemas of a file, by the names of their databases."""
    try:
        records = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: cannot be read as JSON: {error}", "name Spider's tables.json") from None
    if not isinstance(records, list):
        raise InputFileError(f"{path}: is no list of databases", "name Spider's tables.json")
    schemas = {}
    for number, record in enumerate(records, start=1):
        try:
            schema = _schema(record)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            problem = f"is no database of tables and columns ({type(error).__name__}: {error})"
            raise RecordError(path, f"database {number}", problem, "name Spider's tables.json") from None
        schemas[schema.name] = schema
    return schemas


def _schema(record: dict[str, Any]) -> Schema:
    names, kinds = record["column_names_original"], record["column_types"]
    tables: list[list[Column]] = [[] for _ in record["table_names_original"]]
    for (place, name), kind in zip(names, kinds, strict=True):
        if place >= 0:
            tables[place].append(Column(name, kind))
    keys = {names[number][0]: names[number][1] for number in reversed(record["primary_keys"])}
    made = tuple(
        Table(name, tuple(columns), keys.get(place, ""))
        for place, (name, columns) in enumerate(zip(record["table_names_original"], tables, strict=True))
    )
    ends = dict.fromkeys((one, other) for one, other in record["foreign_keys"])
    links = (
        Link(made[names[one][0]].name, names[one][1], made[names[other][0]].name, names[other][1])
        for one, other in ends
    )
    return Schema(record["db_id"], made, tuple(links))
