"""What the published evaluator reads and refuses, and how: after its rules, by hand; and its authors' own parse."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from spider_dogs import DOGS

from recombine.errors import ProgramError
from recombine.evaluation.match.spider.query import Column, Condition, Item, Query, Term
from recombine.evaluation.match.spider.read_query import read_query
from recombine.evaluation.match.spider.read_schemas import Schemas, read_schemas

NAME = Term("none", Column("none", "dogs.name", False), None)
AGE = Term("none", Column("none", "dogs.age", False), None)


def read(text: str) -> Query:
    return read_query(text, DOGS)


def test_a_whole_query() -> None:
    assert read(
        "SELECT DISTINCT T1.Name , count(*) FROM Dogs AS T1 JOIN walks AS T2 ON T1.dog_id = T2.dog_id WHERE age > 3 "
        "AND day NOT LIKE 'M%' GROUP BY T1.name HAVING count(*) BETWEEN 1 AND 2 ORDER BY age ASC , T1.name DESC LIMIT 3"
    ) == Query(
        distinct=True,
        select=(Item("none", NAME), Item("count", Term("none", Column("none", "*", False), None))),
        tables=("dogs", "walks"),
        on=(
            Condition(
                False,
                "=",
                Term("none", Column("none", "dogs.dog_id", False), None),
                Column("none", "walks.dog_id", False),
                None,
            ),
        ),
        where=(
            Condition(False, ">", AGE, 3.0, None),
            "and",
            Condition(True, "like", Term("none", Column("none", "walks.day", False), None), '"M%"', None),
        ),
        group=(Column("none", "dogs.name", False),),
        having=(Condition(False, "between", Term("none", Column("count", "*", False), None), 1.0, 2.0),),
        order=("desc", (AGE, NAME)),
        limit=True,
        operation="",
        other=None,
    )


def test_a_set_operation_belongs_to_the_query_on_its_left() -> None:
    query = read("select name from dogs except select name from owners union select city from owners")
    assert query.operation == "except"
    assert query.other is not None
    assert query.other.operation == "union"
    assert query.other.tables == ("owners",)


def test_a_bare_column_is_of_the_first_table_that_has_it() -> None:
    both = read("select name from owners join dogs")
    assert both.select[0].term.left.name == "owners.name"
    assert read("select name from dogs join owners").select[0].term.left.name == "dogs.name"


def test_of_an_alias_in_two_queries_the_last_counts() -> None:
    query = read("select T1.owner_id from dogs as T1 where T1.owner_id in (select T1.owner_id from walks as T1)")
    assert query.select[0].term.left.name == "walks.owner_id"


def test_what_is_compared_with_is_read_up_to_its_first_column() -> None:
    (condition,) = read("select name from dogs where age > weight + age - 1").where
    assert isinstance(condition, Condition)
    assert condition.first == Column("none", "dogs.weight", False)


def test_what_comes_after_the_end_is_passed_over() -> None:
    assert read("select name from dogs limit 3 offset 2") == read("select name from dogs limit 3")


def test_an_inner_query_in_from() -> None:
    (inner,) = read("select count(*) from (select name from dogs where age > 3)").tables
    assert isinstance(inner, Query)
    assert inner.where == (Condition(False, ">", AGE, 3.0, None),)


def test_conditions_of_joins_are_one_list() -> None:
    query = read(
        "select city from owners as o join dogs as d on o.id = d.owner_id join walks as w on w.dog_id = d.dog_id"
    )
    assert query.on[1] == "and"
    assert len(query.on) == 3


REFUSED = [
    ("select name from cats", 18, "'cats' is no table of dogs"),
    ("select size from dogs", 8, "'size' is no column of a table in FROM"),
    ("select t1.size from dogs as t1", 8, "'t1.size' is no column of dogs"),
    ("select t2.name from dogs as t1", 8, "'t2.name' is no column of dogs"),
    ("select a.name from dogs , owners as a", 25, "',' is no table of dogs"),
    ("select name from dogs left join owners", 23, "'left' is no table of dogs"),
    ("select name as n from dogs", 13, "'as' is no column"),
    ("select name from dogs where age is null", 36, "'null' is no column"),
    ("select name from dogs where age in (1 , 2)", 39, "')' is missing before ','"),
    ("select name from dogs where age <> 3", 34, "'>' is no column"),
    ("select name from dogs where age=3", 29, "'age=3' is no column"),
    ("select name from dogs where age", 32, "a comparison is missing at the end"),
    ("select name from dogs where age between 3", 42, "'and' is missing at the end"),
    ("select abs(age) from dogs", 8, "'abs' is no column"),
    ("select dogs.* from dogs", 8, "'dogs.' is no column of dogs"),
    ("select name", 1, "FROM is missing"),
    ("select name from dogs limit", 28, "LIMIT with nothing after it"),
    ("select name from dogs as", 23, "AS with nothing after it"),
    ("select walks.name from dogs as walks", 32, "the alias 'walks' is the name of a table"),
    ("select count(name from dogs", 19, "')' is missing before 'from'"),
    ("select name from dogs where age = 1 weight = 2 and name = 'x'", 62, "conditions with no AND or OR between"),
    ("select name from dogs order age", 29, "'by' is missing before 'age'"),
    ("select name from dogs having age > 3", 23, "'having' is no table of dogs"),
    ("", 1, "FROM is missing"),
]


@pytest.mark.parametrize(("text", "column", "problem"), REFUSED)
def test_what_is_refused(text: str, column: int, problem: str) -> None:
    with pytest.raises(ProgramError, match=f"spider program, column {column}: ") as error:
        read(text)
    assert problem in str(error.value)


# -- the parse that comes with Spider's dev set, made by its authors -----------------------------------------------

FUNCTIONS = ("none", "max", "min", "count", "sum", "avg")
OPERATORS = ("not", "between", "=", ">", "<", ">=", "<=", "!=", "in", "like", "is", "exists")
SIGNS = ("none", "-", "+", "*", "/")


class Published:
    """A parsed query of the dev set as we read it; it numbers tables and columns as the schema file does."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.tables = [name.lower() for name in entry["table_names_original"]]
        self.columns = [
            "*" if table < 0 else f"{self.tables[table]}.{name.lower()}"
            for table, name in entry["column_names_original"]
        ]

    def column(self, unit: Any) -> Column | None:
        return unit and Column(FUNCTIONS[unit[0]], self.columns[unit[1]], unit[2])

    def term(self, unit: Any) -> Term:
        left = self.column(unit[1])
        assert left is not None
        return Term(SIGNS[unit[0]], left, self.column(unit[2]))

    def value(self, unit: Any) -> Any:
        if isinstance(unit, dict):
            return self.query(unit)
        return self.column(unit) if isinstance(unit, list) else unit

    def conditions(self, units: Any) -> Any:
        return tuple(
            unit
            if isinstance(unit, str)
            else Condition(unit[0], OPERATORS[unit[1]], self.term(unit[2]), self.value(unit[3]), self.value(unit[4]))
            for unit in units
        )

    def query(self, sql: dict[str, Any]) -> Query:
        operation = next((name for name in ("intersect", "union", "except") if sql[name]), "")
        order = sql["orderBy"]
        return Query(
            distinct=sql["select"][0],
            select=tuple(Item(FUNCTIONS[function], self.term(unit)) for function, unit in sql["select"][1]),
            tables=tuple(
                self.tables[unit] if kind == "table_unit" else self.query(unit)
                for kind, unit in sql["from"]["table_units"]
            ),
            on=self.conditions(sql["from"]["conds"]),
            where=self.conditions(sql["where"]),
            group=tuple(self.column(unit) for unit in sql["groupBy"]),  # type: ignore[misc]
            having=self.conditions(sql["having"]),
            order=(order[0], tuple(self.term(unit) for unit in order[1])) if order else None,
            limit=sql["limit"] is not None,
            operation=operation,
            other=self.query(sql[operation]) if operation else None,
        )


def load(data_dir: Path, name: str) -> Any:
    with gzip.open(data_dir / "spider" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


@pytest.fixture
def schemas(data_dir: Path) -> Schemas:
    return read_schemas(data_dir / "spider" / "tables.json.gz")


@pytest.mark.shared_data
def test_dev_is_read_as_its_authors_did(data_dir: Path, schemas: Schemas) -> None:
    entries = {entry["db_id"]: Published(entry) for entry in load(data_dir, "tables")}
    rows = load(data_dir, "dev")
    apart = [
        (row["query"], read_query(row["query"], schemas.find(row["db_id"])), entries[row["db_id"]].query(row["sql"]))
        for row in rows
        if read_query(row["query"], schemas.find(row["db_id"])) != entries[row["db_id"]].query(row["sql"])
    ]
    assert len(rows) == 1034
    assert apart == []
