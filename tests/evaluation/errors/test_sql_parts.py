"""The counts of wrong parts of SQL queries, and what stands beside them."""

from __future__ import annotations

from recombine.evaluation.errors.sql_analysis import sql_tables
from recombine.evaluation.errors.sql_parts import sql_parts

GOLD = "select name from dogs where age > 3"


def test_what_is_not_read_is_counted_apart_from_what_is_malformed() -> None:
    outputs = [GOLD, "select name from dogs", "select (", "drop table dogs", "delete from dogs", ""]
    counted = sql_parts([(GOLD, output) for output in outputs])
    assert (counted.outputs, counted.different, counted.malformed, counted.unsupported, counted.abstained) == (
        6,
        1,
        1,
        2,
        1,
    )
    (table,) = sql_tables(counted)
    assert table.rows[-1] == ("not read: no query, or not supported", "", "2")
    assert counted.to_record()["unsupported"] == 2


def test_constructs_that_spider_has_not_are_read() -> None:
    counted = sql_parts([(GOLD, "with d as (select * from dogs) select name from d where age > 3")])
    assert (counted.malformed, counted.unsupported, counted.different) == (0, 0, 1)
