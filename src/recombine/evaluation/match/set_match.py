"""Exact set match for SQL, without values (Yu et al., 2018, the Spider paper, §6).

Two queries match when each part of one is, as a set, the same part of the other: what is selected, with aggregates and
DISTINCT; tables and join conditions; conditions of WHERE and HAVING, with operators and the nesting of AND and OR;
GROUP BY; ORDER BY with directions, in order; whether there is a LIMIT; set operations with both sides, in order; and in
all of these inner queries in the same manner. Aliases, values and the order of what is a set do not count. A query with
what the data has not (WITH, CASE, CAST, windows, …) is compared as a whole: normalised as `sql:spider` does, without
values.

The script published with the data differs:
- it knows the schema, so it takes columns that a foreign key links for one, and finds the table of a column that is
  written without one; here such a column equals `table.column` only where the FROM has one table;
- by default it leaves out DISTINCT and join conditions, which count here;
- of AND and OR it compares which of the two words occur, here their nesting counts;
- it takes `t1.name` and `t2.name` for one column where t1 and t2 are copies of one table; here copies are kept apart.
"""

from __future__ import annotations

from dataclasses import fields

from recombine.evaluation.match.set_match_clauses import Components, components
from recombine.languages.sql.sql import SQL


def read_components(program: str) -> Components:
    """The parts of a query given as text; a malformed one is a `ProgramError`."""
    return components(SQL.parse(program))


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
