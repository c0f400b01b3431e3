"""The examples of a pool whose source has most words in common with a question.

Words are folded (case, accents) and weigh as much as they are rare in the pool: ln((1 + n) / (1 + n_w)) + 1. Likeness
is the cosine of the two sums; of equally alike examples the one that stands earlier in the pool comes first. Order and
meaning of words do not count.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.linking.words import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

_DIGITS = 9
"""Likenesses that are equal to so many digits are equal: the last ones depend on the order of adding."""


class SimilarSources:
    """A pool of texts.

    >>> pool = SimilarSources(["who directed Jaws", "who wrote Jaws", "where is Rome"])
    >>> pool.nearest("who wrote Emma?", 2), pool.nearest("Rome", 1)
    ([1, 0], [2])
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(folded_words(text)) for text in texts]
        self._columns = {word: place for place, word in enumerate(sorted({word for each in counts for word in each}))}
        in_texts = np.zeros(len(self._columns))
        for each in counts:
            in_texts[[self._columns[word] for word in each]] += 1
        self._weights = np.log((1 + len(texts)) / (1 + in_texts)) + 1
        self._pool = self._matrix(counts)

    def nearest(self, text: str, number: int) -> list[int]:
        """The places of the texts that are most alike, the most alike first."""
        asked = self._matrix([Counter(folded_words(text))])
        alike = np.round((self._pool @ asked.T).toarray()[:, 0], _DIGITS)
        order: list[int] = np.argsort(-alike, kind="stable")[:number].tolist()
        return order

    def _matrix(self, counts: Iterable[Counter[str]]) -> csr_matrix:
        """A row of length one for each text; words that the pool does not have are left out."""
        from scipy.sparse import csr_matrix

        columns: list[int] = []
        values: list[NDArray[np.float64]] = []
        ends = [0]
        for each in counts:
            known = sorted((self._columns[word], times) for word, times in each.items() if word in self._columns)
            places = [place for place, _ in known]
            row = self._weights[places] * np.array([times for _, times in known], float)
            length = float(np.sqrt((row * row).sum()))
            values.append(row / length if length else row)
            columns += places
            ends.append(len(columns))
        data = np.concatenate([np.empty(0), *values])
        return csr_matrix((data, columns, ends), shape=(len(ends) - 1, len(self._columns)))
