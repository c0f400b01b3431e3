"""SQL as the Spider data writes it: text to tree and back, what makes two queries equal, and their templates.

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
commas in FROM beside joins without a condition, and a last `;` leave no trace in a tree.

Not read: WITH, CASE, CAST, windows, NULLS FIRST, names of databases, aggregates of more than one argument.
"""

from __future__ import annotations

import re

from recombine.languages.language import Language
from recombine.languages.sql.aliases import resolved
from recombine.languages.sql.parse import NAME, parse
from recombine.languages.sql.render import render
from recombine.languages.sql.typed import type_literals, type_names
from recombine.tree import Tree

_NUMBER = re.compile(r"-?(?:\d|\.\d).*")
_WORDS = frozenset({"*", "null", "true", "false", "VALUE", "NUMBER"})


def normalise(tree: Tree) -> Tree:
    """Give queries that are equal, for trivial reasons, one tree.

    Merged are, besides what leaves no trace in a tree, and nothing else: upper and lower case of names (not of
    strings), and table aliases with the names of their tables (`aliases.py` says where). Kept apart are the order of
    items, conditions and joins, and `name` beside `dogs.name`, for which the schema would be needed.

    >>> render(normalise(parse('SELECT T1.Name FROM Dogs AS T1 WHERE T1.Breed = "Pug"')))
    "select dogs.name from dogs where dogs.breed = 'Pug'"
    """
    return resolved(tree.mapped(_lower))


def _lower(node: Tree) -> Tree:
    return node if node.label.startswith("'") else Tree(node.label.lower(), node.children)


def anonymise(tree: Tree) -> Tree:
    """Replace strings by VALUE and numbers by NUMBER; tables and columns stay.

    >>> render(anonymise(parse("select name from dogs where breed = 'pug' order by age limit 3")))
    'select name from dogs where breed = VALUE order by age limit NUMBER'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    if node.children:
        return node
    if node.label.startswith("'"):
        return Tree("VALUE")
    return Tree("NUMBER") if _NUMBER.fullmatch(node.label) else node


SQL = Language(NAME, parse, render, normalise, anonymise, type_literals, type_names)
