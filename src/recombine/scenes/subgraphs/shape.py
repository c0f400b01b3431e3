"""The shape of a sub-graph: which nodes it has, without their names.

A shape is `(has an attribute, ((shape of the child, (shape of a modifier's child, …)), …))`, and the names of its nodes
lie in one row: name, attribute, then for each relation its name, the child's row, and for each modifier its name and
the row of its child. A sub-graph and its shape and row say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation

Shape = tuple[bool, tuple["Branch", ...]]
Branch = tuple[Shape, tuple[Shape, ...]]
Names = tuple[str, ...]


class NodeType(StrEnum):
    """What a node is; a name is only compared with names of its type."""

    NOUN = "noun"
    ATTRIBUTE = "attribute"
    RELATION = "relation"
    MODIFIER = "modifier"


class Flat(NamedTuple):
    """A sub-graph as its shape and the names of its nodes."""

    shape: Shape
    names: Names


@dataclass(frozen=True)
class Node:
    """A node of a shape: its type, and the number of the object that it belongs to, or leads to for a relation.

    Objects are numbered from 0, the root, in the order of the row.
    """

    type: NodeType
    object: int


@dataclass(frozen=True)
class ObjectPlace:
    """Where an object is in a row, by places of names; -1 where there is no such node."""

    name: int
    attribute: int
    parent: int
    """The number of the object that the relation to this one starts from."""
    relation: int
    modifier: int
    leaf: bool
    """Whether no relation starts from here."""


def flatten(graph: Subgraph) -> Flat:
    """The shape and names of a sub-graph, in the order in which it has them."""
    attribute = () if graph.attribute is None else (graph.attribute,)
    branches, names = [], [graph.name, *attribute]
    for relation in graph.relations:
        child = flatten(relation.child)
        mods = [(mod.name, flatten(mod.child)) for mod in relation.mods]
        branches.append((child.shape, tuple(mod.shape for _, mod in mods)))
        names += [relation.name, *child.names]
        for name, mod in mods:
            names += [name, *mod.names]
    return Flat((bool(attribute), tuple(branches)), tuple(names))


def unflatten(shape: Shape, names: Names) -> Subgraph:
    """The sub-graph of a shape and names."""
    return _unflatten(shape, names, 0)[0]


def _unflatten(shape: Shape, names: Names, place: int) -> tuple[Subgraph, int]:
    name, attribute = names[place], names[place + 1] if shape[0] else None
    place += 1 + shape[0]
    relations = []
    for below, mod_shapes in shape[1]:
        relation = names[place]
        child, place = _unflatten(below, names, place + 1)
        mods = []
        for mod_shape in mod_shapes:
            mod_name = names[place]
            mod, place = _unflatten(mod_shape, names, place + 1)
            mods.append(SubModifier(mod_name, mod))
        relations.append(SubRelation(relation, child, tuple(mods)))
    return Subgraph(name, attribute, tuple(relations)), place


@cache
def shape_size(shape: Shape) -> int:
    """The size of sub-graphs of a shape: objects and relations."""
    return 1 + sum(1 + shape_size(child) + sum(1 + shape_size(mod) for mod in mods) for child, mods in shape[1])


@cache
def nodes_of(shape: Shape) -> tuple[Node, ...]:
    """The nodes of a shape in the order of its rows."""
    nodes: list[Node] = []
    _add_nodes(shape, nodes, 0)
    return tuple(nodes)


def _add_nodes(shape: Shape, nodes: list[Node], number: int) -> int:
    """Add the nodes of an object of a number and of all below; the next free number."""
    nodes.append(Node(NodeType.NOUN, number))
    if shape[0]:
        nodes.append(Node(NodeType.ATTRIBUTE, number))
    after = number + 1
    for below, mods in shape[1]:
        nodes.append(Node(NodeType.RELATION, after))
        after = _add_nodes(below, nodes, after)
        for mod in mods:
            nodes.append(Node(NodeType.MODIFIER, after))
            after = _add_nodes(mod, nodes, after)
    return after


@cache
def objects_of(shape: Shape) -> tuple[ObjectPlace, ...]:
    """Where the objects of a shape are in its rows, by their numbers."""
    objects: list[ObjectPlace] = []
    _add_objects(shape, objects, 0, -1, -1, -1)
    return tuple(objects)


def _add_objects(
    shape: Shape, objects: list[ObjectPlace], place: int, parent: int, relation: int, modifier: int
) -> int:
    """Add the object whose name is at a place and all below; the place after them."""
    number = len(objects)
    attribute = place + 1 if shape[0] else -1
    objects.append(ObjectPlace(place, attribute, parent, relation, modifier, not shape[1]))
    place += 1 + shape[0]
    for below, mods in shape[1]:
        here = place
        place = _add_objects(below, objects, here + 1, number, here, -1)
        for mod in mods:
            place = _add_objects(mod, objects, place + 1, number, here, place)
    return place


@cache
def orders_of(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """The rows' places in every order of relations and modifiers that leaves the shape as it is, the given one first.

    >>> fork = (False, (((False, ()), ()), ((False, ()), ())))
    >>> orders_of(fork)
    ((0, 1, 2, 3, 4), (0, 3, 4, 1, 2))
    """
    return tuple(_orders(shape, 0)[0])


def _orders(shape: Shape, place: int) -> tuple[list[tuple[int, ...]], int]:
    own = tuple(range(place, place + 1 + shape[0]))
    place += len(own)
    branches = []
    for branch in shape[1]:
        found, place = _branch_orders(branch, place)
        branches.append((branch, found))
    return [own + rest for rest in _arranged(branches)], place


def _branch_orders(branch: Branch, place: int) -> tuple[list[tuple[int, ...]], int]:
    relation = place
    below, place = _orders(branch[0], place + 1)
    mods = []
    for shape in branch[1]:
        name = place
        found, place = _orders(shape, place + 1)
        mods.append((shape, [(name, *each) for each in found]))
    return [(relation, *child, *rest) for child in below for rest in _arranged(mods)], place


def _arranged(
    parts: list[tuple[Shape, list[tuple[int, ...]]]] | list[tuple[Branch, list[tuple[int, ...]]]],
) -> list[tuple[int, ...]]:
    """All orders of parts that put each where one of the same shape was."""
    arranged = []
    for order in permutations(range(len(parts))):
        if all(parts[at][0] == parts[to][0] for at, to in enumerate(order)):
            for choice in product(*(parts[to][1] for to in order)):
                arranged.append(tuple(place for each in choice for place in each))
    return arranged
