"""The error types of SQL: the parts of queries that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.evaluation.errors.known import ErrorAnalysis, ErrorTable
from recombine.evaluation.errors.sql_parts import sql_parts

if TYPE_CHECKING:
    from recombine.evaluation.errors.sql_parts import SqlParts


def sql_tables(counts: SqlParts) -> list[ErrorTable]:
    """The parts of SQL queries that are wrong, the most common first."""
    rows = [
        (name.replace("_", " "), f"{100 * count / counts.outputs:.1f}", f"{count:,}")
        for name, count in sorted(counts.parts.items(), key=lambda item: -item[1])
        if count
    ]
    rows.append(("malformed / no output", "", f"{counts.malformed:,} / {counts.abstained:,}"))
    if counts.unsupported:
        rows.append(("not read: no query, or not supported", "", f"{counts.unsupported:,}"))
    return [ErrorTable(("wrong part of the query", "%", "count"), rows)]


SQL_ANALYSIS = ErrorAnalysis("sql_parts", sql_parts, tables=sql_tables)
