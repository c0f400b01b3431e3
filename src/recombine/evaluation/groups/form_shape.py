"""The shape of a logical form: how many relations it has, and which function (GrailQA, section 3.2 and figure 4).

Relations count as often as they are written; what says the class of a thing is none. A superlative and a comparative
have the relation of what they compare. A SPARQL query that has an S-expression has that one's shape; of all others the
triples count, a path once for each of its steps; MAX, MIN and ORDER BY with LIMIT are superlatives there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from recombine.tree import Tree

NONE, COUNT, SUPERLATIVE, COMPARATIVE, SEVERAL = "none", "count", "superlative", "comparative", "several"
FUNCTIONS = (NONE, COUNT, SUPERLATIVE, COMPARATIVE, SEVERAL)
"""The functions of forms; `several` where a form has more than one kind of them."""
_COMPARE = ("LT", "LE", "GT", "GE")
_OF_SEXPRESSIONS = {
    "COUNT": COUNT,
    **dict.fromkeys(("ARGMAX", "ARGMIN"), SUPERLATIVE),
    **dict.fromkeys((*_COMPARE, *map(str.lower, _COMPARE)), COMPARATIVE),
    "TC": COMPARATIVE,
}
_OF_QUERIES = {
    "COUNT": COUNT,
    **dict.fromkeys(("MAX", "MIN"), SUPERLATIVE),
    **dict.fromkeys(("<", "<=", ">", ">="), COMPARATIVE),
}
_PAIRS = {
    **dict.fromkeys(("JOIN", "R", *_COMPARE, *map(str.lower, _COMPARE)), 0),
    **dict.fromkeys(("ARGMAX", "ARGMIN", "TC"), 1),
}
"""The place at which each function takes a set of pairs."""


class FormShape(NamedTuple):
    """The number of relations, and the function."""

    relations: int
    function: str


def sexpression_shape(tree: Tree) -> FormShape:
    """The shape of an S-expression.

    >>> from recombine.languages.sexpression import parse_sexpression
    >>> sexpression_shape(parse_sexpression("(COUNT (AND film.film (JOIN film.year (JOIN (R a.b) m.0))))"))
    FormShape(relations=2, function='count')
    """
    relations, functions = 0, set[str]()
    waiting = [(tree, False)]
    while waiting:
        node, in_binary = waiting.pop()
        if not node.children:
            relations += in_binary
            continue
        if node.label in _OF_SEXPRESSIONS:
            functions.add(_OF_SEXPRESSIONS[node.label])
        waiting += [
            (child, place == _PAIRS.get(node.label) or (in_binary and node.label == "JOIN"))
            for place, child in enumerate(node.children)
        ]
    return FormShape(relations, _one(functions))


def query_shape(tree: Tree, types: Collection[str] = ()) -> FormShape:
    """The shape of a SPARQL query; `types` are the predicates, as its leaves have them, that say a class.

    >>> from recombine.tree import Tree
    >>> triple = Tree("triple", (Tree("?x"), Tree("/", (Tree("<a>"), Tree("<b>"))), Tree("?y")))
    >>> query_shape(Tree("select", (Tree("project", (Tree("?y"),)), Tree("where", (triple,)))))
    FormShape(relations=2, function='none')
    """
    relations, functions = 0, set[str]()
    for node in tree.iter_nodes():
        if node.children and node.label in _OF_QUERIES:
            functions.add(_OF_QUERIES[node.label])
        if {"order_by", "limit"} <= {child.label for child in node.children}:
            functions.add(SUPERLATIVE)
        if node.label == "triple":
            relations += sum(step not in types for step in _steps(node.children[1]))
    return FormShape(relations, _one(functions))


def _steps(path: Tree) -> Iterator[str]:
    return (node.label for node in path.iter_nodes() if not node.children)


def _one(functions: set[str]) -> str:
    return SEVERAL if len(functions) > 1 else next(iter(functions), NONE)
