"""The template of a SPARQL query: entities and literals give way to placeholders; relations and classes stay.

An entity is an IRI that is the subject or object of a triple, a value of VALUES or a part of an expression, unless it
is a class: what a type predicate says of something. A variable that stands for relations or classes keeps its values
too. Functions, graphs, servers, separators and the numbers of LIMIT and OFFSET stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

ENTITY, LITERAL = Tree("ENTITY"), Tree("LITERAL")
TYPE_PREDICATES = frozenset(
    {
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
        "<http://www.w3.org/2000/01/rdf-schema#subClassOf>",
        "<http://rdf.freebase.com/ns/type.object.type>",
        "<http://www.wikidata.org/prop/direct/P31>",
        "<http://www.wikidata.org/prop/direct/P279>",
    }
)
"""The predicates whose object is a class."""
_STAY = frozenset({"limit", "offset", "separator", "variables", "from", "from_named"})
_COMPARED = frozenset({"=", "!=", "in", "not_in"})


def anonymise_query(tree: Tree) -> Tree:
    """The query with placeholders.

    >>> from recombine.languages.sparql.read_query import read_query
    >>> from recombine.languages.sparql.write_query import write_query
    >>> tree = anonymise_query(read_query("PREFIX : <k:> ASK { :ann :age 5 ; a :Person . ?x :in :c }").tree)
    >>> write_query(tree).replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:")
    'ASK WHERE { ENTITY <k:age> LITERAL . ENTITY <rdf:type> <k:Person> . ?x <k:in> ENTITY . }'
    """
    return _anonymous(tree, frozenset(_iter_named(tree)))


def _iter_named(tree: Tree) -> Iterable[str]:
    """The variables that stand for relations and classes."""
    for node in tree.iter_nodes():
        if node.label == "triple":
            _, path, value = node.children
            if path.label[0] == "?" and not path.children:
                yield path.label
            if value.label[0] == "?" and says_class(path):
                yield value.label


def says_class(path: Tree) -> bool:
    """Whether a path has a type predicate as a step."""
    return path.label in TYPE_PREDICATES or any(map(says_class, path.children))


def _anonymous(tree: Tree, named: frozenset[str]) -> Tree:
    label, children = tree.label, tree.children
    if not children:
        return _placeholder(tree)
    if label in _STAY:
        return tree
    if label == "triple":
        subject, path, value = children
        kept = value if value.label[0] == "<" and says_class(path) else _placeholder(value)
        return Tree(label, (_placeholder(subject), path, kept))
    if label == "values":
        return _anonymous_values(tree, named)
    if label in ("call", "graph", "service", "service_silent"):
        return Tree(label, (children[0], *(_anonymous(child, named) for child in children[1:])))
    if label in _COMPARED and any(child.label in named for child in children):
        return Tree(label, tuple(_kept_iri(child, named) for child in children))
    return Tree(label, tuple(_anonymous(child, named) for child in children))


def _anonymous_values(tree: Tree, named: frozenset[str]) -> Tree:
    variables, *rows = tree.children
    keep = [variable.label in named for variable in variables.children]
    return Tree(
        "values",
        (
            variables,
            *(
                Tree("row", tuple(v if k and v.label[0] == "<" else _placeholder(v) for v, k in _pairs(row, keep)))
                for row in rows
            ),
        ),
    )


def _pairs(row: Tree, keep: list[bool]) -> Iterable[tuple[Tree, bool]]:
    return zip(row.children, keep, strict=True)


def _kept_iri(tree: Tree, named: frozenset[str]) -> Tree:
    return tree if tree.label[0] == "<" and not tree.children else _anonymous(tree, named)


def _placeholder(leaf: Tree) -> Tree:
    """The placeholder of a term, or the term where it is a variable, a blank node or a sign."""
    first = leaf.label[0]
    if first == "<" and leaf.label[-1] == ">" and len(leaf.label) > 2:
        return ENTITY
    if first == '"' or first.isdigit() or leaf.label in ("true", "false") or (first in "+-." and len(leaf.label) > 1):
        return LITERAL
    return leaf
