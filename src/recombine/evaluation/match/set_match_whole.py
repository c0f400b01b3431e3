"""A query with constructs that Spider's data has not (WITH, CASE, windows, …), as set match compares it: as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.known import find_language

if TYPE_CHECKING:
    from recombine.tree import Tree


def whole_query(tree: Tree) -> str:
    """The query as one text, normalised, with values left out.

    >>> from recombine.languages.sql.sql import parse
    >>> whole_query(parse("select cast(x.a as real) from Dogs as x where x.b = 'pug' and x.c > 3"))
    'SELECT CAST(dogs.a AS REAL) FROM dogs WHERE dogs.b = value AND dogs.c > number'
    """
    language = find_language("sql:spider")
    # Once more after the values are gone, for they may have decided an order.
    return language.render(language.normalise(language.anonymise(language.normalise(tree))))
