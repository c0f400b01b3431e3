"""The candidate whose relations and classes have the most words in common with the question.

Words are stems without function words; those of mentions do not count, and a count has the words of `COUNTED`. What is
common is weighed against all words of both, as the harmonic mean of the two shares, and words by how few training
questions have them. Of equal candidates the shortest is taken, then the first in the order of codes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from recombine.kb.linking.context_words import stem, stems_of
from recombine.kb.linking.words import folded_words
from recombine.models.kbqa.arrays.candidate_paths import candidate_paths
from recombine.models.kbqa.arrays.codes import SYMBOLS
from recombine.models.kbqa.arrays.masked_words import MARKS, masked_question
from recombine.models.kbqa.baselines.word_weights import WordWeights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

COUNTED = ("count", "many", "number")
"""What a question says where it asks how many: one word for all of them."""
_COUNT = SYMBOLS.index("COUNT")
_MARK = "<count>"


def question_stems(words: list[str]) -> frozenset[str]:
    """The stems of a question's own words.

    >>> sorted(question_stems(["how", "many", "films", "were", "directed", "by", "<entity>"]))
    ['<count>', 'direct', 'film']
    """
    own = [word for word in words if word not in MARKS]
    marked = frozenset([_MARK]) if any(stem(word) in map(stem, COUNTED) for word in own) else frozenset()
    return marked | (stems_of(own) - set(map(stem, COUNTED)))


@lru_cache(maxsize=1 << 16)
def _item_stems(text: str) -> frozenset[str]:
    return stems_of(folded_words(text))


class WordOverlap:
    """Weights of words; all else is in the names of the schema."""

    def __init__(self, weights: WordWeights | None = None) -> None:
        self.weights = weights or WordWeights(0, {})

    def fit(self, schema: SchemaArrays, train: QuestionArrays) -> None:
        """Count the words of training questions."""
        del schema
        self.weights = WordWeights.of(question_stems(masked_question(train, row)) for row in range(len(train)))

    def answer(self, schema: SchemaArrays, questions: QuestionArrays, row: int) -> str:
        """The candidate of the most common words; empty where there is none."""
        asked = question_stems(masked_question(questions, row))
        whole = self.weights.total(sorted(asked))
        first = len(SYMBOLS)
        known: dict[frozenset[int], float] = {}
        best, most = None, (-1.0, 0)
        for path in candidate_paths(questions.candidates, row):
            items = frozenset(code for code in path if first <= code < first + len(schema) or code == _COUNT)
            if items not in known:
                known[items] = self._likeness(items, schema, asked, whole)
            if (known[items], -len(path)) > most:
                best, most = path, (known[items], -len(path))
        return "" if best is None else questions.text(row, best, schema)

    def _likeness(self, items: frozenset[int], schema: SchemaArrays, asked: frozenset[str], whole: float) -> float:
        stems: set[str] = set()
        for code in items:
            stems |= {_MARK} if code == _COUNT else _item_stems(schema.texts[code - len(SYMBOLS)])
        both = whole + self.weights.total(sorted(stems))
        return 2 * self.weights.total(sorted(stems & asked)) / both if both else 0.0

    def to_dict(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"questions": self.weights.questions, "words": dict(sorted(self.weights.counts.items()))}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], seed: int) -> Self:
        """As it was kept."""
        del seed
        return cls(WordWeights(int(record["questions"]), record["words"]))
