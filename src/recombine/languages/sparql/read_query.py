"""Read a SPARQL query, SELECT or ASK, as a tree; `sparql11.py` says what the tree is like."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import ProgramError
from recombine.languages.sparql.fenced import find_query
from recombine.languages.sparql.reading import CURRENT, Reading
from recombine.languages.sparql.refused import refused
from recombine.languages.sparql.tokens import NAME, iter_tokens
from recombine.languages.sparql.well_known_prefixes import well_known_prefixes
from recombine.languages.too_deep import refuse_too_deep
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LENGTH = 1_000_000
"""The most characters of a query: a longer one is refused before it is looked at."""


class Query(NamedTuple):
    """A query that was read, and what had to be let pass for that, each once."""

    tree: Tree
    leniencies: tuple[str, ...] = ()


def read_query(text: str, *, prefixes: Mapping[str, str] | None = None) -> Query:
    """The tree of a query; `prefixes` are known besides those that are well known, and come before them.

    >>> query = read_query("SELECT COUNT(?x) WHERE { ?x wdt:P31 wd:Q5 }")
    >>> query.leniencies
    ('bare_count', 'undeclared_prefix')
    >>> query.tree.children[1].children[0].children[1].label
    '<http://www.wikidata.org/prop/direct/P31>'
    """
    if len(text) > MAX_LENGTH:
        raise ProgramError(NAME, MAX_LENGTH, f"more than {MAX_LENGTH:,} characters", "shorten the query")
    known = well_known_prefixes()
    reading = Reading(text, {**known, **prefixes} if prefixes else known)
    find_query(reading, language=NAME)
    if not text[reading.begin : reading.end].strip():
        raise ProgramError(NAME, reading.begin, "an empty program", "leave the example out")
    tree = _parsed(reading)
    refuse_too_deep(tree, language=NAME)
    if reading.blanks:
        tree = _renumbered(tree)
    return Query(tree, tuple(sorted(reading.leniencies)))


def _parsed(reading: Reading) -> Tree:
    from lark.exceptions import UnexpectedToken

    CURRENT.reading = reading
    try:
        tree: Tree = _parser().parse(reading)
    except UnexpectedToken as error:
        raise refused(error, reading) from None
    finally:
        del CURRENT.reading
    return tree


@cache
def _parser() -> Any:
    from lark import Lark
    from lark.lexer import Lexer

    from recombine.languages.sparql.build_tree import TreeBuilder

    class Tokens(Lexer):
        """What the parser asks for tokens."""

        def __init__(self, _: Any) -> None:
            pass

        def lex(self, reading: Any, _: Any = None) -> Any:
            return iter_tokens(reading)

    grammar = (files("recombine.languages.sparql") / "sparql11.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=Tokens, transformer=TreeBuilder, maybe_placeholders=False)


def _renumbered(tree: Tree) -> Tree:
    """The tree with its blank nodes `_:b0`, `_:b1` … as they come in it."""
    labels: dict[str, Tree] = {}
    for node in tree.iter_nodes():
        if node.label.startswith("_:") and node.label not in labels:
            labels[node.label] = Tree(f"_:b{len(labels)}")
    return tree.mapped(lambda node: labels.get(node.label, node))
