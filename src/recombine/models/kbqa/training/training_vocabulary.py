"""The items that training questions are shown: those near their links or all, and always those of their targets.

Where a question may be shown some of them alone, a share of the others are those whose names are most like those of its
target, as they are the hardest to tell from them, and the rest are drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.nets.words_of import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings


class TrainingVocabulary:
    """The vocabularies of training questions."""

    def __init__(self, schema: SchemaArrays, questions: QuestionArrays, settings: KbqaSettings) -> None:
        self._questions, self._pruned, self._most = questions, settings.prune_training, settings.train_items
        self._share = settings.alike
        self._all = np.arange(len(schema))
        self._links = first_link(len(schema))
        self._words = [set(words_of(text)) for text in schema.texts]
        self._sizes = np.array([max(1, len(words)) for words in self._words])
        self._with: dict[str, list[int]] = {}
        for item, words in enumerate(self._words):
            for word in words:
                self._with.setdefault(word, []).append(item)
        self._known: dict[int, NDArray[np.float32]] = {}

    def own(self, row: int) -> NDArray[np.int64]:
        """The items of a question's target, rising."""
        target = self._questions.targets[row]
        items = target[(target >= len(SYMBOLS)) & (target < self._links)]
        return np.unique(items).astype(np.int64) - len(SYMBOLS)

    def added(self, row: int) -> int:
        """How many items of its target a question's vocabulary lacks."""
        return len(np.setdiff1d(self.own(row), self._questions.vocabulary[row])) if self._pruned else 0

    def shown(self, row: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """The items that a question is shown, rising; drawn anew where there are more than it may be shown."""
        near = self._questions.vocabulary[row].astype(np.int64) if self._pruned else self._all
        own = self.own(row)
        if self._most and len(near) > self._most:
            near = self._some(np.setdiff1d(near, own, assume_unique=True), own, generator)
        return np.union1d(near, own)

    def _some(
        self, others: NDArray[np.int64], own: NDArray[np.int64], generator: np.random.Generator
    ) -> NDArray[np.int64]:
        """As many of the others as there is room for: a share those most like its own, the rest drawn."""
        room = max(0, self._most - len(own))
        near = int(room * self._share)
        alike = self._alike(own)[others]
        # What is alike to the same degree is drawn too.
        order = np.lexsort((generator.random(len(others)), -alike))
        nearest = others[order[:near]]
        rest = others[order[near:]]
        return np.concatenate([nearest, generator.choice(rest, room - len(nearest), replace=False)])

    def _alike(self, own: NDArray[np.int64]) -> NDArray[np.float32]:
        """How much each item is like the most alike of some: the share of words that both have."""
        likest = np.zeros(len(self._words), np.float32)
        for item in own:
            np.maximum(likest, self._alike_one(int(item)), out=likest)
        return likest

    def _alike_one(self, item: int) -> NDArray[np.float32]:
        if item not in self._known:
            shared = np.zeros(len(self._words))
            for word in self._words[item]:
                shared[self._with[word]] += 1
            self._known[item] = (shared / (self._sizes + len(self._words[item]) - shared)).astype(np.float32)
        return self._known[item]
