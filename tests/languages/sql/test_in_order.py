"""Normalising in a dialect: each rule merges two forms that have the same rows over fillings, and nothing else."""

from __future__ import annotations

import pytest
from dog_world import iter_databases, rows
from made_queries import made_queries

from recombine.languages.known import find_language

SQLITE, POSTGRES, TSQL = (find_language(f"sql:{name}") for name in ("sqlite", "postgres", "tsql"))
MERGED = {
    "case of names": ("SELECT Name FROM Dog", "select name from dog"),
    "aliases": ("SELECT x.name FROM dog AS x", "SELECT dog.name FROM dog"),
    "aliases inside": (
        "SELECT o.city FROM owner AS o WHERE EXISTS (SELECT 1 FROM dog AS d WHERE d.owner_id = o.id)",
        "SELECT a.city FROM owner AS a WHERE EXISTS (SELECT 1 FROM dog AS b WHERE b.owner_id = a.id)",
    ),
    "aliases of a query of WITH": (
        "WITH c AS (SELECT x.age FROM dog AS x) SELECT y.age FROM c AS y",
        "WITH c AS (SELECT dog.age FROM dog) SELECT c.age FROM c",
    ),
    "AND": ("SELECT id FROM dog WHERE age > 3 AND breed = 'pug'", "SELECT id FROM dog WHERE breed = 'pug' AND age > 3"),
    "OR": (
        "SELECT id FROM dog WHERE age > 3 OR (breed = 'pug' AND id < 9)",
        "SELECT id FROM dog WHERE (id < 9 AND breed = 'pug') OR age > 3",
    ),
    "IN": ("SELECT id FROM dog WHERE age IN (3, 1, 2)", "SELECT id FROM dog WHERE age IN (1, 2, 3)"),
    "NOT IN": ("SELECT id FROM dog WHERE age NOT IN (3, 1)", "SELECT id FROM dog WHERE NOT age IN (1, 3)"),
    "sides of =": ("SELECT id FROM dog WHERE age = 3", "SELECT id FROM dog WHERE 3 = age"),
    "sides of !=, <>": ("SELECT id FROM dog WHERE age <> 3", "SELECT id FROM dog WHERE 3 != age"),
    "sides of + and *": ("SELECT age + 1, age * id FROM dog", "SELECT 1 + age, id * age FROM dog"),
    "inner joins": (
        "SELECT d.name, o.city FROM dog AS d JOIN owner AS o ON d.owner_id = o.id WHERE o.id > 2",
        "SELECT d.name, o.city FROM owner AS o INNER JOIN dog AS d ON o.id = d.owner_id WHERE o.id > 2",
    ),
    "three inner joins": (
        "SELECT a.id FROM dog AS a JOIN owner AS o ON a.owner_id = o.id JOIN dog AS b ON b.age = o.id AND b.id < a.id",
        "SELECT a.id FROM owner AS o JOIN dog AS b ON o.id = b.age JOIN dog AS a ON b.id < a.id AND a.owner_id = o.id",
    ),
    "joins of queries": (
        "SELECT x.n FROM owner AS o JOIN (SELECT age AS i, MAX(id) AS n FROM dog GROUP BY 1) AS x ON x.i = o.id",
        "SELECT x.n FROM (SELECT age AS i, MAX(id) AS n FROM dog GROUP BY 1) AS x JOIN owner AS o ON o.id = x.i",
    ),
    "joins in groups": (
        "SELECT o.city, COUNT(*) FROM dog AS d JOIN owner AS o ON d.owner_id = o.id GROUP BY o.city",
        "SELECT o.city, COUNT(*) FROM owner AS o JOIN dog AS d ON d.owner_id = o.id GROUP BY o.city",
    ),
    "commas": (
        "SELECT d.name FROM dog AS d, owner AS o WHERE d.owner_id = o.id",
        "SELECT d.name FROM owner AS o CROSS JOIN dog AS d WHERE o.id = d.owner_id",
    ),
}


@pytest.mark.parametrize("rule", MERGED)
def test_each_rule_merges_what_has_the_same_rows(rule: str) -> None:
    one, other = map(SQLITE.parse, MERGED[rule])
    normal = SQLITE.normalise(one)
    assert normal == SQLITE.normalise(other)
    some = False
    for database in iter_databases(one, other):
        texts = [*MERGED[rule], SQLITE.render(normal)]
        first, *others = [rows(database, text) for text in texts]
        assert others == [first, first]
        some |= bool(first)
    assert some


APART = [
    ("SELECT id FROM dog WHERE age - 3 > 1", "SELECT id FROM dog WHERE 3 - age > 1"),
    ("SELECT id FROM dog WHERE breed || 'a' = 'x'", "SELECT id FROM dog WHERE 'a' || breed = 'x'"),
    ("SELECT id FROM dog WHERE breed IN ('Pug')", "SELECT id FROM dog WHERE breed IN ('pug')"),
    ("SELECT id FROM dog WHERE age BETWEEN 1 AND 3", "SELECT id FROM dog WHERE age BETWEEN 3 AND 1"),
    (
        "SELECT id FROM dog WHERE name = breed COLLATE NOCASE",
        "SELECT id FROM dog WHERE breed COLLATE NOCASE = name",
    ),
    (
        "SELECT d.id FROM dog AS d LEFT JOIN owner AS o ON d.owner_id = o.id",
        "SELECT d.id FROM owner AS o LEFT JOIN dog AS d ON d.owner_id = o.id",
    ),
    (
        "SELECT * FROM dog AS d JOIN owner AS o ON d.owner_id = o.id",
        "SELECT * FROM owner AS o JOIN dog AS d ON d.owner_id = o.id",
    ),
    (
        "SELECT d.id FROM dog AS d JOIN owner AS o ON d.owner_id = o.id LIMIT 1",
        "SELECT d.id FROM owner AS o JOIN dog AS d ON d.owner_id = o.id LIMIT 1",
    ),
    (
        "SELECT d.name, COUNT(*) FROM dog AS d JOIN owner AS o ON d.owner_id = o.id GROUP BY o.city",
        "SELECT d.name, COUNT(*) FROM owner AS o JOIN dog AS d ON d.owner_id = o.id GROUP BY o.city",
    ),
    (
        "SELECT d.id FROM dog AS d JOIN owner AS o ON owner_id = o.id",
        "SELECT d.id FROM owner AS o JOIN dog AS d ON owner_id = o.id",
    ),
    ("SELECT id FROM dog UNION SELECT id FROM owner", "SELECT id FROM owner UNION SELECT id FROM dog"),
    ("SELECT id, age FROM dog", "SELECT age, id FROM dog"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_may_have_other_rows_is_kept_apart(one: str, other: str) -> None:
    assert SQLITE.normalise(SQLITE.parse(one)) != SQLITE.normalise(SQLITE.parse(other))


def test_a_name_of_a_table_that_may_be_a_row_keeps_its_alias() -> None:
    tree = POSTGRES.parse("SELECT ROW_TO_JSON(x), x.a FROM dog AS x")
    assert POSTGRES.normalise(tree) == POSTGRES.parse("select row_to_json(x), x.a from dog as x")


def test_a_query_of_with_does_not_see_the_from_that_it_stands_beside() -> None:
    inner = "WITH c AS (SELECT x.id) SELECT x.city FROM owner AS x, c WHERE x.id = c.id"
    text = f"SELECT x.name FROM dog AS x WHERE EXISTS ({inner})"
    tree = SQLITE.normalise(SQLITE.parse(text))
    other = SQLITE.normalise(SQLITE.parse(text.replace("(SELECT x.id)", "(SELECT owner.id FROM owner)")))
    assert "(SELECT dog.id)" in SQLITE.render(tree)
    assert tree != other


def test_quoted_names_are_folded_where_the_dialect_does() -> None:
    assert POSTGRES.normalise(POSTGRES.parse('SELECT "Name", Age FROM dog')) == POSTGRES.parse(
        'select "Name", age from dog'
    )
    assert TSQL.normalise(TSQL.parse('SELECT "Name" FROM dog')) == TSQL.normalise(TSQL.parse("SELECT [name] FROM dog"))
    mysql = find_language("sql:mysql")
    assert mysql.normalise(mysql.parse("SELECT a FROM Dog")) != mysql.normalise(mysql.parse("SELECT a FROM dog"))


def test_plus_may_join_strings_in_some_dialects() -> None:
    one, other = "SELECT a + b FROM dog", "SELECT b + a FROM dog"
    assert TSQL.normalise(TSQL.parse(one)) != TSQL.normalise(TSQL.parse(other))
    assert POSTGRES.normalise(POSTGRES.parse(one)) == POSTGRES.normalise(POSTGRES.parse(other))


def check_made(number: int, *, seed: int) -> float:
    """Check so many queries; give the share with a row in some filling."""
    some = 0
    plain, spider = find_language("sql"), find_language("sql:spider")
    texts = made_queries(number, seed=seed)
    for text in texts:
        tree = plain.parse(text)
        assert plain.parse(plain.render(tree)) == tree
        forms = [plain.render(tree)]
        for language in (plain, spider):
            normal = language.normalise(tree)
            assert language.normalise(normal) == normal
            assert language.parse(language.render(normal)) == normal
            forms.append(language.render(normal))
        found = False
        for database in iter_databases(tree):
            wanted = rows(database, text)
            assert [rows(database, form) for form in forms] == [wanted] * 3, text
            found |= bool(wanted)
        some += found
    return some / number


def test_made_queries_have_the_same_rows_when_written_and_normalised() -> None:
    assert check_made(60, seed=3) >= 0.8


@pytest.mark.slow
def test_a_thousand_made_queries_have_the_same_rows_when_written_and_normalised() -> None:
    assert check_made(1000, seed=0) >= 0.8


def test_a_condition_stands_where_all_that_it_speaks_of_is_there() -> None:
    tree = POSTGRES.parse("SELECT x.a FROM z JOIN y ON y.b = z.b JOIN x ON x.c = z.c")
    assert (
        POSTGRES.render(POSTGRES.normalise(tree)) == "SELECT x.a FROM x CROSS JOIN y JOIN z ON x.c = z.c AND y.b = z.b"
    )
