"""How many examples of each level a part of a split by levels has."""

from __future__ import annotations

from typing import NamedTuple


class WantedLevels(NamedTuple):
    """Numbers of examples, in the order of `LEVELS`."""

    iid: int
    compositional: int
    zero_shot: int


def wanted_levels(size: int, *, zero_shot: float, compositional: float) -> WantedLevels:
    """The numbers for a part of so many examples; the shares that are not named are i.i.d.

    >>> wanted_levels(121, zero_shot=0.5, compositional=0.25)
    WantedLevels(iid=30, compositional=30, zero_shot=61)
    """
    zero = min(size, int(size * zero_shot + 0.5))
    held = min(size - zero, int(size * compositional + 0.5))
    return WantedLevels(size - zero - held, held, zero)
