"""How many words a question and a schema item have in common.

Words are stems without function words; those of mentions do not count. A word weighs by how few items of the schema
have it, so that nothing need be kept from training, and the same holds over a schema that training never saw.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.kb.linking.context_words import stems_of
from recombine.kb.linking.words import folded_words
from recombine.models.kbqa.arrays.masked_words import MARKS, masked_question
from recombine.models.kbqa.arrays.ragged import Ragged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

MEASURES = 3
"""What is common as a share of the item's words, of both, and of the most that an item of the question has."""


class SharedWords:
    """The words of a schema's items, and those of questions over it; read when they are first asked for."""

    def __init__(self, schema: SchemaArrays, questions: QuestionArrays) -> None:
        self._schema, self._questions = schema, questions
        self._asked: dict[int, list[int]] = {}

    def measures(self, row: int, items: NDArray[np.int64]) -> NDArray[np.float32]:
        """What a question has in common with items (items, `MEASURES`)."""
        marked = self._marked(row)
        common, own = self._sums(marked)[items], self._sizes[items]
        most = np.full(len(items), common.max(initial=0.0))
        parts = (_share(common, own), _share(2 * common, own + marked.sum()), _share(common, most))
        return np.stack(parts, axis=1).astype(np.float32)

    def likeness(self, row: int, items: Iterable[int]) -> float:
        """What a question has in common with items together, as a share of the words of both."""
        marked = self._marked(row)
        stems = np.unique(np.concatenate([np.zeros(0, np.int32), *(self._stems[item] for item in items)]))
        both = float(self._weights[stems].sum() + marked.sum())
        return 2 * float(marked[stems].sum()) / both if both else 0.0

    def _marked(self, row: int) -> NDArray[np.float64]:
        """The weights of a question's stems, and zero for all others."""
        if row not in self._asked:
            self._asked[row] = self._known(row)
        known = self._asked[row]
        marked = np.zeros(len(self._weights))
        marked[known] = self._weights[known]
        return marked

    def _known(self, row: int) -> list[int]:
        """The numbers of a question's stems that items have."""
        words = [word for word in masked_question(self._questions, row) if word not in MARKS]
        return [self._numbers[stem] for stem in sorted(stems_of(words)) if stem in self._numbers]

    def _sums(self, marked: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of each item's words of what is marked."""
        sums: NDArray[Any] = np.bincount(self._owners, marked[self._stems.values], len(self._stems))
        return sums

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        """Of each stem of an item, the item."""
        return np.repeat(np.arange(len(self._stems)), self._stems.sizes)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The stems of all items by their numbers."""
        stems = sorted(frozenset().union(*(stems_of(folded_words(text)) for text in self._schema.texts)))
        return {stem: number for number, stem in enumerate(stems)}

    @cached_property
    def _stems(self) -> Ragged:
        """The numbers of each item's stems."""
        return Ragged.of(
            [sorted(map(self._numbers.__getitem__, stems_of(folded_words(text)))) for text in self._schema.texts]
        )

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """The weight of each stem."""
        among = np.bincount(self._stems.values, minlength=len(self._numbers))
        weights: NDArray[np.float64] = np.log((1 + len(self._stems)) / (1 + among))
        return weights

    @cached_property
    def _sizes(self) -> NDArray[np.float64]:
        """The weight of each item's words."""
        return self._sums(self._weights)


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
