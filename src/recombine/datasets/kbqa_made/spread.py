"""Questions spread evenly over templates, none of which can give more than it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def spread(count: int, most: Sequence[int]) -> list[int]:
    """How many of `count` each template gives, as evenly as what they have allows; the first give one more.

    Where all of them together have fewer, each gives all it has.

    >>> spread(10, [9, 2, 9]), spread(10, [1, 2])
    ([4, 2, 4], [1, 2])
    """
    given, left = [0] * len(most), min(count, sum(most))
    open_places = [place for place, capacity in enumerate(most) if capacity > 0]
    while left:
        each = max(1, left // len(open_places))
        for place in open_places:
            step = min(each, most[place] - given[place], left)
            given[place] += step
            left -= step
        open_places = [place for place in open_places if given[place] < most[place]]
    return given
