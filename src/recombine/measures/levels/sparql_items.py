"""The schema items of a SPARQL query: its relations, classes and functions, as written (see `sparql_parts`).

With `constructs`, everything else that the language has words or signs for is an item too: ASK, UNION, FILTER, a path's
`/`, the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.measures.levels.items import Items
from recombine.measures.levels.sparql_parts import COMPARISONS, SELECTS, sparql_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree

_PLAIN = frozenset({"project", "where", "triple", "group", "variables", "row", "as", "asc", "desc", "separator"})
"""Nodes of the tree that are no construct of the language by themselves."""


def sparql_items(tree: Tree, profile: Profile, *, constructs: bool = False) -> Items:
    """The schema items of a query that the language `sparql11` has read.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.languages.known import find_language
    >>> query = find_language("sparql11").parse("ASK { ?x a <http://dbpedia.org/ontology/City> }")
    >>> sparql_items(query, find_profile("dbpedia"), constructs=True)
    Items(names=frozenset({'dbo:City'}), functions=frozenset({'ASK'}))
    """
    parts = sparql_parts(tree, profile)
    names = frozenset(profile.show(profile.shorten(iri[1:-1])) for iri in parts.relations | parts.classes)
    return Items(names, frozenset({*parts.functions, *(_constructs(tree) if constructs else ())}))


def _constructs(tree: Tree) -> Iterator[str]:
    """The words and signs of the language that a query uses."""
    yield tree.label.replace("_", " ").upper()
    waiting = list(tree.children)
    while waiting:
        node = waiting.pop()
        if node.label == "triple" and node.children:
            yield from (f"path {inner.label}" for inner in node.children[1].iter_nodes() if inner.children)
            continue
        if node.label in SELECTS and node.children:
            yield "sub-SELECT"
        elif node.children and node.label not in _PLAIN and node.label not in COMPARISONS:
            yield node.label.replace("_", " ").upper()
        waiting += node.children
