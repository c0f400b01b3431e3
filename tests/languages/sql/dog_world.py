"""A schema of our own for the tests of SQL, and what runs a query on its fillings."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import cache

from recombine.languages.sql.fillings.fill_schema import fill_schema
from recombine.languages.sql.fillings.schema import NUMBER, TIME, Column, Link, Schema, Table
from recombine.languages.sql.fillings.wanted_values import wanted_values
from recombine.tree import Tree

SEEDS = range(5)
DOGS = Schema(
    "dogs",
    (
        Table("owner", (Column("id", NUMBER), Column("city")), "id"),
        Table(
            "dog",
            (
                Column("id", NUMBER),
                Column("name"),
                Column("breed"),
                Column("age", NUMBER),
                Column("born", TIME),
                Column("owner_id", NUMBER),
            ),
            "id",
        ),
    ),
    (Link("dog", "owner_id", "owner", "id"),),
)


def iter_databases(*trees: Tree) -> Iterator[sqlite3.Connection]:
    """A database for each seed, with the values that the queries speak of."""
    wanted = {name: values for tree in trees for name, values in wanted_values(tree).items()}
    for seed in SEEDS:
        database = fill_schema(DOGS, seed=seed, wanted=wanted)
        database.create_function(
            "REGEXP", 2, lambda pattern, text: text is not None and bool(_compiled(pattern).search(text))
        )
        yield database
        database.close()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def rows(database: sqlite3.Connection, text: str) -> list[str]:
    """The rows of a query, as a multiset."""
    return sorted(map(repr, database.execute(text).fetchall()))
