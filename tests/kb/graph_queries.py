"""Small graph queries for tests: nodes by short names."""

from __future__ import annotations

from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"


def thing(name: str | None, function: str = "none") -> GraphNode:
    """Anything of a class."""
    return GraphNode("class", None if name is None else Term.name(name), function=function)


def entity(name: str | None, of_class: str | None = None) -> GraphNode:
    """One entity, or an open leaf."""
    return GraphNode("entity", Term.name(name) if name else None, Term.name(of_class) if of_class else None)


def value(text: str | None, type_: str, function: str = "none") -> GraphNode:
    """A literal, or an open one."""
    term = None if text is None else Term.literal(text, datatype=XSD + type_)
    return GraphNode("literal", term, Term.iri(XSD + type_), function)


def graph(nodes: list[GraphNode], *edges: tuple[int, str, int]) -> GraphQuery:
    """A query of nodes and of edges as start, relation, end; the first node is asked for."""
    return GraphQuery(tuple(nodes), tuple(GraphEdge(start, end, Term.name(name)) for start, name, end in edges))
