"""A small training set that shows many structures (`local_structures` paper, §6.2).

At each step the structure of the pool that is least similar to all that is already shown is found, and an example that
holds it is taken at random; where several are least similar, one of them is drawn. Similarity of symbols is that of the
whole pool, so that it does not change on the way; when everything is shown, all structures are alike, and the draw goes
on among those that examples are left of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.easiness.structure_similarity import Neighbours, similarities
from recombine.easiness.symbol_similarity import AVERAGES, symbol_similarity
from recombine.errors import UnknownNameError
from recombine.seeds import make_generator
from recombine.selection.selected import Selected, check_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.structures.local_structures import LocalStructures


class ShownStructures:
    """How similar every structure is to what is shown so far, kept up to date as examples are added."""

    def __init__(self, structures: LocalStructures, similarity: str = "contexts") -> None:
        if similarity not in AVERAGES:
            raise UnknownNameError("similarity", similarity, AVERAGES)
        self.structures = structures
        self.neighbours = Neighbours.of(structures)
        everything = np.ones(structures.shape[1], bool)
        self.symbols = symbol_similarity(structures, everything, average=similarity)
        self.nearest: NDArray[np.float64] = np.zeros(structures.shape[1])
        self.shown: NDArray[np.bool_] = np.zeros(structures.shape[1], bool)

    def add(self, row: int) -> None:
        """Show an example."""
        for column in self.structures.row(row).tolist():
            if self.shown[column]:
                continue
            self.shown[column] = True
            self.nearest[column] = 1.0
            near = self.neighbours.near(column)
            scores = similarities(self.structures, self.symbols, column, near)
            self.nearest[near] = np.maximum(self.nearest[near], scores)


def select_structures(
    structures: LocalStructures, number: int, *, similarity: str = "contexts", seed: int = 0
) -> Selected:
    """`number` rows that show many structures.

    >>> from recombine.structures.local_structures import local_structures
    >>> from recombine.structures.programs.program_arrays import program_arrays
    >>> from recombine.tree import Tree
    >>> pool = program_arrays([Tree("dog"), Tree("dog"), Tree("dog"), Tree("count", (Tree("dog"),))])
    >>> selected = select_structures(local_structures(pool), 2)
    >>> 3 in selected.rows
    True
    """
    pool = structures.shape[0]
    check_number(number, pool)
    state = ShownStructures(structures, similarity)
    generator = make_generator(seed)
    left = np.ones(pool, bool)
    remaining = np.diff(structures.columns[0])  # examples left of each structure
    rows: list[int] = []
    reasons: list[str] = []
    while len(rows) < number:
        column = _least_similar(state, remaining, generator)
        if column is None:  # what is left has no structures at all
            bare = np.flatnonzero(left)
            row, reason = int(bare[int(generator.integers(len(bare)))]), ""
        else:
            holders = structures.programs_with(column)
            holders = holders[left[holders]]
            row = int(holders[int(generator.integers(len(holders)))])
            reason = f"{structures.name(column)} ({state.nearest[column]:.3f})"
        left[row] = False
        remaining[structures.row(row)] -= 1
        state.add(row)
        rows.append(row)
        reasons.append(reason)
    return Selected(tuple(rows), tuple(reasons))


def _least_similar(state: ShownStructures, remaining: NDArray[np.int64], generator: np.random.Generator) -> int | None:
    """A structure that is least similar to what is shown, among those that examples are left of."""
    open_columns = np.flatnonzero(remaining)
    if not len(open_columns):
        return None
    nearest = state.nearest[open_columns]
    least = open_columns[nearest == nearest.min()]
    return int(least[int(generator.integers(len(least)))])
