"""Where heads and hands are in the box of a figure, for the arrangement of objects and for their drawing."""

from __future__ import annotations

from recombine.scenes.scene import Box

PERSONS = ("man", "woman", "boy", "girl")
HANDLE = 7
"""How long the handle is of what is pulled with no rope."""
SEATED = 0.72
"""The height of a person who sits, as a part of the height of one who stands."""
_HEADS = {"man": 10, "woman": 10, "boy": 9, "girl": 9, "puppy": 8, "kitten": 8, "horse": 9}


def head_of(noun: str, box: Box, facing: int) -> Box:
    """The box of the head: in the middle of a person, before the body of an animal; facing is 1 (right) or −1."""
    unit = max(1, round(box.width * _HEADS[noun] / _WIDTHS[noun]))
    if noun in PERSONS:
        return Box(box.x + (box.width - unit) // 2, box.y, unit, unit)
    return Box(box.x + box.width - unit if facing > 0 else box.x, box.y, unit, unit)


def hand_of(box: Box, side: int) -> tuple[int, int]:
    """Where the hand is that reaches to a side, at the edge of the box."""
    return (box.x + box.width - 1 if side > 0 else box.x, box.y + box.height // 2)


_WIDTHS = {"man": 16, "woman": 16, "boy": 14, "girl": 14, "puppy": 17, "kitten": 15, "horse": 28}
