"""The part of a split's train on which tuning runs are judged, drawn by a seed; dev and test are not looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import SizeError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

HELD_BACK = "held_back"
"""The name of the part."""
REVISION = 1
"""To be raised when the same share and seed hold back other examples; it is in the keys of tuning runs."""


@dataclass(frozen=True)
class HeldBack:
    """Which part of train to hold back."""

    share: float
    seed: int
    part: str
    """The part that the split itself is judged on: it names the split that this is of."""
    revision: int = REVISION

    def draw(self, train: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids that stay in train and those that are held back, both in the order of train.

        An example that train repeats is drawn once, with all its repeats, so that none stands on both sides; the share
        is one of different examples, rounded, and at least one stays on each side.

        >>> HeldBack(0.4, 0, "test").draw(["a", "b", "a", "c", "d", "e"])
        (('a', 'b', 'a', 'd'), ('c', 'e'))
        """
        ids = list(dict.fromkeys(train))
        if len(ids) < 2:
            raise SizeError(
                f"train has {len(ids)} different examples, and nothing can be held back to tune on",
                "leave out `tune`, or give a larger train part",
            )
        number = min(max(1, round(self.share * len(ids))), len(ids) - 1)
        drawn = {ids[place] for place in make_generator(self.seed).permutation(len(ids))[:number].tolist()}
        return tuple(each for each in train if each not in drawn), tuple(each for each in train if each in drawn)
