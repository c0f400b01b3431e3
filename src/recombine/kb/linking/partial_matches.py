"""Surface forms that share words with a run of words, for mentions that no form equals.

The likeness is the weight of the words that the two share over that of all their words, where a word weighs more the
fewer forms have it (fuzzy string matching, as GrailQA's section 4.3 has it). Forms are found by the rarest word of the
run alone; where more than `MOST_FORMS` forms have that word the run is too common to be looked up, and that is
counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.kb.linking.function_words import function_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from recombine.kb.linking.surface_forms import SurfaceForms

MOST_FORMS = 5_000
_DULL = 0.1
"""What is left of the weight of a function word, which tells little however few names have it."""


class PartialMatch(NamedTuple):
    """A form, and its likeness to the run of words, up to 1."""

    form: int
    likeness: float


class PartialMatches:
    """The forms of a dictionary by their words."""

    def __init__(self, forms: SurfaceForms) -> None:
        self._forms = forms
        rows = np.repeat(np.arange(len(forms), dtype=np.int32), np.diff(forms.starts))
        order = np.argsort(forms.words, kind="stable")
        words, rows = forms.words[order], rows[order]
        first = np.concatenate([[True], (words[1:] != words[:-1]) | (rows[1:] != rows[:-1])])
        words, self._rows = words[first], rows[first]
        self._begins = np.searchsorted(words, np.arange(len(forms.vocabulary) + 1))
        self._weights = np.log1p(len(forms) / np.maximum(np.diff(self._begins), 1))
        self._unknown = float(np.log1p(len(forms)))
        dull = [forms.vocabulary[word] for word in function_words() if word in forms.vocabulary]
        self._weights[dull] *= _DULL
        self._totals = np.bincount(self._rows, self._weights[words], len(forms))
        self.too_common = 0
        """How many runs were not looked up, since too many forms have their rarest word."""

    def weight(self, word: str) -> float:
        """How much a word tells, more for one that fewer forms have."""
        number = self._forms.vocabulary.get(word)
        if number is None:
            return self._unknown * (_DULL if word in function_words() else 1.0)
        return float(self._weights[number])

    def find(self, words: Sequence[str], *, least: float = 0.5, most: int = 10) -> list[PartialMatch]:
        """The forms most like a run of words, the best first."""
        dull = function_words()
        known = {self._forms.vocabulary[word]: word for word in words if word in self._forms.vocabulary}
        telling = [number for number, word in known.items() if word not in dull]
        if not telling:
            return []
        rarest = min(telling, key=lambda number: (self._begins[number + 1] - self._begins[number], number))
        found = self._having(rarest)
        if len(found) > MOST_FORMS:
            self.too_common += 1
            return []
        likeness = self._likeness(found, sorted(known), sum(map(self.weight, dict.fromkeys(words))))
        best = np.lexsort((found, -likeness))[:most]
        pairs = zip(found[best].tolist(), likeness[best].tolist(), strict=True)
        return [PartialMatch(*pair) for pair in pairs if pair[1] >= least]

    def _having(self, number: int) -> npt.NDArray[np.int32]:
        """The forms that have a word, sorted."""
        having: npt.NDArray[np.int32] = self._rows[self._begins[number] : self._begins[number + 1]]
        return having

    def _likeness(self, found: npt.NDArray[np.int32], known: list[int], own: float) -> npt.NDArray[np.float64]:
        shared = np.zeros(len(found))
        for number in known:
            having = self._having(number)
            places = np.minimum(np.searchsorted(having, found), len(having) - 1)
            shared[having[places] == found] += self._weights[number]
        likeness: npt.NDArray[np.float64] = shared / (own + self._totals[found] - shared)
        return likeness
