"""The items that training questions are shown: those near their links or all, and always those of their targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings


class TrainingVocabulary:
    """The vocabularies of training questions."""

    def __init__(self, schema: SchemaArrays, questions: QuestionArrays, settings: KbqaSettings) -> None:
        self._questions, self._pruned, self._most = questions, settings.prune_training, settings.train_items
        self._all = np.arange(len(schema))
        self._links = first_link(len(schema))

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
            others = np.setdiff1d(near, own, assume_unique=True)
            near = generator.choice(others, max(0, self._most - len(own)), replace=False)
        return np.union1d(near, own)
