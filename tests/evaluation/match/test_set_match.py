"""Set match: cases by hand, every gold query against itself, and the data's own parse of its queries beside ours."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from collections import defaultdict
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import ProgramError
from recombine.evaluation.match.set_match import differing_parts, read_components
from recombine.evaluation.match.set_match_clauses import components
from recombine.languages.sql.sql import SQL

MATCH = [
    ("select a , b from t", "SELECT t.B , x.a FROM T AS x"),
    ("select a from t where b = 1", "select a from t where 'no' = b"),
    ("select a from t where b in (1 , 2)", "select a from t where b in (3)"),
    ("select a from t limit 1", "select a from t limit 5"),
    ("select t1.* from t as t1", "select * from t"),
    ("select count(*) as n from t group by a order by n", "select count(*) from t group by a order by count(*)"),
    ("select a , count(*) from t group by 1 order by 2", "select count(*) , a from t group by a order by count(*)"),
    ("select x.n from (select a as n from t) as x", "select y.m from (select a as m from t) as y"),
    ("select x.a from (select a from t) as x", "select a from (select a from t)"),
    ("select a from t join u on t.b = u.b", "select a from u join t on u.b = t.b"),
    (
        "select a from t join u on t.b = u.b join v on u.c = v.c",
        "select a from v join u join t on t.b = u.b and v.c = u.c",
    ),
    (
        "select p.a from t as p join t as q on p.b = q.c where q.d = 1",
        "select q.a from t as p join t as q on q.b = p.c where p.d = 2",
    ),
    (
        "select a from t as p where exists (select * from t as q where q.b = p.c)",
        "select a from t as q where exists (select * from t as p where p.b = q.c)",
    ),
    (
        "select t1.a from t as t1 union select u.a from u order by t1.a",
        "select x.a from t as x union select a from u order by x.a",
    ),
    ("select a from t where `b c` = 1", "select a from t where [B C] = 2"),
    # what an inner join holds equal is one column, and one condition of the joins
    ("select t.b from t join u on t.b = u.c group by u.c", "select u.c from u join t on t.b = u.c group by t.b"),
    (
        "select t.a from t join u on t.b = u.c join v on u.c = v.d where v.d > 1",
        "select t.a from t join u on t.b = u.c join v on t.b = v.d where t.b > 1",
    ),
    (
        "select t.a from t join u on t.b = u.c where exists (select * from v where v.d = t.b)",
        "select t.a from t join u on t.b = u.c where exists (select * from v where v.d = u.c)",
    ),
    ("select a as x from t union select b from u order by x", "select a as y from t union select b from u order by 1"),
]
DIFFER = [
    ("select a from t", "select distinct a from t", "distinct"),
    ("select a from t", "select a , a from t", "select"),
    ("select a from t", "select count(a) from t", "select"),
    ("select count(a) from t", "select count(distinct a) from t", "select"),
    ("select a from t where b = 1", "select a from t where b = 1 and b = 2", "where"),
    ("select a from t where b = 1 and c = 1", "select a from t where b = 1 or c = 1", "where"),
    ("select a from t where b and (c or d)", "select a from t where (b and c) or d", "where"),
    ("select a from t where b in (1)", "select a from t where b not in (1)", "where"),
    ("select a from t where b is null", "select a from t where b is not null", "where"),
    ("select a from t where b < c", "select a from t where c < b", "where"),
    ("select a from t where b in (select c from u)", "select a from t where b in (select d from u)", "where"),
    ("select a from t where b in (select c from u)", "select a from t where b in (select c from v)", "where"),
    ("select a from t order by b , c", "select a from t order by c , b", "order"),
    ("select a from t order by b", "select a from t order by b desc", "order"),
    ("select a from t order by b limit 1", "select a from t order by b", "limit"),
    ("select a from t limit 1 offset 1", "select a from t limit 1", "offset"),
    ("select a , b from t order by 1", "select a , b from t order by 2", "order"),
    ("select a from t group by b", "select a from t group by b , c", "group"),
    ("select a from t group by b having count(*) > 1", "select a from t group by b having count(*) > 1 or c", "having"),
    ("select a from t", "select a from u", "select tables"),
    ("select t.a from t join u on t.b = u.b", "select t.a from t join u on t.b = u.c", "joins"),
    ("select t.a from t join u on t.b = u.b", "select t.a from t join u", "joins"),
    ("select t.a from t join u on t.b = u.b", "select t.a from t left join u on t.b = u.b", "joins"),
    ("select t.a from t left join u on t.b = u.b", "select t.a from u left join t on t.b = u.b", "joins"),
    # no column stands for another where a join is an outer one, or its condition no equality that must hold
    ("select t.b from t left join u on t.b = u.c", "select u.c from t left join u on t.b = u.c", "select"),
    ("select t.b from t join u on t.b = u.c or t.a = 1", "select u.c from t join u on t.b = u.c or t.a = 1", "select"),
    ("select t.b from t join u on t.b < u.c", "select u.c from t join u on t.b < u.c", "select"),
    ("select t.b from t join u where t.b = u.c", "select u.c from t join u where t.b = u.c", "select"),
    ("select t.a from t join u using (b)", "select t.a from t join u using (c)", "joins"),
    ("select t.a from t join t as u on t.b = u.c", "select u.a from t join t as u on t.b = u.c", "joins"),
    ("select a from t union select a from u", "select a from u union select a from t", "sides"),
    ("select a from t union select a from u", "select a from t union all select a from u", "operation"),
    ("select a from t union select a from u", "select a from t", "select tables operation sides"),
    ("select a from (select a from t)", "select a from (select a from t where b = 1)", "select tables"),
    (
        "select a from t as p where exists (select * from t as q where q.b = p.c)",
        "select a from t as p where exists (select * from t as q where q.b = q.c)",
        "where",
    ),
    (
        "select x.a from (select * from t) as x join (select * from u) as y on x.b = y.b",
        "select y.a from (select * from t) as x join (select * from u) as y on x.b = y.b",
        "select",
    ),
]


def set_match(gold: str, predicted: str) -> bool:
    """Whether the metric takes two queries for one."""
    return read_components(gold) == read_components(predicted)


@pytest.mark.parametrize(("one", "other"), MATCH)
def test_what_does_not_count(one: str, other: str) -> None:
    assert set_match(one, other)
    assert differing_parts(one, other) == ()


@pytest.mark.parametrize(("one", "other", "where"), DIFFER)
def test_what_counts(one: str, other: str, where: str) -> None:
    assert not set_match(one, other)
    assert not set_match(other, one)
    assert " ".join(differing_parts(one, other)) == where


EQUAL_COLUMNS = [pair for pair in MATCH if "t.b = u.c" in pair[0]]


@pytest.mark.parametrize(("one", "other"), EQUAL_COLUMNS)
def test_columns_that_a_join_holds_equal_give_the_same_rows(one: str, other: str) -> None:
    """On SQLite, over tables of small numbers and nulls."""
    draw = random.Random(one)  # noqa: S311
    for _ in range(30):
        with closing(sqlite3.connect(":memory:")) as database:
            for name, columns in (("t", "a b"), ("u", "c"), ("v", "d")):
                database.execute(f"create table {name} ({', '.join(f'{each} integer' for each in columns.split())})")
                for _ in range(4):
                    row = [draw.choice((None, 0, 1, 2)) for _ in columns.split()]
                    database.execute(f"insert into {name} values ({', '.join('?' for _ in row)})", row)  # noqa: S608
            rows = [sorted(database.execute(text).fetchall(), key=repr) for text in (one, other)]
        assert rows[0] == rows[1]


def test_a_bare_column_of_several_tables_is_not_guessed() -> None:
    assert not set_match("select a from t join u on t.b = u.b", "select t.a from t join u on t.b = u.b")


SCHEMA = {"t": {"a", "b", "k"}, "u": {"b", "c", "k"}, "v": {"d"}}
UNDER_SCHEMA = [
    ("select a from t join u on t.b = u.b", "select t.a from t join u on t.b = u.b", True),
    ("select a , c from t join u", "select t.a , u.c from t join u", True),
    ("select c from t join u", "select t.c from t join u", False),
    # both have it: whose it is, no schema can tell
    ("select k from t join u", "select t.k from t join u", False),
    # no table of the inner query has it, so it is the outer one's
    (
        "select a from t where exists (select * from v where d = a)",
        "select a from t where exists (select * from v where v.d = t.a)",
        True,
    ),
    (
        "select a from t where exists (select * from v where d = a)",
        "select a from t where exists (select * from v where v.d = v.a)",
        False,
    ),
    # what an inner query gives is known, too
    ("select n from (select a as n from t) as x join u", "select x.n from (select a as n from t) as x join u", True),
    # a table that the schema lacks may have any column
    ("select z from t join w", "select w.z from t join w", True),
    ("select z from w", "select w.z from w", True),
]


@pytest.mark.parametrize(("one", "other", "matches"), UNDER_SCHEMA)
def test_a_schema_tells_whose_a_bare_column_is(one: str, other: str, matches: bool) -> None:
    assert (read_components(one, SCHEMA) == read_components(other, SCHEMA)) is matches


def test_a_malformed_query_is_refused() -> None:
    with pytest.raises(ProgramError, match="a bracket that is not closed"):
        set_match("select a from t", "select count(a from t")


def test_nesting_does_not_make_names_grow() -> None:
    query = "select a + a as a , x from t"
    for _ in range(12):
        query = "select a + a as a , x from (inner) as y where x = y.x".replace("inner", query)
    assert len(str(read_components(query))) < 10_000
    assert set_match(query, query.replace(" y", " z"))
    assert not set_match(query, query.replace("from t)", "from u)"))


def test_many_copies_of_a_table() -> None:
    # Seven copies have more orders than are tried: they are numbered as they stand.
    one = " join ".join(["select t0.a , t6.b from t as t0", *(f"t as t{number}" for number in range(1, 7))])
    assert set_match(one, one.replace("t0", "x").replace("t6", "y"))
    assert not set_match(one, one.replace("t6.b", "t0.b"))


def read_spider(data_dir: Path, part: str) -> list[dict[str, Any]]:
    with gzip.open(data_dir / "spider" / f"{part}.json.gz", "rt", encoding="utf-8") as file:
        found: list[dict[str, Any]] = json.load(file)
    return found


@pytest.mark.shared_data
@pytest.mark.parametrize("stride", [pytest.param(8, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)])
def test_every_gold_query_matches_itself(stride: int, data_dir: Path) -> None:
    with gzip.open(data_dir / "spider" / "spider_ssp.tsv.gz", "rt", encoding="utf-8") as lines:
        texts = {line.rstrip("\n").split("\t")[1] for line in lines}
    for part in ("train_spider", "dev"):
        texts.update(item["query"] for item in read_spider(data_dir, part))
    assert len(texts) == 6684
    trees = [SQL.parse(text) for text in sorted(texts)[::stride]]
    assert [tree for tree in trees if components(tree) != components(SQL.normalise(tree))] == []


def published_parts(query: dict[str, Any] | None) -> Any:
    """What the published script compares, of its own parse of a query: no values, no DISTINCT, no join conditions."""
    if query is None:
        return None

    def column(unit: Any) -> Any:
        return unit and unit[1] and (unit[0], unit[1])

    def term(unit: Any) -> Any:
        return unit and (unit[0], column(unit[1]), column(unit[2]))

    def value(unit: Any) -> Any:
        return published_parts(unit) if isinstance(unit, dict) else column(unit) if isinstance(unit, list) else None

    def condition(unit: Any) -> Any:
        return unit if isinstance(unit, str) else (unit[0], unit[1], term(unit[2]), value(unit[3]), value(unit[4]))

    where = [condition(unit) for unit in query["where"]]
    order = query["orderBy"]
    return {
        "select": sorted(repr((aggregate, term(unit))) for aggregate, unit in query["select"][1]),
        "tables": sorted(repr(value(unit[1]) or unit[1]) for unit in query["from"]["table_units"]),
        "where": (sorted(map(repr, where[::2])), sorted(set(where[1::2]))),
        "group": sorted(repr(column(unit)) for unit in query["groupBy"]),
        "having": [condition(unit) for unit in query["having"]],
        "order": order and (order[0], [term(unit) for unit in order[1]]),
        "limit": query["limit"] is not None,
        "sides": [published_parts(query[name]) for name in ("intersect", "union", "except")],
    }


@pytest.mark.shared_data
def test_pairs_that_match_are_those_of_the_published_parse(data_dir: Path) -> None:
    """The dev set comes with its authors' parse of each query; `sql` there knows the schema, and we do not."""
    groups: dict[str, dict[str, Any]] = defaultdict(dict)
    for item in read_spider(data_dir, "dev"):
        groups[item["db_id"]][item["query"]] = (published_parts(item["sql"]), read_components(item["query"]))
    theirs, ours, apart = 0, 0, []
    for queries in groups.values():
        for (one, first), (other, second) in combinations(queries.items(), 2):
            theirs += first[0] == second[0]
            ours += first[1] == second[1]
            if (first[0] == second[0]) != (first[1] == second[1]):
                apart.append((one, other))
    assert (theirs, ours) == (18, 15)
    # The three others ask for departures and for arrivals, which is a matter of the join condition.
    assert all(differing_parts(one, other) == ("joins",) for one, other in apart)


WHOLE = [
    (
        "with c as (select b.a from b where b.d = 1) select a from c",
        "WITH c AS (SELECT x.a FROM b AS x WHERE 2 = x.d) SELECT a FROM c",
        "with c as (select e.a from e where e.d = 1) select a from c",
    ),
    (
        "select case when a > 1 then 'x' end from b where c = 1 and d = 2",
        "select case when a > 9 then 'y' end from b where d = 1 and c = 2",
        "select case when a < 1 then 'x' end from b where c = 1 and d = 2",
    ),
]


@pytest.mark.parametrize(("gold", "same", "other"), WHOLE)
def test_queries_with_what_spider_has_not_are_compared_as_a_whole(gold: str, same: str, other: str) -> None:
    assert differing_parts(gold, same) == ()
    assert differing_parts(gold, other) == ("whole",)
    assert "whole" in differing_parts(gold, "select a from c")
