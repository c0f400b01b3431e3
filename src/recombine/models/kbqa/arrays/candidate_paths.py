"""The candidates of a question as codes, in the order of its trie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.kbqa.arrays.codes import END

if TYPE_CHECKING:
    from recombine.models.kbqa.arrays.tries import Tries


def candidate_paths(tries: Tries, question: int) -> list[tuple[int, ...]]:
    """All candidates, without `END`.

    >>> from recombine.models.kbqa.arrays.tries import Tries
    >>> candidate_paths(Tries.of([[[7, 5, 0], [7, 4, 0], [3, 0]]]), 0)
    [(3,), (7, 4), (7, 5)]
    """
    before: list[tuple[int, ...]] = []
    found = []
    parents, codes = tries.parents[question].tolist(), tries.codes[question].tolist()
    for parent, code in zip(parents, codes, strict=True):
        front = () if parent < 0 else before[parent]
        if code == END:
            found.append(front)
            before.append(front)
        else:
            before.append((*front, code))
    return found
