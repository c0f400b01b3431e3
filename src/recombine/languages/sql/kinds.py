"""Literals and names of SQL trees, each replaced by its kind.

A string that is a date or a time (`'2024-02-29'`, `'2024-02-29 12:30:00'`) is `<date>`, any other `<string>`; numbers
are `<number>`, true and false `<boolean>`; NULL stays. Names are `<table>` (of tables, of their aliases and of the
queries of a WITH), `<column>` (also where a select item gets a name) and `<database>`. Functions, types and units stay.
"""

from __future__ import annotations

import re

from recombine.languages.sql.labels import JOINS
from recombine.languages.sql.slots import is_named
from recombine.tree import Tree

STRING, NUMBER, DATE, BOOLEAN = (Tree(f"<{kind}>") for kind in ("string", "number", "date", "boolean"))
TABLE, COLUMN, DATABASE = (Tree(f"<{kind}>") for kind in ("table", "column", "database"))
_NUMBER = re.compile(r"-?(?:\d|\.\d).*")
_DATE = re.compile(
    r"'\d{4}-\d\d?-\d\d?(?:[ T]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?'|'\d\d?:\d\d(?::\d\d)?'"
)
_TEXTS = frozenset({"national", "raw_string", "byte_string", "unicode_string"})
_NUMBERS = frozenset({"hex_string", "bit_string"})
_CONSTANTS = frozenset({"null", "true", "false", "*", "VALUE", "NUMBER"})


def type_literals(tree: Tree) -> Tree:
    """Put the kind of each literal in its place.

    >>> from recombine.languages.sql.parse import parse
    >>> tree = parse("select a from b where c = 'pug' and born < '2020-01-31' limit 3")
    >>> [node.label for node in type_literals(tree).iter_nodes() if node.label.startswith("<") and len(node.label) > 1]
    ['<string>', '<date>', '<number>']
    """
    return tree.mapped(_typed)


def _typed(node: Tree) -> Tree:
    label = node.label
    if node.children:
        if label in _TEXTS:
            return STRING
        return NUMBER if label in _NUMBERS else node
    if label.startswith("'"):
        return DATE if _DATE.fullmatch(label) else STRING
    if label in ("true", "false"):
        return BOOLEAN
    return NUMBER if _NUMBER.fullmatch(label) else node


def type_names(tree: Tree) -> Tree:
    """Put the kind of each name in its place.

    >>> from recombine.languages.sql.parse import parse
    >>> tree = type_names(parse("select t1.a as x from dogs as t1 where b = 3"))
    >>> [node.label for node in tree.iter_nodes()]
    ['query', 'select', 'as', '.', '<table>', '<column>', '<column>', 'from', 'as', '<table>', '<table>', 'where', ...]
    """
    if not tree.children:
        return COLUMN if _is_name(tree.label) else tree
    first, *others = tree.children
    if tree.label == ".":
        *around, last = tree.children
        kinds = [DATABASE] * (len(around) - 1) + [TABLE]
        return Tree(".", (*kinds, last if last.label == "*" else COLUMN))
    if tree.label == "from" or tree.label in JOINS:
        return Tree(tree.label, (_typed_source(first), *map(type_names, others)))
    if tree.label == "cte":
        name, *rest = others
        return Tree("cte", (type_names(first), _typed_source(name), *map(type_names, rest)))
    if tree.label in ("table", "table_alias"):
        return Tree(tree.label, (_typed_source(first), *map(type_names, others)))
    if is_named(tree.label) and tree.label in ("db=", "catalog="):
        return Tree(tree.label, (DATABASE,))
    return Tree(tree.label, tuple(map(type_names, tree.children)))


def _typed_source(tree: Tree) -> Tree:
    """A source of a FROM, or the name of one."""
    if not tree.children:
        return TABLE if _is_name(tree.label) else tree
    if tree.label == "as":
        return Tree("as", (_typed_source(tree.children[0]), TABLE))
    if tree.label == "identifier":
        return Tree("identifier", (TABLE,))
    if tree.label == ".":
        return Tree(".", (*[DATABASE] * (len(tree.children) - 1), TABLE))
    return type_names(tree)


def _is_name(label: str) -> bool:
    """Whether a leaf is a name that the data brings."""
    if label.startswith("`"):
        return True
    return (
        label[0] not in "'@:<-.0123456789"
        and label not in _CONSTANTS
        and not label.endswith("()")
        and not is_named(label)
    )
