"""A query as the published evaluator reads it: columns by table and name, aliases gone."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Column(NamedTuple):
    """A column, `table.column` or `*`, with the function around it and whether DISTINCT stands before it."""

    function: str
    name: str
    distinct: bool | None


class Term(NamedTuple):
    """A column, or two with `+`, `-`, `*` or `/` between."""

    operator: str
    left: Column
    right: Column | None


class Item(NamedTuple):
    """What is selected: a term with the function around it."""

    function: str
    term: Term


class Condition(NamedTuple):
    """One condition; `second` is the upper end of BETWEEN."""

    negated: bool
    operator: str
    term: Term
    first: Value
    second: Value


class Query(NamedTuple):
    """The parts of a query; a set operation belongs to the query on its left."""

    distinct: bool | None
    select: tuple[Item, ...]
    tables: tuple[str | Query, ...]
    on: Conditions
    where: Conditions
    group: tuple[Column, ...]
    having: Conditions
    order: tuple[str, tuple[Term, ...]] | None
    """The one direction that is kept, the last, and what is ordered by."""
    limit: bool
    operation: str
    other: Query | None


Value: TypeAlias = str | float | Column | Query | None
"""What a column is compared with."""
Conditions: TypeAlias = tuple[Condition | str, ...]
"""Conditions with `and` and `or` between them, as they stand."""
