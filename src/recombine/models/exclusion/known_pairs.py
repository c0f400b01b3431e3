"""What the pairs that are known say of a pair that is not: how two names stand to third ones.

Two colors exclude the same third color; two words for people exclude neither a third one. For two names it is counted
in how many third ones both exclude, both do not, or one does and the other does not; and of each how many it excludes
and how many it does not: a wide word excludes few. The pair itself takes no part, so that the counts of a pair that is
learned from do not hold its label.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.exclusion.name_pairs import RELATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.exclusion.name_pairs import NamePair

COUNTS = 8


@dataclass(frozen=True, eq=False)
class KnownPairs:
    """Names, and what is known of each two: 1 excludes, 0 does not, -1 unknown; rows are asked, columns seen."""

    names: Sequence[str]
    said: NDArray[np.int8]

    @staticmethod
    def of(pairs: Sequence[NamePair]) -> KnownPairs:
        """What some pairs of one kind say."""
        names = sorted({name for pair in pairs for name in (pair.asked, pair.seen)})
        place = {name: at for at, name in enumerate(names)}
        said = np.full((len(names), len(names)), -1, dtype=np.int8)
        for pair in pairs:
            said[place[pair.asked], place[pair.seen]] = pair.excludes
            if pair.kind != RELATION:
                said[place[pair.seen], place[pair.asked]] = pair.excludes
        return KnownPairs(names, said)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def _counts(self) -> NDArray[np.float64]:
        """[names, names, COUNTS]: logarithms of counts, without the two names themselves.

        A name is never paired with itself, so that products over third names leave out the pair; from how many a name
        excludes, what is said of the pair is taken away.
        """
        both = np.concatenate([self.said, self.said.T], axis=1)
        yes, no = (both == 1).astype(np.float64), (both == 0).astype(np.float64)
        third = [yes @ yes.T, no @ no.T, yes @ no.T, no @ yes.T]
        alone = []
        for label in (1, 0):
            known = (self.said == label).astype(np.float64)
            own = (known + known.T) if self._ordered else known
            total = own.sum(axis=1)
            alone += [total[:, None] - own, total[None, :] - own]
        return np.asarray(np.log1p(np.stack([*third, *alone], axis=-1)))

    @cached_property
    def _ordered(self) -> bool:
        return not np.array_equal(self.said, self.said.T)

    def counts(self, asked: str, seen: str) -> NDArray[np.float64]:
        """The counts of two names, as logarithms; zero where one of them is not known."""
        first, second = self._places.get(asked), self._places.get(seen)
        if first is None or second is None:
            return np.zeros(COUNTS)
        return np.asarray(self._counts[first, second])
