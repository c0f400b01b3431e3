"""Table aliases replaced by table names, where that cannot change what a query means.

In `from dogs as t1` the name `dogs` takes the place of `t1` unless
- another table of the same FROM is also `dogs`, or is called `dogs` (a self-join keeps its aliases);
- `dogs.…` is already used inside the query and so means a table further out;
- a query further in has a table called `dogs` of its own and refers to `t1`;
- a query in the FROM itself refers to `t1`, which there may be a table further out;
- `t1` stands where it may be a name of another kind: in `t1.a.b` or, in dialects where a table's name is a value, bare.
Under a set operation whose ORDER BY names a table, nothing is replaced. The queries of a WITH do not see the FROM of
the query that has it, so what they call `t1` is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.sql.labels import JOINS, QUERIES
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def resolved(tree: Tree, *, rows_are_values: bool = False) -> Tree:
    """The query with its aliases replaced; `rows_are_values` where the name of a table may stand for its row.

    SQLite is no such dialect, and its FROM has no query that refers to a table further out.

    >>> from recombine.languages.sql.parse import parse
    >>> resolved(parse("select t1.name from dogs as t1")) == parse("select dogs.name from dogs")
    True
    """
    # An outer alias that is gone can leave room for an inner one to go, so this is repeated until none goes.
    blocks = _is_bare if rows_are_values else _is_other_name
    while (changed := _inner_first(tree, blocks)) != tree:
        tree = changed
    return tree


def _inner_first(tree: Tree, blocks: Callable[[Tree, str], bool]) -> Tree:
    """The query with its aliases replaced, inner queries first."""
    if tree.label in QUERIES - {"query"} and any(map(free_names, tree.children[2:])):
        return tree
    tree = Tree(tree.label, tuple(_inner_first(child, blocks) for child in tree.children))
    if tree.label != "query":
        return tree
    while (replacement := next(iter(_replaceable(tree, blocks)), None)) is not None:
        alias, table = replacement
        inside = (child if child.label == "with" else _without_alias(child, alias, table) for child in tree.children)
        tree = Tree("query", tuple(inside))
    return tree


def _is_other_name(tree: Tree, alias: str) -> bool:
    """Whether an alias stands where it may be another kind of name."""
    if not tree.children:
        return False
    if tree.label == "identifier" or (tree.label == "." and len(tree.children) > 2):
        return any(child.label.strip("`") == alias for child in tree.children)
    return any(_is_other_name(child, alias) for child in tree.children)


def _is_bare(tree: Tree, alias: str) -> bool:
    """Whether an alias stands anywhere but before a column and where it is given, or in a query of a FROM."""
    if not tree.children:
        return tree.label.strip("`") == alias
    first, *others = tree.children
    if (tree.label == "from" or tree.label in JOINS) and first.children and first.label != ".":
        inner = first.children[0] if first.label == "as" else first
        if inner.children and alias in free_names(inner):
            return True
    if tree.label == "." and not others[1:]:
        return False
    if tree.label == "as" and not others[0].children:
        return _is_bare(first, alias) if first.children else False
    return any(_is_bare(child, alias) for child in tree.children)


def _sources(query: Tree) -> list[Tree]:
    return [child.children[0] for child in query.children if child.label == "from" or child.label in JOINS]


def _called(source: Tree) -> str:
    """The name by which a query refers to one of its sources; empty for a nameless inner query."""
    if source.label == "as":
        return source.children[1].label.strip("`")
    if source.label == "." and source.children:
        return source.children[-1].label.strip("`")
    return "" if source.children else source.label.strip("`")


def _table(source: Tree) -> str:
    """The table of a source; empty for an inner query."""
    inner = source.children[0] if source.label == "as" and source.children else source
    return "" if inner.children else inner.label.strip("`")


def free_names(tree: Tree) -> set[str]:
    """The names of tables that a tree refers to and that are in no FROM inside it."""
    if tree.label == "." and tree.children:
        return {tree.children[0].label.strip("`")}
    if tree.label != "query":
        return _names_in(tree.children)
    names = _names_in(child for child in tree.children if child.label != "with") - set(map(_called, _sources(tree)))
    return names | _names_in(child for child in tree.children if child.label == "with")


def _names_in(trees: Iterable[Tree]) -> set[str]:
    return set().union(*map(free_names, trees))


def _replaceable(query: Tree, blocks: Callable[[Tree, str], bool]) -> list[tuple[str, Tree]]:
    """The aliases of this query's own FROM that can go, each with its table."""
    sources = _sources(query)
    used = set().union(*map(free_names, query.children))
    replaceable = []
    for source in sources:
        table, alias = _table(source), _called(source)
        if source.label != "as" or not source.children or not table:
            continue
        others = [other for other in sources if other is not source]
        twice = any(table in (_table(other), _called(other)) for other in others)
        taken = table in used and table != alias
        if not twice and not taken and not any(_captures(each, alias, table) for each in query.children):
            replaceable.append((alias, source.children[0]))
    return [(alias, table) for alias, table in replaceable if not any(blocks(each, alias) for each in query.children)]


def _captures(tree: Tree, alias: str, table: str) -> bool:
    """Whether an inner query has a source with the name of the table and refers to the alias from outside it."""
    if tree.label == "query" and table in map(_called, _sources(tree)) and alias in free_names(tree):
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
        inside = (_without_alias(each, alias, table) if each.label == "with" else each for each in tree.children)
        return Tree("query", tuple(inside))
    return Tree(tree.label, tuple(_without_alias(child, alias, table) for child in tree.children))
