"""The program that refers to the objects of a sub-graph."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.languages.scenes import written_name
from recombine.scenes.subgraphs.instances import MODIFIER_MARK
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.scenes.subgraph import Subgraph, SubRelation


@lru_cache(maxsize=1 << 16)
def subgraph_program(graph: Subgraph) -> Tree:
    """The program of a sub-graph: its noun, its attribute, then its relations, each with its modifiers.

    >>> from recombine.languages.functional import render_functional
    >>> from recombine.scenes.subgraph import Subgraph, SubRelation
    >>> render_functional(subgraph_program(Subgraph("boy", "tall", (SubRelation("on", Subgraph("bench")),))))
    'with_relation ( filter ( tall , find ( boy ) ) , on , find ( bench ) )'
    """
    program = found(graph.name)
    if graph.attribute is not None:
        program = filtered(graph.attribute, program)
    return with_relations(program, graph.relations)


def found(name: str) -> Tree:
    """The objects of a name."""
    return Tree("find", (Tree(written_name(name)),))


def filtered(attribute: str, objects: Tree) -> Tree:
    """Those of some objects that have an attribute."""
    return Tree("filter", (Tree(written_name(attribute)), objects))


def with_relations(program: Tree, relations: tuple[SubRelation, ...]) -> Tree:
    """Those of some objects that have all of some relations."""
    for relation in relations:
        program = related(program, relation.name, subgraph_program(relation.child))
        for mod in relation.mods:
            program = related(program, relation.name + MODIFIER_MARK + mod.name, subgraph_program(mod.child))
    return program


def related(subjects: Tree, relation: str, targets: Tree) -> Tree:
    """Those of some objects that have a relation to others."""
    return Tree("with_relation", (subjects, Tree(written_name(relation)), targets))


def reached(subjects: Tree, relation: str, targets: Tree) -> Tree:
    """Those of some objects that others have a relation to."""
    return Tree("with_relation_object", (subjects, Tree(written_name(relation)), targets))
