"""What the names in a query stand for, whatever its aliases are called.

A scope holds the sources of one FROM and the scope around it. Sources are told apart by their table and, where a table
is named more than once, by a number; which copy gets which number is for the caller to try. There is no schema:
a column without its table belongs to the one source there is, and stays bare where there are several.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING, TypeAlias

from recombine.languages.sql.labels import JOINS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recombine.tree import Tree

MOST_NUMBERINGS = 720
"""The most ways to number copies of tables that are tried for a query and those around it: the ways of six copies."""

LONGEST_NAME = 80
"""The length from which a name that is a whole expression is cut to a digest."""

Outputs: TypeAlias = "Mapping[str, str]"
"""What a query gives: the expression behind each column, by its name and, from 1, by its number."""

_WORD = re.compile(r"\w+|\*")


@dataclass(frozen=True)
class Source:
    """One source of a FROM: what the query calls it, what it is, and what a query in its place gives."""

    called: str
    name: str
    outputs: Outputs

    def column(self, name: str) -> str:
        """A column of this source; that of a query is the expression behind it."""
        return f"{self.name}.{shortened(self.outputs.get(name, name))}"


@dataclass(frozen=True)
class Scope:
    """The sources of one query, and the scope around it."""

    sources: tuple[Source, ...]
    outer: Scope | None = None
    numberings: int = 1
    """In how many ways this query and those around it are numbered."""

    def column(self, table: str, name: str) -> str:
        """The column that a name stands for; `^` is put in front for each query that one has to leave to find it."""
        if not table:
            return self.sources[0].column(name) if len(self.sources) == 1 else f".{name}"
        scope: Scope | None = self
        marks = ""
        while scope is not None:
            for source in scope.sources:
                if source.called == table:
                    return marks + source.column(name)
            scope, marks = scope.outer, f"{marks}^"
        return f"{table}.{name}"


def shortened(text: str) -> str:
    """A text or, where it is long, its digest: what stands for an inner query must not grow with the nesting."""
    if len(text) <= LONGEST_NAME:
        return text
    return f"[{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}]"


def plain(name: Tree) -> str:
    """A name as it is compared: in lower case, in quotes only where it is not a word.

    >>> from recombine.tree import Tree
    >>> plain(Tree("`Name`")), plain(Tree("`Last Name`"))
    ('name', '`last name`')
    """
    text = name.label.strip("`").lower()
    return text if _WORD.fullmatch(text) else f"`{text}`"


def source_trees(query: Tree) -> list[Tree]:
    """The sources of a query's FROM and joins, in order."""
    return [child.children[0] for child in query.children if child.label == "from" or child.label in JOINS]


def unnamed(source: Tree) -> Tree:
    """A source without its alias: a table, or a query."""
    return source.children[0] if source.label == "as" and source.children else source


def called(source: Tree) -> str:
    """The name by which a query speaks of a source; empty for a query without a name."""
    if source.label == "as" and source.children:
        return plain(source.children[1])
    return "" if source.children else plain(source)


def iter_scopes(
    query: Tree, identities: Sequence[str], outputs: Sequence[Outputs], outer: Scope | None
) -> Iterator[Scope]:
    """The scopes of a query, one for each way to number its sources of one identity: the copies of a table.

    Where there are more ways than `MOST_NUMBERINGS`, copies are numbered in the order of FROM and no other is tried.
    """
    groups = [[place for place, other in enumerate(identities) if other == name] for name in sorted(set(identities))]
    around = 1 if outer is None else outer.numberings
    ways = around * prod(factorial(len(places)) for places in groups)
    few = ways <= MOST_NUMBERINGS
    orders = [list(permutations(places)) if few else [tuple(places)] for places in groups]
    names = [called(source) for source in source_trees(query)]
    for chosen in product(*orders):
        numbered = list(map(shortened, identities))
        for places in chosen:
            if len(places) > 1:
                for number, place in enumerate(places, start=1):
                    numbered[place] = f"{numbered[place]}#{number}"
        yield Scope(tuple(map(Source, names, numbered, outputs)), outer, ways if few else around)
