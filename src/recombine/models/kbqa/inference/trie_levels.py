"""The nodes of several questions' tries by their levels, as padded tables for the decoder.

Of the nodes of a level, those that are no ends of candidates continue: each has a column among the continuing nodes of
its question on that level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import END

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.tries import Tries
    from recombine.models.kbqa.nets.batch import Batch


@dataclass(frozen=True, slots=True)
class TrieLevel:
    """Nodes at one distance from the beginning."""

    nodes: NDArray[np.int64]
    """Their numbers among all nodes of the batch (N)."""
    question: NDArray[np.int64]
    """The questions of the batch that they are of (N)."""
    above: NDArray[np.int64]
    """The columns of their parents on the level above (N)."""
    place: NDArray[np.int64]
    """The places of their words in the tables of their questions (N)."""
    going: NDArray[np.int64]
    """Which of them continue, by their order here (C)."""
    column: NDArray[np.int64]
    """The columns of those that continue (C)."""

    @property
    def columns(self) -> int:
        """The most continuing nodes of a question."""
        return int(self.column.max(initial=-1)) + 1


def trie_levels(batch: Batch, tries: Tries) -> tuple[list[TrieLevel], NDArray[np.int64]]:
    """The levels of a batch's tries, and where the nodes of each question begin among all nodes."""
    rows = [int(row) for row in batch.rows]
    sizes = tries.codes.sizes[rows]
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    question = np.repeat(np.arange(len(rows)), sizes)
    codes = np.concatenate([np.zeros(0, np.int32), *(tries.codes[row] for row in rows)])
    parents = np.concatenate([np.zeros(0, np.int64), *(tries.parents[row] for row in rows)]).astype(np.int64)
    parents = np.where(parents < 0, -1, parents + begins[question])
    place = batch.places(question, codes)
    depth = node_depths(parents)
    columns = np.zeros(len(codes), np.int64)
    levels = []
    for level in range(int(depth.max(initial=-1)) + 1):
        nodes = np.flatnonzero(depth == level)
        going = np.flatnonzero(codes[nodes] != END)
        column = _ranks(question[nodes[going]])
        columns[nodes[going]] = column
        above = np.where(parents[nodes] < 0, 0, columns[np.maximum(parents[nodes], 0)])
        levels.append(TrieLevel(nodes, question[nodes], above, place[nodes], going, column))
    return levels, begins


def node_depths(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many nodes are above each; -1 is above those of the first level.

    >>> node_depths(np.array([-1, 0, 0, 2])).tolist()
    [0, 1, 1, 2]
    """
    depths = np.zeros(len(parents), np.int64)
    at = parents
    while (at >= 0).any():
        depths += at >= 0
        at = np.where(at >= 0, parents[at], -1)
    return depths


def widest_levels(tries: Tries, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of nodes on the widest level of each row's trie."""
    made = np.zeros(len(rows), np.int64)
    for at, row in enumerate(rows):
        depths = node_depths(tries.parents[int(row)].astype(np.int64))
        made[at] = np.bincount(depths).max(initial=0)
    return made


def _ranks(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each member within its group; groups stand together."""
    if not len(groups):
        return np.zeros(0, np.int64)
    changes = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    return np.arange(len(groups)) - np.repeat(changes, np.diff(np.append(changes, len(groups))))
