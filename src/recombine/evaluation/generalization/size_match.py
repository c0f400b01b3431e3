"""Which set-ups may share a model that was trained on as many examples of all kinds.

Such a model costs as much as the one it is compared with. Where the train parts of two set-ups differ by less than 2 %
of the larger, the one trained for the nearest may stand for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

TOLERANCE = 0.02
"""The difference of sizes, as a share of the larger, from which on a model is not shared."""


def size_difference(one: int, other: int) -> float:
    """How far two sizes differ, as a share of the larger.

    >>> size_difference(216_700, 213_000) < TOLERANCE
    True
    """
    if min(one, other) < 1:
        raise OptionError(f"train parts of {one} and {other} examples cannot be compared", "give 1 or more")
    return abs(one - other) / max(one, other)


def may_share(one: int, other: int) -> bool:
    """Whether train parts of these sizes may share a size-matched model.

    >>> may_share(100_000, 98_001), may_share(100_000, 98_000)
    (True, False)
    """
    return size_difference(one, other) < TOLERANCE


def nearest_size(size: int, trained: Mapping[str, int]) -> str | None:
    """The name of the trained size that is nearest, of equal ones the first; none where none may be shared.

    >>> nearest_size(1000, {"a": 985, "b": 1010, "c": 900})
    'b'
    """
    close = [name for name, other in trained.items() if may_share(size, other)]
    return min(close, key=lambda name: size_difference(size, trained[name]), default=None)
