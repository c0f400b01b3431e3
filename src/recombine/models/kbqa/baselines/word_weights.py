"""How much a word tells: the logarithm of how few training questions have it."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class WordWeights:
    """Weights by the number of questions that have a word; a word of none weighs most.

    >>> weights = WordWeights.of([["who", "led"], ["who"], ["who", "wrote"]])
    >>> round(weights["who"], 3), round(weights["led"], 3), round(weights["sang"], 3)
    (0.0, 0.693, 1.386)
    """

    def __init__(self, questions: int, counts: Mapping[str, int]) -> None:
        self.questions, self.counts = questions, dict(counts)

    @classmethod
    def of(cls, questions: Iterable[Collection[str]]) -> WordWeights:
        """The weights by these questions."""
        counts: Counter[str] = Counter()
        number = 0
        for words in questions:
            counts.update(set(words))
            number += 1
        return cls(number, counts)

    def __getitem__(self, word: str) -> float:
        """The weight of a word."""
        return math.log((1 + self.questions) / (1 + self.counts.get(word, 0)))

    def total(self, words: Iterable[str]) -> float:
        """The weight of some words together; in one order, since sums of floats depend on it."""
        return math.fsum(map(self.__getitem__, words))
