"""SQL in the dialects of sqlglot: constructs read, written, normalised and run; trees of what has no own rules."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlglot
from dog_world import iter_databases, rows

import recombine
from recombine.errors import NotReadError, ProgramError, UnknownNameError
from recombine.languages.known import find_language
from recombine.languages.sql.dialect import dialect_names, find_dialect
from recombine.languages.sql.sql import SQL
from recombine.tree import MAX_DEPTH, Tree

LINES = (Path(__file__).parent / "constructs.txt").read_text(encoding="utf-8").splitlines()[1:]
CONSTRUCTS = [(dialect, text) for dialect, _, text in (line.partition("|") for line in LINES)]


def test_there_are_constructs_of_many_dialects() -> None:
    assert len(CONSTRUCTS) >= 60
    assert len({dialect for dialect, _ in CONSTRUCTS}) >= 5


@pytest.mark.parametrize(("dialect", "text"), CONSTRUCTS)
def test_a_construct_is_read_and_written(dialect: str, text: str) -> None:
    language = find_language(f"sql:{dialect}")
    tree = language.parse(text)
    assert language.parse(language.render(tree)) == tree
    normal = language.normalise(tree)
    assert language.normalise(normal) == normal
    assert language.parse(language.render(normal)) == normal
    template = language.anonymise(tree)
    assert language.parse(language.render(template)).depth() <= MAX_DEPTH


def in_sqlite(dialect: str, text: str) -> str:
    return sqlglot.transpile(text, read=dialect, write="sqlite", unsupported_level=sqlglot.ErrorLevel.RAISE)[0]


def test_constructs_have_the_same_rows_when_written_and_normalised() -> None:
    ran = 0
    for dialect, text in CONSTRUCTS:
        language = find_language(f"sql:{dialect}")
        tree = language.parse(text)
        forms = [text, language.render(tree), language.render(language.normalise(tree))]
        try:
            first, *others = [in_sqlite(dialect, form) for form in forms]
            for database in iter_databases(tree):
                wanted = rows(database, first)
                assert [rows(database, other) for other in others] == [wanted, wanted], text
        except (sqlglot.errors.UnsupportedError, sqlite3.OperationalError):
            continue  # SQLite has no such thing, under any name
        ran += 1
    assert ran >= 60  # of 99


SAME_TREE = [
    ("sql:postgres", "SELECT a::INT FROM b", "select cast(a as integer) from b"),
    ("sql:postgres", "SELECT a FROM b ORDER BY c DESC NULLS FIRST", "select a from b order by c desc"),
    ("sql:sqlite", 'SELECT "a b" FROM c -- why', "select [a b] from c"),
    ("sql:mysql", "SELECT IFNULL(a, 1) FROM b", "select coalesce(a, 1) from b"),
    ("sql", "select ifnull(a, 1) from b", "select coalesce(a , 1) from b"),
]


@pytest.mark.parametrize(("language", "one", "other"), SAME_TREE)
def test_what_sqlglot_takes_for_one_is_one_tree(language: str, one: str, other: str) -> None:
    assert find_language(language).parse(one) == find_language(language).parse(other)


TREES = [
    ("sql", "select cast(a as real) from b", "query(select(cast(a,::DOUBLE)),from(b))"),
    (
        "sql",
        "select row_number() over (order by a) from b",
        "query(select(window(row_number(),order(asc(a)))),from(b))",
    ),
    ("sql", "select case when a then 1 else 2 end", "query(select(case(ifs:(if(a,1)),default=(2))))"),
    ("sql", "select db.t.a from db.t", "query(select(.(db,t,a)),from(.(db,t)))"),
    ("sql", "select a from b order by c nulls last", "query(select(a),from(b),order(asc(c,nulls_first=false)))"),
    ("sql", "select a from b natural join c", "query(select(a),from(b),other_join(c,method='NATURAL'))"),
    (
        "sql",
        "with recursive t(x) as (select 1) select x from t",
        "query(select(x),from(t),with(cte(query(select(1)),table_alias(t,columns:(x))),recursive=true))",
    ),
    ("sql:postgres", "select a from b where c not ilike 'x'", "query(select(a),from(b),where(not(ilike(c,'x'))))"),
    ("sql:postgres", "select extract(year from d)", "query(select(extract(@YEAR,d)))"),
    ("sql:bigquery", "select * except (a) from b", "query(select(star(except_:(a))),from(b))"),
]  # fmt: skip


def written(tree: Tree) -> str:
    return f"{tree.label}({','.join(map(written, tree.children))})" if tree.children else tree.label


@pytest.mark.parametrize(("language", "text", "tree"), TREES)
def test_trees_of_what_has_no_rules_of_its_own(language: str, text: str, tree: str) -> None:
    assert written(find_language(language).parse(text)) == tree


def test_a_query_of_spider_has_one_tree_in_all_readings() -> None:
    text = "select t1.a , count(*) from b as t1 left join c on t1.d = c.d where e != 'x' group by f order by g desc"
    assert {find_language(name).parse(text) for name in ("sql", "sql:spider", "sql:sqlite", "sql:mysql")} == {
        SQL.parse(text)
    }


def test_double_quotes_are_strings_in_spider_and_names_in_sqlite() -> None:
    text = 'select a from b where c = "d"'
    assert find_language("sql").parse(text).children[2].children[0].children[1] == Tree("'d'")
    assert find_language("sql:sqlite").parse(text).children[2].children[0].children[1] == Tree("`d`")


def test_a_dialect_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown dialect of SQL 'postgress'; did you mean 'postgres'") as caught:
        find_language("sql:postgress")
    assert "\n" not in str(caught.value)
    with pytest.raises(UnknownNameError, match="unknown dialect of SQL ''"):
        find_language("sql:")


def test_all_of_sqlglots_dialects_are_known() -> None:
    names = dialect_names()
    assert {"spider", "sqlite", "postgres", "mysql", "bigquery", "snowflake", "tsql", "duckdb"} <= set(names)
    assert [name for name in names if find_dialect(name).language != f"sql:{name}"] == []


def test_the_dialect_travels_with_the_data() -> None:
    data = recombine.load([("q", "select a::int from b")], language="sql:postgres")
    assert data.language is find_language("sql:postgres")
    assert data.language.name == "sql:postgres"


def test_what_is_false_is_told_from_what_is_not_said() -> None:
    postgres = find_language("sql:postgres")
    texts = [f"WITH a AS {word}(SELECT 1) SELECT 2" for word in ("", "MATERIALIZED ", "NOT MATERIALIZED ")]
    assert [postgres.render(postgres.parse(text)) for text in texts] == texts


STATEMENTS = [
    "insert into t (a, b) values (1, 'x') on conflict (a) do update set b = excluded.b",
    "update t set a = 1 from u where t.b = u.b",
    "delete from t using u where t.a = u.a",
    "create table t (a int primary key, b varchar(10) not null)",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_dialect_reads_statements_that_are_no_queries(text: str) -> None:
    language = find_language("sql:postgres")
    tree = language.parse(text)
    assert language.parse(language.render(tree)) == tree
    assert sqlglot.parse_one(language.render(tree), read="postgres") == sqlglot.parse_one(text, read="postgres")


REFUSED = [
    ("sql:postgres", "vacuum full t", NotReadError, "VACUUM is not read"),
    ("sql:postgres", "select a, from b", ProgramError, "column 9: ',' with nothing after it"),
    (
        "sql:postgres",
        "select a from b where c = 1 join d on e = f",
        ProgramError,
        "column 29: 'join' in the wrong place",
    ),
    ("sql:postgres", "foo", ProgramError, "column 1: an expression alone is no query"),
    ("sql:mysql", "select a from b where c = 'x", ProgramError, "a quote that does not end"),
]


@pytest.mark.parametrize(("language", "text", "kind", "message"), REFUSED)
def test_refused_in_a_dialect(language: str, text: str, kind: type[ProgramError], message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        find_language(language).parse(text)
    assert type(caught.value) is kind
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "select " + "(" * 100_000 + "a" + ")" * 100_000,
        "select " + "[" * 100_000 + "a" + "]" * 100_000,
        "select " + "case when " * 5_000 + "a" + " then 1 end" * 5_000,
        "select " + "cast(" * 5_000 + "a" + " as int)" * 5_000,
        "select a" + "::int" * 5_000,
        "with a as (" * 5_000 + "select 1" + ") select 2" * 5_000,
    ],
)
@pytest.mark.parametrize("language", ["sql:postgres", "sql:duckdb"])
def test_deep_statements_are_refused(language: str, text: str) -> None:
    with pytest.raises(ProgramError, match="more than 100 levels inside each other"):
        find_language(language).parse(text)


@pytest.mark.parametrize(("opening", "closing"), ["()", "[]"])
def test_a_bracket_too_deep_is_named_before_anything_is_read(opening: str, closing: str) -> None:
    with pytest.raises(ProgramError, match="column 107: more than 100 levels inside each other"):
        find_language("sql:duckdb").parse("select " + opening * 1_000 + "a" + closing * 1_000)


def test_a_last_comma_and_from_first_are_let_pass_where_they_are_of_the_dialect() -> None:
    bigquery, duckdb = find_language("sql:bigquery"), find_language("sql:duckdb")
    assert bigquery.parse("select a, from b") == bigquery.parse("select a from b")
    assert duckdb.parse("from b select a") == duckdb.parse("select a from b")
