"""Logistic regression from the words of a text to a class, fitted by L-BFGS with a penalty on large weights."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

PENALTY = 1.0
"""The weight of the sum of squares beside the sum of losses."""
_MOST_STEPS = 100


class WordModel:
    """A class for each text, by the words and the pairs of neighbouring words that are in it."""

    def __init__(self, texts: Sequence[str], classes: Sequence[str], *, penalty: float = PENALTY) -> None:
        from scipy.optimize import minimize

        self.classes = sorted(set(classes))
        self._columns: dict[str, int] = {}
        for text in texts:
            for word in _features(text):
                self._columns.setdefault(word, len(self._columns))
        seen = self._matrix(texts)
        number = {name: place for place, name in enumerate(self.classes)}
        wanted = np.zeros((len(texts), len(self.classes)))
        wanted[np.arange(len(texts)), [number[each] for each in classes]] = 1.0
        shape = (seen.shape[1] + 1, len(self.classes))

        def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            weights = flat.reshape(shape)
            scores = seen @ weights[:-1] + weights[-1]
            scores -= scores.max(axis=1, keepdims=True)
            total = np.log(np.exp(scores).sum(axis=1, keepdims=True))
            chances = np.exp(scores - total)
            value = float(((total - scores) * wanted).sum() + penalty / 2 * (weights[:-1] ** 2).sum())
            off = chances - wanted
            slope = np.vstack([seen.T @ off + penalty * weights[:-1], off.sum(axis=0, keepdims=True)])
            return value, slope.ravel()

        best = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
        self._weights = best.x.reshape(shape)

    def guess(self, texts: Sequence[str]) -> list[str]:
        """The most likely class of each text."""
        scores = self._matrix(texts) @ self._weights[:-1] + self._weights[-1]
        return [self.classes[place] for place in scores.argmax(axis=1)]

    def _matrix(self, texts: Sequence[str]) -> csr_matrix:
        """A row for each text; words that were not seen in fitting are left out."""
        from scipy.sparse import csr_matrix

        columns: list[int] = []
        ends = [0]
        for text in texts:
            columns += sorted({self._columns[word] for word in _features(text) if word in self._columns})
            ends.append(len(columns))
        return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(texts), len(self._columns)))


def _features(text: str) -> list[str]:
    words = text.lower().replace("?", " ?").replace(".", " .").split()
    return [*words, *(f"{first} {second}" for first, second in pairwise(words))]
