"""The kinds of distractors: which nodes of a sub-graph are changed, and how a kind is written.

Objects are numbered as the sub-graph has them: `root`, then 1, 2, …, a relation's child before what its modifiers lead
to. `root_name` and `2_name` are names of objects, `root_attr` and `2_attr` their attributes, `2_rel` the relation that
leads to object 2. Two changes are joined: `root_attr+2_rel`. Modifiers are not changed, but their objects are.

At distance 2 there are three families (COVR): any node and the root's attribute; the name of a leaf and that of any
other object; the relation to a leaf and the root's name or attribute. In the last two the new leaf is one that is seen
somewhere with the subject and relation of the sub-graph, and the new relation one that is seen somewhere between its
two names, so that a question about it makes sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from recombine.errors import DefinitionError
from recombine.scenes.subgraphs.shape import NodeType, Shape, nodes_of, objects_of

ONCE = "once"
"""Images that hold the sub-graph, but once only: for questions that count within images."""
HOLDS = "holds"
ROOT = "root"
_WORDS = {NodeType.NOUN: "name", NodeType.ATTRIBUTE: "attr", NodeType.RELATION: "rel"}
_TYPES = {word: kind for kind, word in _WORDS.items()}


class Change(NamedTuple):
    """One changed node: the number of its object, and the type."""

    object: int
    type: NodeType

    def __str__(self) -> str:
        return f"{self.object or ROOT}_{_WORDS[self.type]}"


@dataclass(frozen=True)
class Kind:
    """A kind of distractor for sub-graphs of one shape."""

    name: str
    changes: tuple[Change, ...]
    places: tuple[int, ...]
    """Where the changed nodes are in a row."""
    seen_with: tuple[int, ...] = ()
    """The places of names that the last changed one must be seen with somewhere; none where that is sure."""


def changes_of(kind: str) -> tuple[Change, ...]:
    """The changes that the name of a kind says; none for images that hold the sub-graph.

    >>> [(each.object, str(each.type)) for each in changes_of("root_attr+2_rel")]
    [(0, 'attribute'), (2, 'relation')]
    """
    if kind in (ONCE, HOLDS):
        return ()
    changes = []
    for part in kind.split("+"):
        number, _, word = part.partition("_")
        if word not in _TYPES or not (number == ROOT or number.isdecimal()):
            raise DefinitionError(f"{kind!r} is no kind of distractor", "write root_attr, 2_name, root_name+1_rel …")
        changes.append(Change(0 if number == ROOT else int(number), _TYPES[word]))
    return tuple(changes)


@cache
def kinds_of(shape: Shape) -> tuple[Kind, ...]:
    """All kinds of distractors of sub-graphs of a shape: one change, then two."""
    nodes = {
        Change(node.object, node.type): place
        for place, node in enumerate(nodes_of(shape))
        if node.type is not NodeType.MODIFIER
    }
    single = [Kind(str(change), (change,), (place,)) for change, place in nodes.items()]
    return (*single, *(_pair(first, second, nodes, shape) for first, second in _pairs(shape, nodes)))


def _pairs(shape: Shape, nodes: dict[Change, int]) -> list[tuple[Change, Change]]:
    """Two changes each, in the order of the row; none twice."""
    pairs: dict[tuple[Change, Change], None] = {}

    def add(first: Change, second: Change) -> None:
        if first in nodes and second in nodes and first != second:
            pair = (first, second) if nodes[first] < nodes[second] else (second, first)
            pairs.setdefault(pair)

    root_name, root_attribute = Change(0, NodeType.NOUN), Change(0, NodeType.ATTRIBUTE)
    objects = objects_of(shape)
    for change in nodes:
        add(root_attribute, change)
    leaves = [number for number, each in enumerate(objects) if number and each.leaf]
    for leaf in leaves:
        for other in range(len(objects)):
            add(Change(other, NodeType.NOUN), Change(leaf, NodeType.NOUN))
    for leaf in leaves:
        add(root_name, Change(leaf, NodeType.RELATION))
    return list(pairs)


def _pair(first: Change, second: Change, nodes: dict[Change, int], shape: Shape) -> Kind:
    """The kind of two changes; what is not changed is seen in the image itself, so only a changed subject matters."""
    seen_with: tuple[int, ...] = ()
    objects = objects_of(shape)
    target = objects[second.object]
    both_names = first.type is second.type is NodeType.NOUN
    if first.type is NodeType.NOUN and target.parent == first.object and second.object:
        subject = objects[first.object].name
        if both_names and target.leaf:
            seen_with = (subject, target.relation, *((target.modifier,) if target.modifier >= 0 else ()))
        elif second.type is NodeType.RELATION:
            seen_with = (subject, target.name)
    places = (nodes[first], nodes[second])
    return Kind(f"{first}+{second}", (first, second), places, seen_with)
