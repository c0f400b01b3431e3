"""Set match on generated rewrites of queries: what changes nothing matches, what changes the query does not.

Rewrites are made on sqlglot's tree and written out as text, apart from the trees that the match itself is made on.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from sqlglot import exp
from sqlglot.dialects.sqlite import SQLite

from recombine.evaluation.match.set_match import read_components


class Spider(SQLite):
    """SQLite with strings in double quotes too, as Spider writes them."""

    class Tokenizer(SQLite.Tokenizer):
        QUOTES: ClassVar[list[Any]] = ["'", '"']
        IDENTIFIERS: ClassVar[list[Any]] = ["`", ("[", "]")]


DIALECT = Spider()
Node = exp.Expression

OWN = [
    "SELECT name , age FROM dogs WHERE age > 3 AND breed = 'pug' OR owner IS NULL ORDER BY age DESC , name LIMIT 3",
    'SELECT DISTINCT T1.name FROM dogs AS T1 JOIN owners AS T2 ON T1.owner_id = T2.id WHERE T2.city = "Rome"',
    "SELECT T2.city , count(*) , max(T1.age) FROM dogs AS T1 JOIN owners AS T2 ON T1.owner_id = T2.id "
    "GROUP BY T2.city , T1.breed HAVING count(*) >= 2 AND avg(T1.age) < 9 ORDER BY count(*)",
    "SELECT name FROM dogs WHERE age > (SELECT avg(age) FROM dogs WHERE breed = 'pug')",
    "SELECT name FROM dogs WHERE owner_id NOT IN (SELECT T1.id FROM owners AS T1 WHERE T1.city LIKE '%o%')",
    "SELECT name FROM dogs WHERE age BETWEEN 1 AND 3 INTERSECT SELECT T1.name FROM cats AS T1 WHERE T1.age = 1",
    "SELECT T1.name FROM dogs AS T1 JOIN dogs AS T2 ON T1.mother = T2.id JOIN owners AS T3 ON T2.owner_id = T3.id "
    "WHERE T2.age != 4 AND T3.city = 'Rome'",
    "SELECT count(*) FROM (SELECT T1.name FROM dogs AS T1 GROUP BY T1.name HAVING count(*) > 1) AS T9",
    "SELECT avg(T1.age) , sum(DISTINCT T1.age) , T1.`odd name` FROM dogs AS T1 WHERE NOT EXISTS "
    "(SELECT * FROM cats AS T2 WHERE T2.owner_id = T1.owner_id)",
    "SELECT name FROM dogs UNION SELECT name FROM cats ORDER BY name LIMIT 2",
]


def parsed(text: str) -> Node:
    return DIALECT.parse(text)[0]


def written(tree: Node) -> str:
    return tree.sql(dialect=DIALECT)


# -- what changes nothing -----------------------------------------------------------------------------------------


def unchanged(tree: Node, draw: random.Random) -> Node:
    return tree


def parts(condition: Node, kind: type[Node]) -> list[Node]:
    """The parts of a chain of one connective."""
    inner = condition.unnest()
    return [*parts(inner.this, kind), *parts(inner.expression, kind)] if type(inner) is kind else [condition]


def shuffled_conditions(tree: Node, draw: random.Random) -> Node:
    def change(node: Node) -> Node:
        kind = type(node)
        if kind not in (exp.And, exp.Or) or type(node.parent) is kind:
            return node
        found = parts(node, kind)
        draw.shuffle(found)
        made, *others = found
        for part in others:
            made = kind(this=made, expression=part)
        return made

    return tree.transform(change)


def shuffled_items(tree: Node, draw: random.Random) -> Node:
    for node in tree.find_all(exp.Select, exp.Group):
        draw.shuffle(node.expressions)
    return tree


def renamed_aliases(tree: Node, draw: random.Random) -> Node:
    tables = {table.name.lower() for table in tree.find_all(exp.Table)}
    aliases = sorted({node.name.lower() for node in tree.find_all(exp.TableAlias)} - tables)
    names = dict(zip(aliases, draw.sample(range(100), len(aliases)), strict=True))
    for node in [*tree.find_all(exp.TableAlias), *tree.find_all(exp.Column)]:
        part = "this" if isinstance(node, exp.TableAlias) else "table"
        name = node.args.get(part)
        if name is not None and name.name.lower() in names:
            node.set(part, exp.to_identifier(f"renamed_{names[name.name.lower()]}"))
    return tree


def dropped_aliases(tree: Node, draw: random.Random) -> Node:
    """Table names for aliases, where every table stands in the query once."""
    tables = {table.alias.lower(): table for table in tree.find_all(exp.Table)}
    names = [table.name.lower() for table in tree.find_all(exp.Table)]
    if len(set(names)) < len(names) or "" in tables:
        return tree
    for column in tree.find_all(exp.Column):
        if column.table.lower() in tables:
            column.set("table", exp.to_identifier(tables[column.table.lower()].name.upper()))
    for table in tables.values():
        table.set("alias", None)
    return tree


def changed_values(tree: Node, draw: random.Random) -> Node:
    def change(node: Node) -> Node:
        if isinstance(node, exp.Literal):
            return exp.Literal.string(f"it's {draw.random()}") if node.is_string else exp.Literal.number(draw.random())
        return node

    return tree.transform(change)


def turned_joins(tree: Node, draw: random.Random) -> Node:
    """Tables in another order, all conditions on the last join, each with its sides exchanged."""
    for query in tree.find_all(exp.Select):
        joins = query.args.get("joins") or []
        if not joins or any(join.side or join.args.get("using") for join in joins):
            continue
        sources = [query.args["from_"].this, *(join.this for join in joins)]
        conditions = [part for join in joins if join.args.get("on") for part in parts(join.args["on"], exp.And)]
        conditions = [part for part in conditions if not isinstance(part, exp.Boolean)]  # sqlglot's own ON TRUE
        draw.shuffle(sources)
        draw.shuffle(conditions)
        for condition in conditions:
            if isinstance(condition, exp.EQ):
                left, right = condition.this, condition.expression
                condition.set("this", right)
                condition.set("expression", left)
        query.args["from_"].set("this", sources[0])
        for join, source in zip(joins, sources[1:], strict=True):
            join.set("this", source)
            join.set("on", None)
        if conditions:
            joins[-1].set("on", exp.and_(*conditions, copy=False))
    return tree


def spelled(column: exp.Column) -> str:
    return f"{column.table}.{column.name}".lower()


def equated(select: Node) -> list[set[str]]:
    """The columns, written with their tables, that the inner joins of a query hold equal."""
    joins = select.args.get("joins") or []
    if any(join.side for join in joins):
        return []
    groups: list[set[str]] = []
    for join in joins:
        on = join.args.get("on")
        for part in parts(on, exp.And) if on else []:
            sides = [part.this, part.expression] if isinstance(part, exp.EQ) else []
            if len(sides) == 2 and all(isinstance(side, exp.Column) and side.table for side in sides):
                pair = set(map(spelled, sides))
                groups = [g for g in groups if not g & pair] + [pair.union(*(g for g in groups if g & pair))]
    return groups


def equal_columns(tree: Node, draw: random.Random) -> Node:
    """Columns in the place of those that a join holds equal to them; not in joins themselves."""
    for select in tree.find_all(exp.Select):
        groups = equated(select)
        for column in list(select.find_all(exp.Column)):
            group = next((sorted(group) for group in groups if spelled(column) in group), None)
            if group is None or column.find_ancestor(exp.Select, exp.Join) is not select:
                continue
            table, name = draw.choice(group).split(".")
            column.replace(exp.column(name, table))
    return tree


SAME: list[Callable[[Node, random.Random], Node]] = [
    unchanged,
    shuffled_conditions,
    shuffled_items,
    renamed_aliases,
    dropped_aliases,
    changed_values,
    turned_joins,
    equal_columns,
]


def assert_rewrites_match(text: str) -> None:
    wanted, draw = read_components(text), random.Random(text)  # noqa: S311
    for change in SAME:
        other = written(change(parsed(text), draw))
        assert read_components(other) == wanted, (change.__name__, text, other)
    tree = parsed(text)
    for change in SAME:
        tree = change(tree, draw)
    assert read_components(written(tree)) == wanted, ("all at once", text, written(tree))


# -- what changes the query ---------------------------------------------------------------------------------------

OPERATORS = {exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.GT: exp.LT, exp.LT: exp.GTE, exp.GTE: exp.GT, exp.LTE: exp.LT}
CONNECTIVES = {exp.And: exp.Or, exp.Or: exp.And, exp.Add: exp.Sub, exp.Sub: exp.Add, exp.Like: exp.EQ}
AGGREGATES = {exp.Count: exp.Max, exp.Max: exp.Min, exp.Min: exp.Max, exp.Avg: exp.Sum, exp.Sum: exp.Avg}
SET_OPERATIONS = {exp.Union: exp.Intersect, exp.Intersect: exp.Except, exp.Except: exp.Union}
CLAUSES = ("where", "group", "having", "order", "limit", "offset", "distinct")


def is_another(one: exp.Column, other: exp.Column) -> bool:
    """Whether a column is surely not this one; `name` and `dogs.name` may be one, as may what a join holds equal."""
    groups = [group for select in one.root().find_all(exp.Select) for group in equated(select)]
    if any({spelled(one), spelled(other)} <= group for group in groups):
        return False
    if isinstance(other.this, exp.Star) or one.name.lower() != other.name.lower():
        return not isinstance(other.this, exp.Star)
    return bool(one.table and other.table) and one.table.lower() != other.table.lower()


def iter_changes(node: Node) -> Iterator[tuple[str, Node | None]]:
    """What to put in the place of a node, each with the name of the change; None takes it away."""
    kind: Any = type(node)
    if kind is exp.Column and not isinstance(node.this, exp.Star):
        yield "column", exp.column("another", node.table or None)
        others = [other for other in node.root().find_all(exp.Column) if is_another(node, other)]
        if others:
            yield "column of the same query", others[-1].copy()
        if isinstance(node.parent, exp.Select):
            yield "aggregate added", exp.Max(this=node.copy())
    if kind is exp.Table:
        yield "table", exp.Table(this=exp.to_identifier("another"), alias=node.args.get("alias"))
    if kind in AGGREGATES:
        star = isinstance(node.this, exp.Star)
        yield "aggregate", exp.Count(this=exp.column("another")) if star else AGGREGATES[kind](this=node.this.copy())
        if isinstance(node.this, exp.Distinct):
            yield "distinct in an aggregate", kind(this=node.this.expressions[0].copy())
        elif not star:
            yield "aggregate dropped", node.this.copy()
    if kind in OPERATORS or kind in CONNECTIVES:
        other = {**OPERATORS, **CONNECTIVES}[kind]
        yield "operator", exp.paren(other(this=node.this.copy(), expression=node.expression.copy()), copy=False)
    if kind in (exp.Like, exp.In, exp.Between, exp.Exists, exp.Is):
        negated = isinstance(node.parent, exp.Not)
        yield "negation", exp.paren(exp.Not(this=exp.paren(node.copy(), copy=False)), copy=False)
        if negated:
            yield "negation dropped", None
    if kind is exp.Ordered:
        yield (
            "direction",
            exp.Ordered(this=node.this.copy(), desc=not node.args.get("desc"), nulls_first=bool(node.args.get("desc"))),
        )
    if kind in SET_OPERATIONS:
        arguments = {name: value for name, value in node.copy().args.items() if name != "distinct"}
        yield "set operation", SET_OPERATIONS[kind](**arguments, distinct=True)
        if kind is exp.Union:  # the others keep no repeats in SQLite
            yield "repeats kept", kind(**arguments, distinct=False)
        yield "one side", exp.paren(node.this.copy(), copy=False) if node.parent else node.this.copy()


def iter_dropped(node: Node) -> Iterator[tuple[str, Callable[[Node], None]]]:
    """What can be left out of a node of a copied tree."""
    for clause in CLAUSES:
        if node.args.get(clause) and not isinstance(node, exp.SetOperation | exp.Count):
            yield f"{clause} dropped", lambda copy, clause=clause: copy.set(clause, None)
    if isinstance(node, exp.Select):
        if not node.args.get("distinct"):
            yield "distinct added", lambda copy: copy.set("distinct", exp.Distinct())
        if not node.args.get("limit"):
            yield "limit added", lambda copy: copy.set("limit", exp.Limit(expression=exp.Literal.number(1)))
        if len(node.expressions) > 1:
            yield "item dropped", lambda copy: copy.set("expressions", copy.expressions[1:])
        if node.args.get("joins"):
            yield "join dropped", lambda copy: copy.set("joins", copy.args["joins"][:-1])
            yield "condition of a join dropped", lambda copy: copy.args["joins"][-1].set("on", None)
    if isinstance(node, exp.And | exp.Or):
        yield "condition dropped", lambda copy: copy.replace(copy.this)


def iter_mutations(text: str) -> Iterator[tuple[str, str]]:
    """Each query that differs from this one in one place, with the name of the change."""
    tree = parsed(text)
    for place, node in enumerate(tree.walk()):
        for name, other in iter_changes(node):
            copied = tree.copy()
            target = list(copied.walk())[place]
            if name == "negation dropped":
                target.parent.replace(target)
            elif target.parent is None:
                copied = other
            else:
                target.replace(other)
            yield name, written(copied)
        for name, drop in iter_dropped(node):
            if name == "condition of a join dropped" and not isinstance(
                node.args["joins"][-1].args.get("on"), exp.EQ | exp.And
            ):
                continue
            copied = tree.copy()
            drop(list(copied.walk())[place])
            yield name, written(copied)


def assert_mutations_differ(text: str) -> int:
    wanted, count = read_components(text), 0
    for name, other in iter_mutations(text):
        assert read_components(other) != wanted, (name, text, other)
        count += 1
    return count


@pytest.mark.parametrize("text", OWN)
def test_rewrites_of_own_queries_match(text: str) -> None:
    assert_rewrites_match(text)


@pytest.mark.parametrize("text", OWN)
def test_mutations_of_own_queries_differ(text: str) -> None:
    assert assert_mutations_differ(text) >= 5


def spider(data_dir: Path) -> list[str]:
    """The distinct queries of Spider, as published and as in SSP."""
    found: set[str] = set()
    for part in ("train_spider", "dev"):
        with gzip.open(data_dir / "spider" / f"{part}.json.gz", "rt", encoding="utf-8") as file:
            found.update(item["query"] for item in json.load(file))
    with gzip.open(data_dir / "spider" / "spider_ssp.tsv.gz", "rt", encoding="utf-8") as lines:
        found.update(line.rstrip("\n").split("\t")[1] for line in lines)
    return sorted(found)


def is_written_as_it_is(text: str) -> bool:
    """Not so a query with a LIMIT before a set operation: SQLite refuses it, so sqlglot writes an inner query."""
    return not any(node.this.args.get("limit") for node in parsed(text).find_all(exp.SetOperation))


STRIDES = [pytest.param(50, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]


@pytest.mark.shared_data
@pytest.mark.parametrize("stride", STRIDES)
def test_rewrites_of_spider_match(stride: int, data_dir: Path) -> None:
    texts = spider(data_dir)
    assert len(texts) == 6684
    for text in filter(is_written_as_it_is, texts[::stride]):
        assert_rewrites_match(text)


@pytest.mark.shared_data
@pytest.mark.parametrize("stride", STRIDES)
def test_mutations_of_spider_differ(stride: int, data_dir: Path) -> None:
    texts = spider(data_dir)[::stride]
    assert sum(map(assert_mutations_differ, texts)) > 10 * len(texts)
