"""The candidates of questions as tries, so that what begins alike is scored once.

The nodes of a question stand level by level; those of one parent stand together, by rising code. A node's parent is its
number among the nodes of its own question, -1 for those of the first level. Every candidate ends with the code `END`:
a node with that code is a candidate, and no other node is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.arrays.ragged import Ragged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Tries:
    """A trie for each question; one without candidates has no nodes.

    >>> tries = Tries.of([[[7, 5, 0], [7, 4, 0], [7, 5, 0]], []])
    >>> tries.codes[0].tolist(), tries.parents[0].tolist(), len(tries.codes[1])
    ([7, 4, 5, 0, 0], [-1, 0, 0, 1, 2], 0)
    >>> tries.leaves(0).tolist(), tries.path(0, 4)
    ([3, 4], [7, 5, 0])
    """

    parents: Ragged
    codes: Ragged

    @classmethod
    def of(cls, candidates: Sequence[Sequence[Sequence[int]]]) -> Tries:
        """The tries of candidates as codes, the last of each of which is `END`; repeats are one."""
        made = [_trie(each) for each in candidates]
        return cls(Ragged.of([parents for parents, _ in made]), Ragged.of([codes for _, codes in made]))

    def __len__(self) -> int:
        return len(self.codes)

    def leaves(self, question: int) -> NDArray[np.int64]:
        """The nodes that are candidates."""
        return np.flatnonzero(self.codes[question] == END)

    def path(self, question: int, node: int) -> list[int]:
        """The codes from the first to a node."""
        parents, codes = self.parents[question], self.codes[question]
        path = []
        while node >= 0:
            path.append(int(codes[node]))
            node = int(parents[node])
        return path[::-1]

    def take(self, rows: Sequence[int] | NDArray[Any]) -> Tries:
        """The tries of some questions."""
        return Tries(self.parents.take(rows), self.codes.take(rows))


def _trie(candidates: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    parents: list[int] = []
    codes: list[int] = []
    ordered = sorted({tuple(candidate) for candidate in candidates})
    level = [(-1, ordered)] if ordered else []
    depth = 0
    while level:
        below = []
        for parent, members in level:
            first = 0
            while first < len(members):
                code, last = members[first][depth], first
                while last < len(members) and members[last][depth] == code:
                    last += 1
                parents.append(parent)
                codes.append(code)
                if code != END:
                    below.append((len(codes) - 1, members[first:last]))
                first = last
        level, depth = below, depth + 1
    return parents, codes
