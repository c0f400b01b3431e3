"""SQL: exact trees, round trips, what is merged and what is not, and what is refused where."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recombine.errors import NotReadError, ProgramError
from recombine.languages.sql.sql import SQL, anonymise, normalise, parse, render
from recombine.tree import Tree


def node(label: str, *children: Tree | str) -> Tree:
    return Tree(label, tuple(child if isinstance(child, Tree) else Tree(child) for child in children))


def column(text: str) -> Tree:
    return node(".", *text.split("."))


def query(*clauses: Tree) -> Tree:
    return Tree("query", clauses)


A_FROM_B = query(node("select", "a"), node("from", "b"))

TREES = [
    (
        "select t1.name , count(*) from dogs as t1 join owners as t2 on t1.owner = t2.id "
        'where t2.city = "new york" and t1.age >= 3 group by t1.name having count(*) > 1 '
        "order by count(*) desc limit 1",
        query(
            node("select", column("t1.name"), node("count", "*")),
            node("from", node("as", "dogs", "t1")),
            node("join", node("as", "owners", "t2"), node("=", column("t1.owner"), column("t2.id"))),
            node("where", node("and", node("=", column("t2.city"), "'new york'"), node(">=", column("t1.age"), "3"))),
            node("group", column("t1.name")),
            node("having", node(">", node("count", "*"), "1")),
            node("order", node("desc", node("count", "*"))),
            node("limit", "1"),
        ),
    ),
    (
        "select distinct a from b where c not in (select d from e) intersect select avg(a) from b",
        node(
            "intersect",
            query(
                node("select_distinct", "a"),
                node("from", "b"),
                node("where", node("not", node("in", "c", query(node("select", "d"), node("from", "e"))))),
            ),
            query(node("select", node("avg", "a")), node("from", "b")),
        ),
    ),
    (
        "SELECT count(DISTINCT a) FROM b WHERE c BETWEEN -1 AND 2 OR d LIKE '%it''s%' OR NOT e IS NULL",
        query(
            node("select", node("count", node("distinct", "a"))),
            node("from", "b"),
            node(
                "where",
                node(
                    "or",
                    node("between", "c", "-1", "2"),
                    node("like", "d", "'%it''s%'"),
                    node("not", node("is", "e", "null")),
                ),
            ),
        ),
    ),
    (
        "select t.* , a as x from (select * from b) as t , `odd name` left join c using (d)",
        query(
            node("select", column("t.*"), node("as", "a", "x")),
            node("from", node("as", query(node("select", "*"), node("from", "b")), "t")),
            node("join", "`odd name`"),
            node("left_join", "c", node("using", "d")),
        ),
    ),
    (
        "select a from b union all select a from b union select a from b order by a limit 2 offset 1",
        node(
            "union",
            node("union_all", A_FROM_B, A_FROM_B),
            A_FROM_B,
            node("order", node("asc", "a")),
            node("limit", "2"),
            node("offset", "1"),
        ),
    ),
]


@pytest.mark.parametrize(("text", "tree"), TREES)
def test_exact_trees(text: str, tree: Tree) -> None:
    assert parse(text) == tree
    assert parse(render(tree)) == tree


NO_TRACE = [
    ("select a from b;", "select a from b"),
    ("SELECT  ((a))\nFROM (b)", "select a from b"),
    ("select a from b order by c asc", "select a from b order by c"),
    ("select a from b where c <> 'x'", 'select a from b where c != "x"'),
    ("select a from b inner join c on d = e", "select a from b join c on d = e"),
    ("select a from b , c", "select a from b join c"),
    ("select a from b where (c and d) and e", "select a from b where c and (d and e)"),
    ("select a from b limit 1 union select c from d", "(select a from b limit 1) union select c from d"),
    ("select a from b where not c in (1)", "select a from b where c not in (1)"),
    ("(select a from b) union (select c from d)", "select a from b union select c from d"),
    ("(select a from b) union (select c from d) limit 1", "select a from b union select c from d limit 1"),
]


@pytest.mark.parametrize(("one", "other"), NO_TRACE)
def test_what_leaves_no_trace(one: str, other: str) -> None:
    assert parse(one) == parse(other)


BRACKETS = [
    "a from b where (c or d) and e",
    "a from b where not (c and d)",
    "a from b where (c = d) = e",
    "a from b where c = (d = e)",
    "a - (b - c) from d",
    "(a + b) * c from d",
    "a from b where c - -1 > - (d + e)",
    "a from b where (c || d) || e = f",
    "a || (b + c) , (a || b) + c , (a || b) || c , a || (b || c) from d",
    "a from b where (not c) = d",
    "a from b where c in ((select d from e) , 2)",
]


@pytest.mark.parametrize("text", BRACKETS)
def test_needed_brackets_are_written(text: str) -> None:
    assert render(parse(f"select {text}")) == f"select {text}"


WORDS = st.sampled_from(["a", "b", "name", "t1", "t2", "`odd name`", "Dogs"])
NAMES = WORDS.map(Tree)
STRINGS = st.text("ab'\" %", max_size=4).map(lambda text: Tree("'" + text.replace("'", "''") + "'"))
NUMBERS = st.integers(-20, 20).map(lambda number: Tree(str(number)))
COLUMNS = st.one_of(NAMES, st.tuples(NAMES, NAMES).map(lambda pair: Tree(".", pair)))
OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "like", "+", "-", "*", "/", "%", "||"]
FUNCTIONS = ["count", "sum", "avg", "min", "max", "abs", "length", "lower", "my_function"]


def chains(inner: st.SearchStrategy[Tree], label: str) -> st.SearchStrategy[Tree]:
    parts = inner.filter(lambda tree: tree.label != label)
    return st.lists(parts, min_size=2, max_size=3).map(lambda found: Tree(label, tuple(found)))


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(OPERATORS), pairs).map(lambda made: Tree(*made)),
        chains(inner, "and"),
        chains(inner, "or"),
        inner.map(lambda tree: Tree("not", (tree,))),
        inner.filter(lambda tree: tree.children).map(lambda tree: Tree("-", (tree,))),
        inner.map(lambda tree: Tree("is", (tree, Tree("null")))),
        st.tuples(inner, inner, inner).map(lambda parts: Tree("between", parts)),
        st.tuples(inner, inner, inner).map(lambda parts: Tree("in", parts)),
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda made: Tree(made[0], (made[1],))),
        inner.map(lambda tree: Tree("count", (Tree("distinct", (tree,)),))),
        simple_queries(inner),
        simple_queries(inner).map(lambda tree: Tree("exists", (tree,))),
        st.tuples(inner, simple_queries(inner)).map(lambda parts: Tree("in", parts)),
    )


def simple_queries(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    parts = st.tuples(inner.map(lambda tree: Tree("select", (tree,))), NAMES.map(lambda name: Tree("from", (name,))))
    return parts.map(lambda clauses: Tree("query", clauses))


EXPRESSIONS = st.recursive(st.one_of(COLUMNS, STRINGS, NUMBERS), larger, max_leaves=6)


@st.composite
def whole_queries(draw: st.DrawFn, *, depth: int = 1) -> Tree:
    """A query with any of its parts, or a set operation of two."""
    tails = {
        "order": st.lists(st.tuples(st.sampled_from(["asc", "desc"]), EXPRESSIONS), min_size=1, max_size=2).map(
            lambda items: Tree("order", tuple(Tree(way, (tree,)) for way, tree in items))
        ),
        "limit": NUMBERS.map(lambda number: Tree("limit", (number,))),
    }
    tail = [draw(tails[name]) for name in tails if draw(st.booleans())]
    if depth and draw(st.integers(0, 3)) == 0:
        sides = [draw(whole_queries(depth=depth - 1)) for _ in range(2)]
        label = draw(st.sampled_from(["union", "union_all", "intersect", "except"]))
        return Tree(label, (*sides, *tail))
    named = st.tuples(NAMES, NAMES).map(lambda pair: Tree("as", pair))
    sources = st.one_of(NAMES, named)
    if depth:
        inner = whole_queries(depth=depth - 1)
        sources = st.one_of(sources, st.tuples(inner, NAMES).map(lambda pair: Tree("as", pair)))
    items = st.one_of(EXPRESSIONS, st.just(Tree("*")), st.tuples(EXPRESSIONS, NAMES).map(lambda pair: Tree("as", pair)))
    clauses = [
        Tree(
            draw(st.sampled_from(["select", "select_distinct"])), tuple(draw(st.lists(items, min_size=1, max_size=2)))
        ),
        Tree("from", (draw(sources),)),
    ]
    for _ in range(draw(st.integers(0, 2))):
        condition = draw(st.lists(EXPRESSIONS, max_size=1))
        clauses.append(Tree(draw(st.sampled_from(["join", "left_join"])), (draw(sources), *condition)))
    clauses += [Tree(label, (draw(EXPRESSIONS),)) for label in ("where", "group", "having") if draw(st.booleans())]
    return Tree("query", (*clauses, *tail))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(whole_queries())
def test_reading_gives_back_what_was_written(tree: Tree) -> None:
    assert parse(render(tree)) == tree


def test_an_alias_that_goes_leaves_room_for_one_further_in() -> None:
    once = normalise(parse("select a from a as b join (select b.a from b as name) as b"))
    assert render(once) == "select a from a join (select a.a from b) as b"
    assert normalise(once) == once


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(whole_queries())
def test_normalising_twice_is_normalising_once(tree: Tree) -> None:
    once = normalise(tree)
    assert normalise(once) == once
    assert parse(render(once)) == once


MERGED = [
    ("SELECT Name FROM Dogs", "select name from dogs"),
    ("select t1.a from dogs as t1", "select dogs.a from dogs"),
    (
        "select t1.a from dogs as t1 join cats as t2 on t1.b = t2.b",
        "select x.a from dogs as x join cats as y on x.b = y.b",
    ),
    (
        "select t1.a from dogs as t1 where t1.b in (select t1.b from cats as t1)",
        "select dogs.a from dogs where dogs.b in (select cats.b from cats)",
    ),
    (
        # A correlated inner query that speaks of the outer alias.
        "select t1.a from dogs as t1 where exists (select * from cats as t2 where t2.b = t1.b)",
        "select dogs.a from dogs where exists (select * from cats where cats.b = dogs.b)",
    ),
    (
        "select t1.a from dogs as t1 where t1.b > (select avg(t2.b) from dogs as t2)",
        "select dogs.a from dogs where dogs.b > (select avg(dogs.b) from dogs)",
    ),
    ("select t1.* from dogs as t1", "select dogs.* from dogs"),
]
APART = [
    ("select a from b where c = 'Pug'", "select a from b where c = 'pug'"),
    ("select a from b where c = 1", "select a from b where c = '1'"),
    ('select a from b where c = "d"', "select a from b where c = d"),
    ("select a , b from c", "select b , a from c"),
    ("select distinct a from b", "select a from b"),
    ("select a from b order by c", "select a from b order by c desc"),
    ("select a from b where c or d and e", "select a from b where (c or d) and e"),
    ("select a from b union select a from c", "select a from b union all select a from c"),
    ("select a from b left join c on d = e", "select a from b join c on d = e"),
    (
        "select t1.a from dogs as t1 join dogs as t2 on t1.b = t2.c",
        "select t2.a from dogs as t1 join dogs as t2 on t1.b = t2.c",
    ),
    (
        # The outer table compared with the inner one, and the inner one with itself.
        "select t1.a from dogs as t1 where t1.b > (select avg(t2.b) from dogs as t2 where t2.c = t1.c)",
        "select t1.a from dogs as t1 where t1.b > (select avg(t2.b) from dogs as t2 where t2.c = t2.c)",
    ),
    (
        "select dogs.a from dogs where exists (select * from dogs as t1 where t1.b = dogs.b)",
        "select dogs.a from dogs where exists (select * from dogs as t1 where t1.b = t1.b)",
    ),
    (
        "select dogs.a from cats as dogs join dogs as cats on cats.b = dogs.b",
        "select cats.a from cats as dogs join dogs as cats on cats.b = dogs.b",
    ),
]


@pytest.mark.parametrize(("one", "other"), MERGED)
def test_equal_queries_are_merged(one: str, other: str) -> None:
    assert normalise(parse(one)) == normalise(parse(other))


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_queries_are_kept_apart(one: str, other: str) -> None:
    assert normalise(parse(one)) != normalise(parse(other))


def test_an_order_over_a_set_operation_keeps_the_aliases() -> None:
    text = "select t1.a from dogs as t1 union select t1.a from cats as t1 order by t1.a"
    assert render(normalise(parse(text))) == text


ROWS = """
create table dogs (a, b, c, name);
insert into dogs values (1, 2, 3, 'x'), (2, 2, 1, 'y'), (3, 1, 3, 'x'), (2, 3, 3, 'z');
create table cats (a, b, c, name);
insert into cats values (1, 2, 3, 'x'), (2, 2, 1, 'y'), (2, 3, 3, 'z');
"""


@pytest.mark.parametrize("text", [text for pair in (*MERGED, *APART[-4:]) for text in pair])
def test_a_normalised_query_has_the_same_answer(text: str) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(ROWS)
    assert database.execute(render(normalise(parse(text)))).fetchall() == database.execute(text).fetchall()
    database.close()


def test_anonymise() -> None:
    tree = parse("select t1.a , 'x' from dogs as t1 where b like \"%y\" and c > -1.5 and d in (1 , 2) limit 3")
    assert render(anonymise(tree)) == (
        "select t1.a , VALUE from dogs as t1 where b like VALUE and c > NUMBER and d in (NUMBER , NUMBER) limit NUMBER"
    )


MISTAKES = [
    ("", 1, "an empty program; leave the example out"),
    ("select a from b where (c = 1", 23, "a bracket that is not closed; close it"),
    ("select a from b)", 16, "a closing bracket too many; remove it"),
    ("select a from b where c = 'x", 27, "a quote that does not end; close it"),
    ("select a b c", 12, "invalid expression / unexpected token, at 'c'"),
    ("select a ,\n  b b2 b3 from c", 19, "unexpected token, at 'b3'"),
    ("select a , from b", 10, "',' with nothing after it; complete or remove it"),
    ("select avg(a , ) from b", 14, "',' with nothing after it"),
    ("select from b", 1, "'select' with nothing after it"),
    ("select a from b as", 17, "'as' with nothing after it"),
    ("select a from b group by limit 1", 17, "'GROUP BY' with nothing after it"),
    ("select a from b where c = 1 join d on e = f", 29, "'join' in the wrong place; the order is SELECT, FROM, JOIN"),
    ("select a from b where c > (from d)", 28, "'from' in the wrong place"),
    ("select a from b where c =", 25, "an operand is missing, at '='"),
    ("select a from b where c in ()", 23, "IN with nothing to choose from"),
    ("select a from b; select c from d", 16, "more than one statement; keep one query for each example"),
    ("select (*) from b", 9, "STAR is not supported here"),
    ("select count(* , a) from b", 8, "COUNT does not take * and more"),
    ("select sum(*) from b", 8, "SUM does not take *"),
    ("select * + a from b", 8, "* is no operand"),
    ("select (a b) from c", 9, "a name is given inside of brackets"),
    ("select a * () from b", 1, "brackets in the wrong place"),
    ("a = 3", 1, "an expression alone is no query"),
    ("select a from b where c > (order by d)", 28, "'ORDER BY' in the wrong place"),
    ("select count(a from b)", 16, "'from' in the wrong place"),
    ("select " + "(" * 5000 + "a" + ")" * 5000, 107, "more than 100 levels inside each other"),
    ("select a from b where " + "not " * 5000 + "c", 419, "more than 100 levels inside each other"),
    ("select " + "1 + " * 5000 + "1", 1, "more than 100 levels inside each other"),
]


@pytest.mark.parametrize(("text", "column", "message"), MISTAKES)
def test_malformed_programs_are_refused(text: str, column: int, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert f"sql program, column {column}: " in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


NOT_READ = [
    ("drop table b", 12, "DROP is not a query"),
    ("insert into b values (1)", 13, "INSERT is not a query"),
]


@pytest.mark.parametrize(("text", "column", "message"), NOT_READ)
def test_what_is_not_read_is_told_from_what_is_malformed(text: str, column: int, message: str) -> None:
    with pytest.raises(NotReadError, match=f"sql program, column {column}: {message}"):
        parse(text)
    with pytest.raises(ProgramError) as caught:
        parse("select a from")
    assert not isinstance(caught.value, NotReadError)


TOKEN = re.compile(r"""'(?:''|[^'])*'|"[^"]*"|`[^`]*`|[\w.]+|\S""")


def iter_bracket_mistakes(text: str, *, moved: bool) -> Iterator[str]:
    """The query with each bracket dropped and doubled, or else moved to every other place."""
    tokens = TOKEN.findall(text)
    for index, token in enumerate(tokens):
        if token in ("(", ")"):
            rest = tokens[:index] + tokens[index + 1 :]
            places = [[*rest[:place], token, *rest[place:]] for place in range(len(rest) + 1)]
            for changed in places if moved else [rest, [*tokens[: index + 1], *tokens[index:]]]:
                if changed != tokens:
                    yield " ".join(changed)


def assert_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert 0 <= caught.value.position <= len(text)


def is_well_formed(text: str) -> bool:
    """Whether SQLite's own parser has nothing against a query but that its tables are not there.

    It also minds an ORDER BY or LIMIT before a set operation, which real Spider queries have.
    """
    database = sqlite3.connect(":memory:")
    try:
        database.execute(f"explain {text}")
    except sqlite3.Error as error:
        return "no such table" in str(error) or "clause should come after" in str(error)
    finally:
        database.close()
    return True


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(whole_queries())
def test_a_bracket_dropped_or_doubled_is_refused(tree: Tree) -> None:
    for text in iter_bracket_mistakes(render(tree), moved=False):
        assert_refused(text)


def test_a_moved_bracket_may_give_another_query() -> None:
    text = "select a from b where c in (select d from e where g = 2) and f = 1"
    accepted = []
    for changed in iter_bracket_mistakes(text, moved=True):
        try:
            accepted.append(render(parse(changed)))
        except ProgramError as error:
            assert 0 <= error.position <= len(changed)  # noqa: PT017
    # All three are well-formed: a comparison's value may be compared again.
    assert accepted == [
        "select a from b where (c in (select d from e where g)) = 2 and f = 1",
        "select a from b where (c in (select d from e where g = 2 and f)) = 1",
        "select a from b where c in (select d from e where g = 2 and f = 1)",
    ]
    assert all(map(is_well_formed, accepted))


def spider(data_dir: Path) -> list[str]:
    with gzip.open(data_dir / "spider" / "spider_ssp.tsv.gz", "rt", encoding="utf-8") as lines:
        return sorted({line.rstrip("\n").split("\t")[1] for line in lines})


@pytest.mark.shared_data
def test_every_query_of_spider_reads_back(data_dir: Path) -> None:
    texts = spider(data_dir)
    assert len(texts) == 2159
    trees = [SQL.parse(text) for text in texts]
    assert [SQL.render(tree) for tree in trees if SQL.parse(SQL.render(tree)) != tree] == []
    normal = [SQL.normalise(tree) for tree in trees]
    assert [SQL.render(tree) for tree in normal if SQL.parse(SQL.render(tree)) != tree] == []
    templates = [SQL.anonymise(tree) for tree in normal]
    assert [SQL.render(tree) for tree in templates if SQL.parse(SQL.render(tree)) != tree] == []


@pytest.mark.shared_data
@pytest.mark.parametrize(("part", "distinct"), [("train_spider", 3964), ("dev", 563)])
def test_every_original_query_of_spider_reads_back(part: str, distinct: int, data_dir: Path) -> None:
    with gzip.open(data_dir / "spider" / f"{part}.json.gz", "rt", encoding="utf-8") as file:
        texts = sorted({item["query"] for item in json.load(file)})
    assert len(texts) == distinct
    for text in texts:
        tree = parse(text)
        assert parse(render(tree)) == tree


@pytest.mark.shared_data
def test_text_of_spider_is_kept_but_for_what_leaves_no_trace(data_dir: Path) -> None:
    def plain(text: str) -> str:
        spelled = re.sub(r"\basc\b|;$|[\s()'\"]", "", text.strip())
        return spelled.replace("<>", "!=")

    assert [text for text in spider(data_dir) if plain(render(parse(text))) != plain(text)] == []


@pytest.mark.slow
@pytest.mark.shared_data
def test_bracket_mistakes_in_real_queries(data_dir: Path) -> None:
    texts = [text for text in spider(data_dir) if "(" in text]
    for text in texts[::5]:
        for changed in iter_bracket_mistakes(text, moved=False):
            assert_refused(changed)
    for text in texts[::3]:
        for changed in iter_bracket_mistakes(text, moved=True):
            if not is_well_formed(changed):
                assert_refused(changed)


def test_a_name_inside_a_function_reads_back() -> None:
    tree = SQL.parse("select f(a as b) , count(*) as c from t")
    assert SQL.parse(SQL.render(tree)) == tree
