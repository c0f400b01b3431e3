"""Exact set match for SQL, without values (Yu et al., 2018, the Spider paper, §6).

Two queries match when each part of one is, as a set, the same part of the other: what is selected, with aggregates and
DISTINCT; tables and join conditions; conditions of WHERE and HAVING, with operators and the nesting of AND and OR;
GROUP BY; ORDER BY with directions, in order; whether there is a LIMIT; set operations with both sides, in order; and in
all of these inner queries in the same manner. Aliases, values and the order of what is a set do not count. A query with
what the data has not (WITH, CASE, CAST, windows, …) is compared as a whole: normalised as `sql:spider` does, without
values.

Columns that an inner join holds equal are one. A column without its table belongs to the one table in FROM; where there
are several, a schema can tell whose it is. The script published with the data decides otherwise: see `spider`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from recombine.evaluation.match.quick_sql.quick_parse import quick_parse
from recombine.evaluation.match.set_match_clauses import Components, components
from recombine.languages.sql.sql import SQL

if TYPE_CHECKING:
    from recombine.evaluation.match.set_match_names import Columns
    from recombine.tree import Tree

FIELDS = (("joined_columns", "one"),)
"""What its verdicts depend on besides the texts, as the signature of a score names it."""


def read_tree(program: str) -> Tree:
    """The tree of a query given as text; a malformed one is a `ProgramError`."""
    return quick_parse(program) or SQL.parse(program)


def read_components(program: str, schema: Columns | None = None) -> Components:
    """The parts of a query given as text, with the columns of each table where they are known.

    A malformed query is a `ProgramError`.
    """
    return components(read_tree(program), schema)


def differing_parts(gold: str, predicted: str) -> tuple[str, ...]:
    """The names of the parts in which two queries differ; two that differ in none match.

    >>> gold = "select name , age from dogs where age > 3 and breed = 'pug'"
    >>> differing_parts(gold, "select t.age , t.name from dogs as t where t.breed = 'corgi' and t.age > 9")
    ()
    >>> differing_parts(gold, "select count(*) from dogs where age > 3 and breed = 'pug' limit 1")
    ('select', 'limit')
    """
    one, other = read_components(gold), read_components(predicted)
    return tuple(part.name for part in fields(Components) if getattr(one, part.name) != getattr(other, part.name))
