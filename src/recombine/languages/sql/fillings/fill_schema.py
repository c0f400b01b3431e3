"""A small SQLite database for a schema: same seed, same rows.

Each table gets `ROWS` rows. Columns that foreign keys link share their values, a column that refers to another has
values of that one only, and a key has each value once. The first rows of each table hold the values that a query speaks
of and refer to the first rows of others, so that conditions on several tables hold together; the others have them half
of the time. Other values are from small ranges, whose sizes depend on the seed, so that groups and ties occur; some are
NULL.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.languages.sql.fillings.schema import NUMBER, TIME
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from recombine.languages.sql.fillings.schema import Link, Schema, Table
    from recombine.languages.sql.fillings.wanted_values import Value

ROWS = 24
"""The rows of a table."""
_FIRST = 4
_RANGES = (2, 4, 9)
_NULLS = 0.06


def fill_schema(
    schema: Schema,
    *,
    seed: int,
    wanted: Mapping[str, Sequence[Value]] | None = None,
    only: Collection[str] | None = None,
) -> sqlite3.Connection:
    """A database in memory; `only` these tables, in lower case, and those that they refer to.

    >>> from recombine.languages.sql.fillings.schema import Column, Schema, Table
    >>> dogs = Schema("dogs", (Table("dog", (Column("id", "number"), Column("breed")), "id"),))
    >>> database = fill_schema(dogs, seed=0, wanted={"breed": ["pug"]})
    >>> database.execute("select count(*), count(distinct id), count(nullif(breed, 'pug')) < 20 from dog").fetchall()
    [(24, 24, 1)]
    """
    tables = _needed(schema, only)
    links = [link for link in schema.links if {link.table.lower(), link.to_table.lower()} <= set(tables)]
    filling = _Filling(make_generator(seed), links, wanted or {})
    database = sqlite3.connect(":memory:")
    for name in _parents_first(tables, links):
        table = tables[name]
        rows = filling.rows_of(table)
        database.execute(_create(table, [link for link in links if link.table.lower() == name]))
        places = ", ".join("?" * len(table.columns))
        database.executemany(f"insert into {_quoted(table.name)} values ({places})", rows)  # noqa: S608
    return database


def _needed(schema: Schema, only: Collection[str] | None) -> dict[str, Table]:
    """The tables by their names in lower case, with all that they refer to."""
    known = {table.name.lower(): table for table in schema.tables}
    names = {name for name in known if only is None or name in only}
    while more := {link.to_table.lower() for link in schema.links if link.table.lower() in names} - names:
        names |= more
    return {name: known[name] for name in sorted(names)}


def _parents_first(tables: Mapping[str, Table], links: Sequence[Link]) -> list[str]:
    """The tables, each after those that it refers to; where they refer to each other in a ring, by name."""
    waiting, order = sorted(tables), []
    while waiting:
        free = [
            name
            for name in waiting
            if not any(link.table.lower() == name and link.to_table.lower() in set(waiting) - {name} for link in links)
        ]
        chosen = (free or waiting)[0]
        order.append(chosen)
        waiting.remove(chosen)
    return order


def _create(table: Table, links: Sequence[Link]) -> str:
    columns = []
    for column in table.columns:
        key = " primary key" if column.name == table.key else ""
        columns.append(f"{_quoted(column.name)} {'numeric' if column.kind == NUMBER else 'text'}{key}")
    columns += [
        f"foreign key ({_quoted(link.column)}) references {_quoted(link.to_table)} ({_quoted(link.to_column)})"
        for link in links
    ]
    return f"create table {_quoted(table.name)} ({', '.join(columns)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class _Filling:
    """The values so far, table by table."""

    def __init__(
        self, random: np.random.Generator, links: Sequence[Link], wanted: Mapping[str, Sequence[Value]]
    ) -> None:
        self._random, self._links, self._wanted = random, links, wanted
        self._filled: dict[tuple[str, str], list[Any]] = {}

    def rows_of(self, table: Table) -> list[tuple[Any, ...]]:
        """The rows of a table."""
        columns = []
        for column in table.columns:
            name, kind = (table.name.lower(), column.name.lower()), column.kind
            parent = self._parent(*name)
            is_key = column.name == table.key
            if parent is not None:
                values = self._referring(parent, is_key=is_key)
            elif is_key:
                values = self._key(self._wanted_for(name), kind)
            else:
                values = self._plain(self._wanted_for(name), kind)
            self._filled[name] = values
            columns.append(values)
        shortest = min(map(len, columns), default=0)
        for column, values in zip(table.columns, columns, strict=True):
            self._filled[table.name.lower(), column.name.lower()] = values[:shortest]
        return list(zip(*(values[:shortest] for values in columns), strict=True))

    def _parent(self, table: str, column: str) -> list[Any] | None:
        for link in self._links:
            if (link.table.lower(), link.column.lower()) == (table, column):
                values = self._filled.get((link.to_table.lower(), link.to_column.lower()))
                if values:
                    return list(dict.fromkeys(value for value in values if value is not None))
        return None

    def _wanted_for(self, name: tuple[str, str]) -> list[Value]:
        """What is wanted of a column, or of one that refers to it, by whatever table the query names it with."""
        names = [name[1]]
        names += [
            link.column.lower() for link in self._links if (link.to_table.lower(), link.to_column.lower()) == name
        ]
        return list(dict.fromkeys(value for each in dict.fromkeys(names) for value in self._wanted.get(each, ())))

    def _referring(self, parent: list[Any], *, is_key: bool) -> list[Any]:
        if is_key:
            return parent[: max(_FIRST, 2 * len(parent) // 3)]  # some of the others are referred to by none
        first = [parent[min(place // 2, len(parent) - 1)] for place in range(_FIRST)]
        few = self._random.integers(0, min(3, len(parent)), ROWS)
        many = self._random.integers(0, len(parent), ROWS)
        chosen = np.where(self._random.random(ROWS) < 0.5, few, many)
        return first + [parent[place] for place in chosen[_FIRST:]]

    def _key(self, wanted: list[Value], kind: str) -> list[Any]:
        others = (self._value(kind, number) for number in range(1, ROWS + len(wanted) + 1))
        return list({str(value): value for value in [*wanted, *others]}.values())[: max(ROWS, len(wanted))]

    def _plain(self, wanted: list[Value], kind: str) -> list[Any]:
        size = int(self._random.choice(_RANGES))
        usual = [self._value(kind, number) for number in range(1, size + 1)]
        turns = self._random.random((ROWS, 2))
        picks = self._random.integers(0, 1 << 30, ROWS)
        values: list[Any] = []
        for place in range(ROWS):
            if wanted and (place < _FIRST or turns[place, 0] < 0.5):
                values.append(wanted[(place if place < _FIRST else int(picks[place])) % len(wanted)])
            elif turns[place, 1] < _NULLS and place >= _FIRST:
                values.append(None)
            else:
                values.append(usual[int(picks[place]) % size])
        return values

    def _value(self, kind: str, number: int) -> Value:
        if kind == NUMBER:
            return number
        if kind == TIME:
            return f"20{10 + number % 15:02d}-{1 + number % 12:02d}-{1 + number % 28:02d}"
        return f"word {number}"
