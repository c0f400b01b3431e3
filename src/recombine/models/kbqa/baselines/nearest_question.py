"""The form of the nearest training question, with what is linked in the question at hand in its slots.

Questions are bags of words with marks for mentions, words weighed by how few training questions have them; near is a
high cosine. A form that needs more entities or literals than are linked cannot be grounded and is passed over; of
equally near questions the first of train is taken. What comes out need be no candidate, and need have no answer.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from recombine.models.kbqa.arrays.codes import form_text
from recombine.models.kbqa.arrays.masked_words import masked_question
from recombine.models.kbqa.baselines.form_template import fits, form_template, grounded, slots_of
from recombine.models.kbqa.baselines.word_weights import WordWeights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.baselines.form_template import Template


class NearestQuestion:
    """Training questions as words, each with its template; equal pairs are kept once."""

    def __init__(self, texts: Sequence[tuple[str, ...]] = (), templates: Sequence[Template] = ()) -> None:
        self.texts, self.templates = list(texts), list(templates)

    def fit(self, schema: SchemaArrays, train: QuestionArrays) -> None:
        """Keep the questions that have a target."""
        pairs: dict[tuple[tuple[str, ...], Template], None] = {}
        for row in range(len(train)):
            target = train.targets[row]
            if len(target):
                kinds = train.link_kinds[train.links(row)].tolist()
                pairs[tuple(masked_question(train, row)), form_template(target.tolist(), schema, kinds)] = None
        self.texts, self.templates = [text for text, _ in pairs], [template for _, template in pairs]
        self.__dict__.pop("_index", None)

    def answer(self, schema: SchemaArrays, questions: QuestionArrays, row: int) -> str:
        """The grounded form; empty where no form of train can be grounded."""
        del schema
        span = questions.links(row)
        kinds = questions.link_kinds[span].tolist()
        for place in self._index.order(masked_question(questions, row)):
            if fits(self._needed[place], kinds):
                return form_text(grounded(self.templates[place], kinds, questions.link_words[span]))
        return ""

    @cached_property
    def _index(self) -> _Index:
        return _Index(self.texts)

    @cached_property
    def _needed(self) -> list[dict[int, int]]:
        return [slots_of(template) for template in self.templates]

    def to_dict(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"texts": [list(text) for text in self.texts], "templates": [list(each) for each in self.templates]}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], seed: int) -> Self:
        """As it was kept."""
        del seed
        return cls([tuple(text) for text in record["texts"]], [tuple(each) for each in record["templates"]])


class _Index:
    """Bags of weighed words of length 1, by their words."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._number = len(texts)
        self._weights = WordWeights.of(texts)
        rows: dict[str, list[tuple[int, float]]] = {}
        for place, text in enumerate(texts):
            for word, value in self._vector(text).items():
                rows.setdefault(word, []).append((place, value))
        self._rows = {
            word: (np.array([place for place, _ in pairs]), np.array([value for _, value in pairs]))
            for word, pairs in rows.items()
        }

    def _vector(self, text: Sequence[str]) -> dict[str, float]:
        counts = Counter(text)
        values = {word: counts[word] * self._weights[word] for word in sorted(counts)}
        length = math.sqrt(math.fsum(value * value for value in values.values()))
        return {word: value / length for word, value in values.items()} if length else {}

    def order(self, text: Sequence[str]) -> NDArray[np.int64]:
        """The places of all texts, the nearest first; rounded, so that equal ones stay in their order."""
        near = np.zeros(self._number)
        for word, value in self._vector(text).items():
            if word in self._rows:
                places, values = self._rows[word]
                near[places] += value * values
        return np.argsort(-near.round(9), kind="stable")
