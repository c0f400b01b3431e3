"""What the pairs that are known say of a pair that is not: how two names stand to third ones.

Two colors exclude the same third color; two words for people exclude neither a third one. For two names it is counted
in how many third ones both exclude, both do not, or one does and the other does not. The pair itself takes no part, so
that the counts of a pair that is learned from do not hold its label.
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

COUNTS = 4


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
        """[names, names, COUNTS]: logarithms of counts; a name's own column is never known, nor is its row's."""
        both = np.concatenate([self.said, self.said.T], axis=1)
        yes, no = (both == 1).astype(np.float64), (both == 0).astype(np.float64)
        counts = [yes @ yes.T, no @ no.T, yes @ no.T, no @ yes.T]
        return np.log1p(np.stack(counts, axis=-1))

    def counts(self, asked: str, seen: str) -> NDArray[np.float64]:
        """The four counts of two names, as logarithms; zero where one of them is not known."""
        first, second = self._places.get(asked), self._places.get(seen)
        if first is None or second is None:
            return np.zeros(COUNTS)
        return np.asarray(self._counts[first, second])
