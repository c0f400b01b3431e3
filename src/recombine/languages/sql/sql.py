"""SQL: text to tree and back, what makes two queries equal, and their templates.

`sql` reads SQL as the Spider data writes it: SQLite's, with text in double quotes as strings, and names with blanks in
backquotes or square brackets. `sql:DIALECT` reads what sqlglot reads in any of its dialects (`sql:postgres`), any
statement and not queries alone; `sql:spider` reads as `sql` does and normalises as the dialects do.

The shape of a tree, as rules:

    query      -> query(select …)                             with its parts in this order:
                  select | select_distinct, from, join*, where, group, having, order, limit, offset
                | union | union_all | intersect | except      (query, query, order?, limit?, offset?)
    select     -> select(item, …)                             item: expression, `*`, .(table, *), as(expression, name)
    from       -> from(source)                                source: table, as(table, name), query, as(query, name)
    join       -> join(source) | join(source, condition) | join(source, using(column, …)); also left_join, …
    where      -> where(condition)                            having is like it
    group      -> group(expression, …)
    order      -> order(asc(expression) | desc(expression), …)
    limit      -> limit(expression)                           offset is like it
    condition  -> and(condition, …) | or(condition, …) | not(condition) | exists(query)
                | =(e, e), != < <= > >= is like; between(e, low, high); in(e, query) | in(e, e, …)
    expression -> column | .(table, column) | literal | query | function(e, …) | count(*) | count(distinct(e))
                | +(e, e), - * / % ||; -(e)

Leaves are names as the text spells them (in backquotes if it quotes them), numbers, `'strings'`, `null`, `true`,
`false`. Chains of `and` and of `or` are one node. Brackets, `asc`, `<>` beside `!=`, the kind of quotes, `inner`,
commas in FROM beside joins without a condition, comments and a last `;` leave no trace in a tree.

Whatever else sqlglot reads (WITH, CASE, CAST, windows, …) becomes nodes with the names of sqlglot's classes in snake
case, as `slots.py` says: `cast(a, ::INT)`. What is not a node there is a leaf: `::INT` is a type, `@YEAR` a word of the
dialect, `row_number()` a call without arguments, `recursive=true` an argument that is no node. Further, a part of a
query that is not in the rules stands after the others, a name of more parts is .(database, table, column), `cte(query,
name)` is one query of a `with`, and `other_join` is a join that is not in the rules.

A statement that sqlglot does not read is malformed. One that it only takes note of (GRANT, a procedure), and one that
it cannot write as it reads it, is not read: a `NotReadError`, which is counted apart.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from recombine.languages.language import Language
from recombine.languages.sql.aliases import resolved
from recombine.languages.sql.dialect import NAME, SPIDER, find_dialect
from recombine.languages.sql.in_order import in_order
from recombine.languages.sql.kinds import type_literals, type_names
from recombine.languages.sql.parse import parse, parse_dialect, write
from recombine.languages.sql.plain import is_plain
from recombine.languages.sql.render import render as render_plain
from recombine.languages.sql.slots import is_named
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.languages.sql.dialect import SqlDialect

_NUMBER = re.compile(r"-?(?:\d|\.\d).*")
# Literals that belong to a construct and not to an example: formats of dates, units, separators, sizes of types.
_CONSTRUCTS = frozenset(
    {"escape", "group_concat", "interval", "str_to_date", "str_to_time", "str_to_unix", "time_to_str", "to_char"}
)
_WHOLE_CONSTRUCTS = frozenset({"fetch", "pivot", "table_sample"})


def render(tree: Tree) -> str:
    """Write a query: as Spider does where all of it has rules of its own, else as sqlglot does.

    >>> render(parse("SELECT Name FROM Dogs")), render(parse("select cast(a as real) from b"))
    ('select Name from Dogs', 'SELECT CAST(a AS REAL) FROM b')
    """
    return render_plain(tree) if is_plain(tree) else write(tree, find_dialect(SPIDER), NAME)


def normalise(tree: Tree) -> Tree:
    """Give queries that are equal, for trivial reasons, one tree.

    Merged are, besides what leaves no trace in a tree, and nothing else: upper and lower case of names (not of
    strings), and table aliases with the names of their tables (`aliases.py` says where). Kept apart are the order of
    items, conditions and joins, and `name` beside `dogs.name`, for which the schema would be needed.

    >>> render(normalise(parse('SELECT T1.Name FROM Dogs AS T1 WHERE T1.Breed = "Pug"')))
    "select dogs.name from dogs where dogs.breed = 'Pug'"
    """
    return resolved(tree.mapped(_lower))


def normalise_dialect(tree: Tree, dialect: SqlDialect) -> Tree:
    """Give queries of a dialect that are equal, for trivial reasons, one tree.

    Merged are upper and lower case of names where the dialect does not tell them apart, table aliases with the names of
    their tables, and the orders that `in_order.py` names.

    >>> postgres = sql_dialect("postgres")
    >>> query = postgres.parse("SELECT X.Name FROM Dogs AS X WHERE X.Age > 3 AND 'pug' = X.Breed")
    >>> postgres.render(postgres.normalise(query))
    "SELECT dogs.name FROM dogs WHERE dogs.breed = 'pug' AND dogs.age > 3"
    """
    tree = tree.mapped(partial(_folded, quoted=dialect.folds_quoted_names)) if dialect.folds_names else tree
    tree = resolved(tree, rows_are_values=not dialect.is_sqlite)
    return in_order(tree, dialect)


def _lower(node: Tree) -> Tree:
    label = node.label
    if label.startswith(("'", "::", "@")) or is_named(label):
        return node
    lower = label.lower()
    return node if lower == label else Tree(lower, node.children)


def _folded(node: Tree, *, quoted: bool) -> Tree:
    return node if node.label.startswith("`") and not quoted else _lower(node)


def anonymise(tree: Tree) -> Tree:
    """Replace strings by VALUE and numbers by NUMBER; tables and columns stay.

    >>> render(anonymise(parse("select name from dogs where breed = 'pug' order by age limit 3")))
    'select name from dogs where breed = VALUE order by age limit NUMBER'
    """
    label, children = tree.label, tree.children
    if not children:
        return _anonymous(tree)
    if label in _WHOLE_CONSTRUCTS or label.startswith("::"):
        return tree
    if label in _CONSTRUCTS:
        return Tree(label, tuple(anonymise(child) if child.children else child for child in children))
    return Tree(label, tuple(map(anonymise, children)))


def _anonymous(leaf: Tree) -> Tree:
    if leaf.label.startswith("'"):
        return Tree("VALUE")
    return Tree("NUMBER") if _NUMBER.fullmatch(leaf.label) else leaf


@cache
def sql_dialect(name: str) -> Language:
    """The language of a dialect.

    >>> sql_dialect("bigquery").name
    'sql:bigquery'
    """
    dialect = find_dialect(name)
    return Language(
        dialect.language,
        partial(parse_dialect, dialect=dialect),
        partial(write, dialect=dialect, language=dialect.language),
        partial(normalise_dialect, dialect=dialect),
        anonymise,
        type_literals,
        type_names,
    )


SQL = Language(NAME, parse, render, normalise, anonymise, type_literals, type_names)
