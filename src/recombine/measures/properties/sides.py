"""Who is on which side: scenes that pictures show and twins that share their words must not be on two.

Sides are train, and dev with test. Twins have the same number in the field `pair`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.properties.example_fields import ExampleFields

TRAIN = "train"


def twin_numbers(fields: ExampleFields) -> NDArray[np.int64]:
    """For each example the place of the first that is a twin of it, or its own."""
    pairs = fields.column("pair") if fields.has("images") else []
    firsts: dict[str, int] = {}
    places = [
        place if pair is None else firsts.setdefault(str(pair), place) for place, pair in enumerate(pairs)
    ]  # a table may have the number as a text
    return np.array(places, np.int64) if places else np.arange(len(fields))


def shared_scene(fields: ExampleFields, rows: Mapping[str, Sequence[int]]) -> tuple[int, str]:
    """How many scenes are both in train and in another part, and the first of them by name."""
    if not fields.has("images"):
        return 0, ""
    images = fields.column("images")
    seen: tuple[set[str], set[str]] = (set(), set())
    for part, places in rows.items():
        seen[part != TRAIN].update(image for place in places for image in _of(images[place]))
    both = seen[0] & seen[1]
    return len(both), min(both, default="")


def torn_twins(fields: ExampleFields, rows: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Twins of which one is in train and another elsewhere, as their places."""
    numbers = twin_numbers(fields)
    in_train = {int(numbers[place]): place for place in rows.get(TRAIN, ())}
    for part, places in rows.items():
        for place in places if part != TRAIN else ():
            other = in_train.get(int(numbers[place]))
            if other is not None and other != place:
                yield other, place


def _of(images: object) -> list[str]:
    return list(map(str, images)) if isinstance(images, list | tuple) else [] if images is None else [str(images)]
