"""SPARQL 1.1 as a language: SELECT and ASK with all that stands in them, read by a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.language import Language
from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.write_query import write_query

if TYPE_CHECKING:
    from recombine.tree import Tree


def parse(text: str) -> Tree:
    """The tree of a query."""
    return read_query(text).tree


SPARQL11 = Language("sparql11", parse, write_query)
