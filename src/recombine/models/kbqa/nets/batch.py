"""Some questions as padded arrays: their pieces, and the words that their forms may have.

A word of a form has a place in its question's own table: the symbols first, then the links, then the items of the
question's vocabulary. The places that a shorter question does not use are filled with -1 and masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.nets.shared_words import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.ragged import Ragged
    from recombine.models.kbqa.nets.prepared import Prepared

ABSENT = -1
"""Fills places that are not used, and stands for a code that a question has no word for."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions with their words."""

    prepared: Prepared
    rows: NDArray[np.int64]
    """Which questions."""
    pieces: NDArray[np.int64]
    """The pieces of the questions (B, T), filled with 0."""
    sizes: NDArray[np.int64]
    """How many pieces they have (B)."""
    links: NDArray[np.int64]
    """The places of their links among all links (B, L)."""
    items: NDArray[np.int64]
    """The numbers of their items (B, I), rising."""

    @classmethod
    def of(cls, prepared: Prepared, rows: Sequence[int] | NDArray[Any], vocabularies: Sequence[NDArray[Any]]) -> Batch:
        """These questions, each with the items of a vocabulary, which rise."""
        at = np.asarray(rows, np.int64)
        begins = prepared.questions.link_begins
        links = [np.arange(begins[row], begins[row + 1]) for row in at]
        pieces = [prepared.question_pieces[int(row)] for row in at]
        sizes = np.array([len(each) for each in pieces], np.int64)
        return cls(prepared, at, padded(pieces, 0), sizes, padded(links, ABSENT), padded(vocabularies, ABSENT))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        """The places of a table."""
        return len(SYMBOLS) + int(self.links.shape[1]) + int(self.items.shape[1])

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which places of the tables have a word (B, V)."""
        symbols = np.ones((len(self), len(SYMBOLS)), np.bool_)
        return np.concatenate([symbols, self.links != ABSENT, self.items != ABSENT], axis=1)

    @property
    def shared(self) -> NDArray[np.float32]:
        """How many words each place has in common with its question (B, V, `MEASURES`); 0 for all but items."""
        made = np.zeros((len(self), self.width, MEASURES), np.float32)
        for place, row in enumerate(self.rows):
            items = self.items[place][self.items[place] != ABSENT]
            first = self.width - self.items.shape[1]
            made[place, first : first + len(items)] = self.prepared.shared.measures(int(row), items)
        return made

    @property
    def codes(self) -> NDArray[np.int64]:
        """The code of each place (B, V); `ABSENT` where there is none."""
        items = len(self.prepared.schema)
        symbols = np.broadcast_to(np.arange(len(SYMBOLS)), (len(self), len(SYMBOLS)))
        links = np.where(self.links == ABSENT, ABSENT, first_link(items) + np.arange(self.links.shape[1]))
        return np.concatenate([symbols, links, np.where(self.items == ABSENT, ABSENT, self.items + len(SYMBOLS))], 1)

    def places(self, question: NDArray[np.int64], codes: NDArray[Any]) -> NDArray[np.int64]:
        """The places of codes, each in the table of a question of the batch; `ABSENT` where it has no such word."""
        return self._table()[question, np.asarray(codes, np.int64)]

    def _table(self) -> NDArray[np.int64]:
        """The place of every code (B, codes)."""
        items = len(self.prepared.schema)
        table = np.full((len(self), first_link(items) + self.links.shape[1]), ABSENT, np.int64)
        places, codes = np.broadcast_to(np.arange(self.width), (len(self), self.width)), self.codes
        question, place = np.nonzero(codes != ABSENT)
        table[question, codes[question, place]] = places[question, place]
        return table

    def targets(self, targets: Ragged) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of these questions' targets (B, S), filled with `ABSENT`, and their lengths without an end."""
        parts = [targets[int(row)] for row in self.rows]
        sizes = np.array([len(part) for part in parts], np.int64)
        codes = padded(parts, ABSENT)
        question, step = np.nonzero(codes != ABSENT)
        made = np.full(codes.shape, ABSENT, np.int64)
        made[question, step] = self.places(question, codes[question, step])
        return made, sizes


def padded(rows: Sequence[NDArray[Any]], fill: int) -> NDArray[np.int64]:
    """Rows of one length, the shorter ones filled up.

    >>> padded([np.array([3, 1]), np.array([], int)], -1).tolist()
    [[3, 1], [-1, -1]]
    """
    sizes = np.array([len(row) for row in rows], np.int64)
    made = np.full((len(rows), int(sizes.max(initial=0))), fill, np.int64)
    if len(rows):
        made[np.arange(made.shape[1]) < sizes[:, None]] = np.concatenate([np.asarray(row, np.int64) for row in rows])
    return made
