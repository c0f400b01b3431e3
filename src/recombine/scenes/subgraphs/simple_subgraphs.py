"""The simple sub-graphs of a sub-graph: at most two objects, one relation and one attribute (COVR, 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.subgraph import Subgraph, SubRelation
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Iterator


def simple_subgraphs(graph: Subgraph) -> list[Subgraph]:
    """All simple sub-graphs, each once; a modifier is a relation of the subject, named `pulling:_with`.

    >>> boy = Subgraph("boy", "tall", (SubRelation("wearing", Subgraph("cap", "red")),))
    >>> len(simple_subgraphs(boy))
    7
    """
    return list(dict.fromkeys(_simple(graph)))


def _simple(graph: Subgraph) -> Iterator[Subgraph]:
    yield from _alone(graph)
    for relation in graph.relations:
        yield from _pairs(graph, relation.name, relation.child)
        yield from _simple(relation.child)
        for mod in relation.mods:
            yield from _pairs(graph, relation.name + MODIFIER_MARK + mod.name, mod.child)
            yield from _simple(mod.child)


def _alone(graph: Subgraph) -> Iterator[Subgraph]:
    yield Subgraph(graph.name)
    if graph.attribute is not None:
        yield Subgraph(graph.name, graph.attribute)


def _pairs(subject: Subgraph, relation: str, target: Subgraph) -> Iterator[Subgraph]:
    """Two objects and a relation, with no attribute or one."""
    for first in _alone(subject):
        for second in _alone(target):
            if first.attribute is None or second.attribute is None:
                yield Subgraph(first.name, first.attribute, (SubRelation(relation, second),))
