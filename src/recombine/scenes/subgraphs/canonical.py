"""The canonical form of a sub-graph: relations and modifiers in the order of their shapes, then of their names."""

from __future__ import annotations

from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.shape import Branch, Names, Shape, flatten


def canonical(graph: Subgraph) -> Subgraph:
    """The same sub-graph in an order that does not depend on how it was found.

    >>> from recombine.scenes.subgraph import Subgraph, SubRelation
    >>> worn, held = SubRelation("wearing", Subgraph("cap")), SubRelation("holding", Subgraph("ball"))
    >>> canonical(Subgraph("boy", None, (worn, held))) == canonical(Subgraph("boy", None, (held, worn)))
    True
    """
    relations = [
        SubRelation(
            each.name,
            canonical(each.child),
            tuple(sorted((SubModifier(mod.name, canonical(mod.child)) for mod in each.mods), key=_modifier_key)),
        )
        for each in graph.relations
    ]
    return Subgraph(graph.name, graph.attribute, tuple(sorted(relations, key=_relation_key)))


def _modifier_key(mod: SubModifier) -> tuple[Shape, Names]:
    child = flatten(mod.child)
    return child.shape, (mod.name, *child.names)


def _relation_key(relation: SubRelation) -> tuple[Branch, Names]:
    flat = flatten(Subgraph("", None, (relation,)))
    return flat.shape[1][0], flat.names[1:]
