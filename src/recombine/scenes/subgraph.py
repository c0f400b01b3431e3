"""A sub-graph of a scene: an object with at most one attribute and two relations, each to a sub-graph (COVR, 2.1).

Written as JSON it is `[name, attribute or null, [[relation, child, [[modifier, child]]]]]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class SubModifier(NamedTuple):
    """A modifier of a relation, and what it leads to."""

    name: str
    child: Subgraph


class SubRelation(NamedTuple):
    """A relation, what it leads to, and its modifiers."""

    name: str
    child: Subgraph
    mods: tuple[SubModifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Subgraph:
    """An object node with what hangs on it.

    >>> cap = Subgraph("boy", "tall", (SubRelation("wearing", Subgraph("cap", "red")),))
    >>> cap.to_json()
    ['boy', 'tall', [['wearing', ['cap', 'red', []], []]]]
    >>> cap.size, cap.depth
    (3, 3)
    """

    name: str
    attribute: str | None = None
    relations: tuple[SubRelation, ...] = ()

    @property
    def size(self) -> int:
        """The number of objects and relations, modifiers and their objects included; attributes do not count."""
        return 1 + sum(
            1 + relation.child.size + sum(1 + mod.child.size for mod in relation.mods) for relation in self.relations
        )

    @property
    def depth(self) -> int:
        """The number of objects and relations on the longest way down."""
        return 1 + max((1 + relation.child.depth for relation in self.relations), default=0)

    def to_json(self) -> list[Any]:
        """The value that JSON holds."""
        relations = [
            [each.name, each.child.to_json(), [[mod.name, mod.child.to_json()] for mod in each.mods]]
            for each in self.relations
        ]
        return [self.name, self.attribute, relations]
