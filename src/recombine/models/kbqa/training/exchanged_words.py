"""Words of schema items read as others for a step, so that items are known by what they are called and not by heart.

In a step that is drawn for it, half of the pieces of items' names change places with pieces drawn from all texts:
everywhere alike, in questions, links and items, so that what is asked still has the words of the item that it asks
for. Pieces that many questions have, such as *which* and *of*, are left alone. This is not in the GrailQA paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.prepared import Prepared

COMMON = 0.05
"""The share of questions from which on a piece is one of the language, and is left alone."""
CHANGED = 0.5
"""The share of the pieces of items' names that change places."""


class ExchangedWords:
    """What is read in a step: the texts as they are, or with exchanged pieces in a share of the steps."""

    def __init__(self, prepared: Prepared, share: float) -> None:
        self._prepared, self._share = prepared, share
        if share:
            rare = _rare(prepared)
            self._table = np.arange(int(prepared.all_pieces.values.max(initial=0)) + 1)
            self._named = rare[np.isin(rare, prepared.item_pieces.values)]
            self._pool = rare

    def draw(self, generator: np.random.Generator) -> Prepared:
        """The texts of a step."""
        if not self._share or generator.random() >= self._share:
            return self._prepared
        named = self._named[generator.random(len(self._named)) < CHANGED]
        others = generator.choice(self._pool, len(named), replace=False)
        places = np.union1d(named, others)
        table = self._table.copy()
        table[places] = generator.permutation(places)
        return self._prepared.renamed(table)


def _rare(prepared: Prepared) -> NDArray[np.int64]:
    """The pieces of all texts, rising, without those of many questions and without 0, which may stand for any word."""
    questions = prepared.question_pieces
    owners = np.repeat(np.arange(len(questions)), questions.sizes)
    once = np.unique(np.stack([owners, questions.values.astype(np.int64)]), axis=1)[1]
    among = np.bincount(once, minlength=int(prepared.all_pieces.values.max(initial=0)) + 1)
    pieces = np.unique(prepared.all_pieces.values).astype(np.int64)
    return pieces[(pieces > 0) & (among[pieces] <= COMMON * len(questions))]
