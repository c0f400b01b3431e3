"""The entities, relations and classes that a text names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.kb.term import Term

KINDS = ("entities", "relations", "classes")
"""What a name may be of, in the order in which it is reported."""


class Named(NamedTuple):
    """What a text names, each by its term, and how many placeholders such as `M0` it has that name nothing."""

    entities: frozenset[Term] = frozenset()
    relations: frozenset[Term] = frozenset()
    classes: frozenset[Term] = frozenset()
    placeholders: int = 0


class Names:
    """Names as they are gathered."""

    def __init__(self) -> None:
        self.entities: set[Term] = set()
        self.relations: set[Term] = set()
        self.classes: set[Term] = set()
        self.placeholders = 0

    def named(self) -> Named:
        """What was gathered."""
        return Named(frozenset(self.entities), frozenset(self.relations), frozenset(self.classes), self.placeholders)
