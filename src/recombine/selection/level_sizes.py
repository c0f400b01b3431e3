"""How many examples of each level are taken, so that levels are of one size as far as there are examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.selection.selected import check_number

if TYPE_CHECKING:
    from collections.abc import Mapping


def level_sizes(supply: Mapping[int, int], number: int) -> dict[int, int]:
    """The size of each level: the same for all, or all that there are; what is left over goes to the lowest levels.

    >>> level_sizes({10: 1, 11: 9, 12: 9}, 8)
    {10: 1, 11: 4, 12: 3}
    >>> level_sizes({10: 1, 11: 2}, 3)
    {10: 1, 11: 2}
    """
    check_number(number, sum(supply.values()))
    left, cap = number, 0
    by_supply = sorted(supply.values())
    for place, size in enumerate(by_supply):
        cap = left // (len(by_supply) - place)
        if size > cap:
            break
        left -= size
    sizes = {level: min(supply[level], cap) for level in sorted(supply)}
    over = number - sum(sizes.values())
    for level in [level for level in sizes if supply[level] > cap][:over]:
        sizes[level] += 1
    return sizes
