"""Table aliases replaced by table names, where that cannot change what a query means.

In `from dogs as t1` the name `dogs` takes the place of `t1` unless
- another table of the same FROM is also `dogs`, or is called `dogs` (a self-join keeps its aliases);
- `dogs.…` is already used inside the query and so means a table further out;
- a query further in has a table called `dogs` of its own and refers to `t1`.
Under a set operation whose ORDER BY names a table, nothing is replaced.
"""

from __future__ import annotations

from recombine.languages.sql.labels import JOINS, QUERIES
from recombine.tree import Tree


def resolved(tree: Tree) -> Tree:
    """The query with its aliases replaced.

    >>> from recombine.languages.sql.parse import parse
    >>> resolved(parse("select t1.name from dogs as t1")) == parse("select dogs.name from dogs")
    True
    """
    # An outer alias that is gone can leave room for an inner one to go, so this is repeated until none goes.
    while (changed := _inner_first(tree)) != tree:
        tree = changed
    return tree


def _inner_first(tree: Tree) -> Tree:
    """The query with its aliases replaced, inner queries first."""
    if tree.label in QUERIES - {"query"} and any(map(_free, tree.children[2:])):
        return tree
    tree = Tree(tree.label, tuple(map(_inner_first, tree.children)))
    if tree.label != "query":
        return tree
    while (replacement := next(iter(_replaceable(tree)), None)) is not None:
        alias, table = replacement
        tree = Tree("query", tuple(_without_alias(child, alias, table) for child in tree.children))
    return tree


def _sources(query: Tree) -> list[Tree]:
    return [child.children[0] for child in query.children if child.label == "from" or child.label in JOINS]


def _called(source: Tree) -> str:
    """The name by which a query refers to one of its sources; empty for a nameless inner query."""
    if source.label == "as":
        return source.children[1].label.strip("`")
    return "" if source.children else source.label.strip("`")


def _table(source: Tree) -> str:
    """The table of a source; empty for an inner query."""
    inner = source.children[0] if source.label == "as" and source.children else source
    return "" if inner.children else inner.label.strip("`")


def _free(tree: Tree) -> set[str]:
    """The names of tables that a tree refers to and that are in no FROM inside it."""
    if tree.label == "." and tree.children:
        return {tree.children[0].label.strip("`")}
    names: set[str] = set().union(*map(_free, tree.children))
    return names - set(map(_called, _sources(tree))) if tree.label == "query" else names


def _replaceable(query: Tree) -> list[tuple[str, Tree]]:
    """The aliases of this query's own FROM that can go, each with its table."""
    sources = _sources(query)
    used = set().union(*map(_free, query.children))
    replaceable = []
    for source in sources:
        table, alias = _table(source), _called(source)
        if source.label != "as" or not source.children or not table:
            continue
        others = [other for other in sources if other is not source]
        twice = any(table in (_table(other), _called(other)) for other in others)
        taken = table in used and table != alias
        if not twice and not taken and not any(_captures(child, alias, table) for child in query.children):
            replaceable.append((alias, source.children[0]))
    return replaceable


def _captures(tree: Tree, alias: str, table: str) -> bool:
    """Whether an inner query has a source with the name of the table and refers to the alias from outside it."""
    if tree.label == "query" and table in map(_called, _sources(tree)) and alias in _free(tree):
        return True
    return any(_captures(child, alias, table) for child in tree.children)


def _without_alias(tree: Tree, alias: str, table: Tree) -> Tree:
    """The tree with the table's name for the alias, but not inside queries that have that alias themselves."""
    if tree.label == "." and tree.children:
        return Tree(".", (table, tree.children[1])) if tree.children[0].label.strip("`") == alias else tree
    if tree.label == "from" or tree.label in JOINS:
        source, *others = tree.children
        own = source.label == "as" and _called(source) == alias and source.children[0] == table
        first = table if own else _without_alias(source, alias, table)
        return Tree(tree.label, (first, *(_without_alias(child, alias, table) for child in others)))
    if tree.label == "query" and alias in map(_called, _sources(tree)):
        return tree
    return Tree(tree.label, tuple(_without_alias(child, alias, table) for child in tree.children))
