"""Symbols that can contain themselves, from what each symbol may have directly below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

Symbol = TypeVar("Symbol")


def contains_itself(below: Mapping[Symbol, Set[Symbol]]) -> Symbol | None:
    """The first symbol that is below itself, however far down; none where there is no such symbol.

    >>> contains_itself({"S": {"A"}, "A": {"B"}, "B": {"C"}, "C": {"A"}})
    'A'
    """
    for symbol in below:
        reached, queue = set(below[symbol]), list(below[symbol])
        while queue:
            new = below[queue.pop()] - reached
            reached |= new
            queue.extend(new)
        if symbol in reached:
            return symbol
    return None
