"""What the names in a query stand for, whatever its aliases are called.

A scope holds the sources of one FROM and the scope around it. Sources are told apart by their table and, where a table
is named more than once, by a number; which copy gets which number is for the caller to try. A column without its table
belongs to the one source there is. Where there are several, a schema says which of them has it; without one it stays
bare. Columns that an inner join holds equal are one.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING, TypeAlias

from recombine.languages.sql.labels import JOINS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from recombine.tree import Tree

MOST_NUMBERINGS = 720
"""The most ways to number copies of tables that are tried for a query and those around it: the ways of six copies."""

LONGEST_NAME = 80
"""The length from which a name that is a whole expression is cut to a digest."""

Outputs: TypeAlias = "Mapping[str, str]"
"""What a query gives: the expression behind each column, by its name and, from 1, by its number."""

Columns: TypeAlias = "Mapping[str, Collection[str]]"
"""The columns of each table, in lower case: what a schema says."""

_WORD = re.compile(r"\w+|\*")


@dataclass(frozen=True)
class Source:
    """One source of a FROM: what the query calls it, what it is, and what a query in its place gives."""

    called: str
    name: str
    outputs: Outputs
    columns: Collection[str] | None = None
    """The columns that it has; none where they are not known."""

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
    schema: Columns = field(default_factory=dict)
    """The columns of each table, where they are known."""
    equal: Mapping[str, str] = field(default_factory=dict)
    """For each column that inner joins hold equal to others, the one of them that stands for all."""

    def column(self, table: str, name: str) -> str:
        """The column that a name stands for; `^` is put in front for each query that one has to leave to find it."""
        if not table and not self.schema:
            return self._own(self.sources[0], name) if len(self.sources) == 1 else f".{name}"
        scope: Scope | None = self
        marks = ""
        while scope is not None:
            found = scope.owners(name) if not table else [each for each in scope.sources if each.called == table][:1]
            if len(found) > 1:
                return f"{marks}.{name}"
            if found:
                return marks + scope._own(found[0], name)
            scope, marks = scope.outer, f"{marks}^"
        if table:
            return f"{table}.{name}"
        return self._own(self.sources[0], name) if len(self.sources) == 1 else f".{name}"

    def owners(self, name: str) -> list[Source]:
        """The sources that have a column; where it is not known of one, all that it could be."""
        known = [each for each in self.sources if each.columns is not None and name in each.columns]
        return known or [each for each in self.sources if each.columns is None]

    def _own(self, source: Source, name: str) -> str:
        column = source.column(name)
        return self.equal.get(column, column) if self.equal else column


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
    return _plain(name.label)


@lru_cache(maxsize=1 << 14)
def _plain(label: str) -> str:
    text = label.strip("`").lower()
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
    query: Tree,
    identities: Sequence[str],
    outputs: Sequence[Outputs],
    outer: Scope | None,
    schema: Columns | None = None,
) -> Iterator[Scope]:
    """The scopes of a query, one for each way to number its sources of one identity: the copies of a table.

    Where there are more ways than `MOST_NUMBERINGS`, copies are numbered in the order of FROM and no other is tried.
    """
    schema = schema or {}
    given = zip(identities, outputs, strict=True)
    columns = [_named_columns(found) if found else schema.get(name) for name, found in given]
    names = [called(source) for source in source_trees(query)]
    if len(set(identities)) == len(identities):  # no table is named twice
        sources = map(Source, names, map(shortened, identities), outputs, columns)
        yield Scope(tuple(sources), outer, 1 if outer is None else outer.numberings, schema)
        return
    groups = [[place for place, other in enumerate(identities) if other == name] for name in sorted(set(identities))]
    around = 1 if outer is None else outer.numberings
    ways = around * prod(factorial(len(places)) for places in groups)
    few = ways <= MOST_NUMBERINGS
    orders = [list(permutations(places)) if few else [tuple(places)] for places in groups]
    for chosen in product(*orders):
        numbered = list(map(shortened, identities))
        for places in chosen:
            if len(places) > 1:
                for number, place in enumerate(places, start=1):
                    numbered[place] = f"{numbered[place]}#{number}"
        yield Scope(tuple(map(Source, names, numbered, outputs, columns)), outer, ways if few else around, schema)


def _named_columns(outputs: Outputs) -> Collection[str] | None:
    """The columns that an inner query gives; none where it gives all of a table."""
    return None if any(name.endswith("*") for name in outputs) else outputs
