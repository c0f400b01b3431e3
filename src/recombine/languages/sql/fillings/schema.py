"""The tables of a database: columns with their kinds, keys, and which column refers to which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.languages.sql.schemas.schema_file import read_schema_file

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.languages.sql.schemas.schema_file import SchemaEntry

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

    @classmethod
    def of(cls, entry: SchemaEntry) -> Schema:
        """The tables of one entry of a file, which must say kinds and keys."""
        kinds = entry.needed(entry.kinds, "the kinds of its columns", "column_types")
        primary = entry.needed(entry.primary_keys, "its primary keys", "primary_keys")
        foreign = entry.needed(entry.foreign_keys, "its foreign keys", "foreign_keys")
        tables: list[list[Column]] = [[] for _ in entry.tables]
        for column, kind in zip(entry.columns, kinds, strict=True):
            if column.table >= 0:
                tables[column.table].append(Column(column.name, kind))
        keys = {entry.columns[number].table: entry.columns[number].name for number in reversed(primary)}
        made = tuple(
            Table(name, tuple(columns), keys.get(place, ""))
            for place, (name, columns) in enumerate(zip(entry.tables, tables, strict=True))
        )
        ends = ((entry.columns[one], entry.columns[other]) for one, other in dict.fromkeys(foreign))
        links = (Link(made[one.table].name, one.name, made[other.table].name, other.name) for one, other in ends)
        return cls(entry.database, made, tuple(links))


def read_schemas(path: Path) -> dict[str, Schema]:
    """The schemas of a file, by the names of their databases."""
    return {entry.database: Schema.of(entry) for entry in read_schema_file(path).entries}
