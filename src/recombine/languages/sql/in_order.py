"""What may stand in any order, in one: the sides of AND, OR, `=`, `!=`, `*` and `+`, what IN chooses from, inner joins.

Two queries that become one have the same rows. For that, where an order could be seen it is kept:
- the sides of `=` and `!=` stay where one of them names a collation, which SQLite takes from the left first;
- the sides of `+` stay in dialects in which it joins strings;
- joins stay where one is not an inner join on a condition or on nothing; where a condition, or the source of a join,
  speaks of columns without their table or of a table further out; where `*` lists the columns of all tables; where
  LIMIT takes some of the rows; where a column beside an aggregate is not grouped by, so that the value of any row may
  be shown; and where a window or an aggregate such as GROUP_CONCAT sees the order of rows.
Nothing is moved between ON and WHERE.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from recombine.languages.sql.aliases import free_names
from recombine.languages.sql.labels import JOINS, QUERIES
from recombine.languages.sql.slots import is_named
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.languages.sql.dialect import SqlDialect

_ALWAYS = frozenset({"and", "or", "*"})
_COMPARED = frozenset({"=", "!="})
_CUTS = ("limit", "offset", "fetch")
_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max"})
_SEEN = frozenset({"window", "group_concat", "array_agg", "string_agg", "first", "last", "any_value"})


def in_order(tree: Tree, dialect: SqlDialect) -> Tree:
    """The query with all that may stand in any order in one order.

    >>> from recombine.languages.sql.dialect import find_dialect
    >>> from recombine.languages.sql.parse import parse
    >>> from recombine.languages.sql.render import render
    >>> query = parse("select dogs.a from dogs join cats on dogs.b = cats.b where 3 = dogs.c and dogs.a in (2, 1)")
    >>> render(in_order(query, find_dialect("spider")))
    'select dogs.a from cats join dogs on cats.b = dogs.b where dogs.c = 3 and dogs.a in (1 , 2)'
    """
    return tree.mapped(partial(_ordered, plus=dialect.adds_numbers_only))


def _ordered(node: Tree, *, plus: bool) -> Tree:
    label, children = node.label, node.children
    if len(children) < 2:
        return node
    if label in _ALWAYS or (label == "+" and plus) or (label in _COMPARED and not _collates(node)):
        return Tree(label, tuple(sorted(children, key=_key)))
    if label == "in" and not any(is_named(child.label) for child in children):
        return Tree(label, (children[0], *sorted(children[1:], key=_key)))
    return _with_joins_in_order(node) if label == "query" else node


def _key(tree: Tree) -> tuple[bool, str]:
    """Literals after all else, so that a column stands before what it is compared with."""
    return not tree.children and tree.label[0] in "'-.0123456789", _text(tree)


def _text(tree: Tree) -> str:
    return f"{tree.label}({','.join(map(_text, tree.children))})" if tree.children else tree.label


def _collates(tree: Tree) -> bool:
    return any(node.label == "collate" for node in tree.iter_nodes())


def _with_joins_in_order(query: Tree) -> Tree:
    """The query with its sources by name and each condition at the first place where all it speaks of is there."""
    clauses = [child for child in query.children if child.label == "from" or child.label in JOINS]
    sources = [clause.children[0] for clause in clauses]
    names = [_name(source) for source in sources]
    if len(clauses) < 2 or not _may_move(query, clauses) or "" in names or len(set(names)) < len(names):
        return query
    conditions: list[Tree] = []
    for clause in clauses[1:]:
        for condition in clause.children[1:]:
            conditions += condition.children if condition.label == "and" else (condition,)
    tables = [_tables(condition) for condition in conditions]
    if any(spoken is None or not spoken <= set(names) for spoken in tables):
        return query
    by_name = sorted(zip(names, sources, strict=True), key=lambda pair: (pair[0], _key(pair[1])))
    moved = [Tree("from", (by_name[0][1],))]
    waiting = sorted(zip(conditions, tables, strict=True), key=lambda pair: _key(pair[0]))
    for place in range(1, len(by_name)):
        there = {name for name, _ in by_name[: place + 1]}
        here = tuple(condition for condition, spoken in waiting if spoken is not None and spoken <= there)
        waiting = [pair for pair in waiting if pair[1] is not None and not pair[1] <= there]
        on = here if len(here) < 2 else (Tree("and", here),)
        moved.append(Tree("join", (by_name[place][1], *on)))
    first = query.children.index(clauses[0])
    rest = [child for child in query.children if child not in clauses]
    return Tree("query", (*rest[:first], *moved, *rest[first:]))


def _may_move(query: Tree, clauses: list[Tree]) -> bool:
    first, *joins = clauses
    if first.label != "from" or len(first.children) > 1 or any(join.label != "join" for join in joins):
        return False
    if any(child.label == "using" or is_named(child.label) for join in joins for child in join.children[1:]):
        return False
    if any(child.label in _CUTS for child in query.children):
        return False
    lists = any(child.label == "*" and not child.children for child in query.children[0].children)
    return not lists and not _shows_any_row(query) and all(_stands_alone(clause.children[0]) for clause in clauses)


def _shows_any_row(query: Tree) -> bool:
    """Whether a query shows the order in which rows come, by a window or by a column that is not grouped by."""
    parts = [
        child for child in query.children if child.label not in JOINS and child.label not in ("from", "where", "with")
    ]
    if any(node.label in _SEEN for part in parts for node in part.iter_nodes()):
        return True
    groups = [part for part in parts if part.label == "group"]
    shown = [part for part in parts if part.label != "group"]
    if not groups and not any(
        node.label in _AGGREGATES and node.children for part in shown for node in part.iter_nodes()
    ):
        return False
    keys = {key for group in groups for key in group.children}
    return any(_is_loose(item, keys) for part in shown for item in part.children)


def _is_loose(tree: Tree, keys: set[Tree]) -> bool:
    """Whether an expression has a column outside of aggregates that is not among the keys of its groups."""
    if tree in keys or (tree.label in _AGGREGATES and tree.children):
        return False
    if not tree.children:
        return _tables(tree) is None
    inner = tree.children[:1] if tree.label == "as" else tree.children
    return tree.label == "." or any(_is_loose(child, keys) for child in inner)


def _stands_alone(source: Tree) -> bool:
    """Whether a source is a table, or a query that speaks of its own tables only."""
    inner = source.children[0] if source.label == "as" else source
    return not inner.children or inner.label == "." or (inner.label in QUERIES and not free_names(inner))


def _name(source: Tree) -> str:
    """What the conditions call a source; empty where it has no name."""
    if source.label == "as":
        return source.children[1].label.strip("`")
    return source.label.strip("`") if not source.children else ""


def _tables(condition: Tree) -> set[str] | None:
    """The tables of which a condition speaks; none where a column stands without one, or a query inside."""
    if condition.label in QUERIES and condition.children:
        return None
    if not condition.children:
        return set() if condition.label[0] in "'0123456789-@:" or condition.label in ("null", "true", "false") else None
    if condition.label == ".":
        return {condition.children[0].label.strip("`")} if len(condition.children) == 2 else None
    found: set[str] = set()
    for child in condition.children:
        spoken = _tables(child)
        if spoken is None:
            return None
        found |= spoken
    return found
