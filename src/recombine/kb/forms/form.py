"""A logical form as a value, in one of three notations (GrailQA, sections 3.1 and 3.3, appendix B).

- an S-expression is the tree that the language `sexpression` reads;
- a graph query has nodes and edges; one node is asked for, and at most one function stands at a node;
- a SPARQL query is the tree that the language `sparql11` reads.

A form that cannot be read is a `ProgramError`; one that can, and that another notation or a store has nothing for, is a
`FormError`. Names are terms: under the base of a profile where they have a name there, else by their IRIs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.kb.forms.loss import Loss
    from recombine.kb.term import Term
    from recombine.tree import Tree

GRAPH, SEXPRESSION, SPARQL = "graph", "sexpression", "sparql"
NOTATIONS = (GRAPH, SEXPRESSION, SPARQL)
SETS, GRAILQA = "sets", "grailqa"
SEMANTICS = (SETS, GRAILQA)
"""How a form is written as SPARQL: as appendix B says, or as GrailQA's published queries, which say more."""
COMPARISONS = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE"}
"""The comparisons of a graph query, and the functions that S-expressions write for them."""
NONE, COUNT, ARGMAX, ARGMIN = "none", "count", "argmax", "argmin"
FUNCTIONS = (NONE, COUNT, ARGMAX, ARGMIN, *COMPARISONS)
"""The functions of a graph query, as its nodes name them."""


@dataclass(frozen=True, slots=True)
class SExpression:
    """An S-expression, as it was written: nothing in it is sorted or dropped."""

    tree: Tree


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: anything of a class, an entity, or a literal."""

    kind: str
    """`class`, `entity` or `literal`."""
    value: Term | None
    """The class, the entity or the literal; none where a node is anything, and for the literal of a superlative."""
    of_class: Term | None = None
    """The class that is said of an entity or a literal."""
    function: str = NONE
    """`count` at the node that is asked for; a superlative or comparison at a literal."""
    name: str = ""
    """The name for people."""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A fact from one node to another, each by its place."""

    start: int
    end: int
    relation: Term
    name: str = ""
    """The name for people."""


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """Nodes and edges; `asked` is the place of the node that is asked for."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    asked: int = 0


@dataclass(frozen=True, slots=True)
class SparqlQuery:
    """A SPARQL query, and what had to be let pass to read it."""

    tree: Tree
    leniencies: tuple[str, ...] = ()


Form = SExpression | GraphQuery | SparqlQuery


class Converted(NamedTuple):
    """A form in another notation, and what it no longer says, a sentence each."""

    form: Form
    losses: tuple[Loss, ...] = ()
    semantics: str = SETS
    """The semantics in which the form that it was made of is to be read."""
