"""How alike two structures are: of one shape, the same but for one symbol (`local_structures` paper, §4.2).

Equal structures have similarity 1; structures of one shape that differ in a single symbol have the similarity of the
two symbols; all others have 0. To find what is similar to a structure, one symbol at a time is left out, and structures
that are equal without it form a group: only members of its groups need to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.easiness.symbol_similarity import SymbolSimilarity
    from recombine.structures.local_structures import LocalStructures


def structure_similarity(structures: LocalStructures, symbols: SymbolSimilarity, one: int, other: int) -> float:
    """The similarity of two columns, straight from its definition."""
    if structures.shapes[one] != structures.shapes[other]:
        return 0.0
    differ = np.flatnonzero(structures.labels[one] != structures.labels[other])
    if len(differ) > 1:
        return 0.0
    if not len(differ):
        return 1.0
    one_symbol, other_symbol = (
        structures.symbols[int(structures.labels[column, differ[0]])] for column in (one, other)
    )
    return symbols.of(one_symbol, other_symbol)


def similarities(
    structures: LocalStructures, symbols: SymbolSimilarity, column: int, near: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The similarities of a column to columns that differ from it in one symbol."""
    labels = structures.labels
    place = np.argmax(labels[near] != labels[column], axis=1)
    return symbols.pairs(labels[column][place], labels[near, place])


@dataclass(frozen=True)
class Neighbours:
    """Which columns differ in one symbol at most: their groups, and the members of each group."""

    groups: NDArray[np.int64] = field(repr=False)
    """The group of each column with each of its symbols left out; columns × 4, -1 where there is no symbol."""
    starts: NDArray[np.int64] = field(repr=False)
    members: NDArray[np.int32] = field(repr=False)
    """The columns of each group, in ascending order."""

    @classmethod
    def of(cls, structures: LocalStructures) -> Neighbours:
        """The groups of all columns; made once, they serve every training set."""
        from recombine.structures.programs.local_structure_kernels import intern_rows, transpose

        width = structures.shape[1]
        column, slot = np.nonzero(structures.labels >= 0)
        rows = np.column_stack((structures.shapes, structures.labels))[column].astype(np.int32)
        # No symbol has a number below -1, so this says which one was left out.
        rows[np.arange(len(rows)), slot + 1] = -2
        numbers, count = intern_rows(rows)
        groups = np.full((width, 4), -1, np.int64)
        groups[column, slot] = numbers
        ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(structures.sizes)))
        starts, members, _ = transpose(ends, numbers, np.zeros(len(numbers), np.int32), count)
        return cls(groups, starts, members)

    def near(self, column: int) -> NDArray[np.int64]:
        """The columns that differ from this one in exactly one symbol, in ascending order."""
        own = self.groups[column][self.groups[column] >= 0]
        alike = np.unique(np.concatenate([self.members[self.starts[g] : self.starts[g + 1]] for g in own]))
        others: NDArray[np.int64] = alike[alike != column].astype(np.int64)
        return others
