"""The dictionary of a linker: which entities each surface form may mention, and how often it does.

Words are numbered, a surface form is a row of these numbers, and the forms are kept sorted by a 64-bit hash of their
row, so that all runs of words of a text are looked up at once by binary search. The hash is a polynomial whose factor
is changed until no two forms share a hash, and a run that is found is compared word by word: a look-up is exact. A
million names take some 200 MB.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.linking.words import folded_words
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]
    Hashes = npt.NDArray[np.uint64]

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xFF51AFD7ED558CCD, 0xD6E8FEB86659FD93)
"""Odd numbers with well mixed bits."""


class Span(NamedTuple):
    """A run of words, from the first up to the one before `last`, that is a surface form."""

    first: int
    last: int
    form: int


class Owner(NamedTuple):
    """An entity that a surface form may mention, and how often it does, or how well known the entity is."""

    number: int
    times: int


class SurfaceForms:
    """Surface forms with the entities that they may mention.

    >>> obama, state, religion = (Term.name(name) for name in ("m.02mjmr", "m.04ych", "m.0mo"))
    >>> counted = [("Barack Obama", obama, 5), ("obama", obama, 21), ("Mo", state, 9), ("mo", religion, 1)]
    >>> forms = SurfaceForms.of(counted)
    >>> [(span.first, span.last) for span in forms.spans(["is", "barack", "obama", "of", "mo"])]
    [(1, 3), (2, 3), (4, 5)]
    >>> [(forms.term(owner.number).text, owner.times) for owner in forms.owners(forms.form(["mo"]))]
    [('m.04ych', 9), ('m.0mo', 1)]
    """

    def __init__(
        self,
        texts: Iterable[str],
        numbers: Sequence[int] | npt.NDArray[np.integer],
        counts: Sequence[int] | npt.NDArray[np.integer],
        term: Callable[[int], Term],
        *,
        add: bool = False,
        factors: Sequence[int] = _FACTORS,
    ) -> None:
        """A form, the number of an entity and a count for each entry; `term` gives the entity of a number.

        Numbers are in the order of the terms' keys. Where an entry stands again, the higher count holds, or with `add`
        the sum.
        """
        self.term = term
        self.vocabulary: dict[str, int] = {}
        flat, lengths = self._numbered(texts)
        entities, times = np.asarray(numbers, np.int64), np.asarray(counts, np.int64)
        if not len(lengths) == len(entities) == len(times):
            raise ValueError("texts, numbers and counts differ in length")
        usable = np.flatnonzero(lengths)
        self.unusable = len(lengths) - len(usable)
        """How many entries were dropped since their text has no word."""
        if not len(usable):
            raise KnowledgeBaseError("the dictionary of names is empty", "give names of entities")
        begins = np.concatenate([[0], np.cumsum(lengths)])[:-1]
        self._factor, hashes = _hashes_without_clash(flat, begins[usable], lengths[usable], factors)
        self._keep_forms(flat, begins[usable], lengths[usable], hashes)
        self._keep_owners(hashes, entities[usable], times[usable], add=add)

    @classmethod
    def of(cls, entries: Iterable[tuple[str, Term, int]], *, add: bool = False) -> SurfaceForms:
        """The dictionary of some entries: a surface form, an entity, and a count."""
        texts, keys, counts = [], [], array("q")
        for text, term, count in entries:
            texts.append(text)
            keys.append(term.key)
            counts.append(count)
        known = sorted(set(keys))
        number = {key: place for place, key in enumerate(known)}
        numbers = np.fromiter((number[key] for key in keys), np.int64, len(keys))
        return cls(texts, numbers, np.array(counts, np.int64), lambda place: Term.of_key(known[place]), add=add)

    def _numbered(self, texts: Iterable[str]) -> tuple[npt.NDArray[np.int32], Numbers]:
        """The words of all texts as numbers, end to end, and how many words each has."""
        known, flat, lengths = self.vocabulary, array("i"), array("q")
        for text in texts:
            words = folded_words(text)
            flat.extend([known.setdefault(word, len(known)) for word in words])
            lengths.append(len(words))
        return np.frombuffer(flat, np.int32) if flat else np.empty(0, np.int32), np.array(lengths, np.int64)

    def _keep_forms(self, flat: npt.NDArray[np.int32], begins: Numbers, lengths: Numbers, hashes: Hashes) -> None:
        self._hashes, first = np.unique(hashes, return_index=True)
        own = lengths[first]
        self.starts = np.concatenate([[0], np.cumsum(own)]).astype(np.int64)
        self.words: npt.NDArray[np.int32] = flat[_ranges(begins[first], own)]
        self.longest = int(own.max())

    def _keep_owners(self, hashes: Hashes, entities: Numbers, times: Numbers, *, add: bool) -> None:
        forms = np.searchsorted(self._hashes, hashes)
        order = np.lexsort((entities, forms))
        forms, entities, times = forms[order], entities[order], times[order]
        new = np.concatenate([[True], (forms[1:] != forms[:-1]) | (entities[1:] != entities[:-1])])
        first = np.flatnonzero(new)
        times = np.add.reduceat(times, first) if add else np.maximum.reduceat(times, first)
        forms, entities = forms[first], entities[first]
        order = np.lexsort((entities, -times, forms))
        self._owners, self._counts = entities[order].astype(np.int32), times[order]
        self._owner_starts = np.searchsorted(forms, np.arange(len(self._hashes) + 1))
        self.most_counted = int(times.max())
        """The highest count of any entry."""

    def __len__(self) -> int:
        """How many surface forms there are."""
        return len(self._hashes)

    @cached_property
    def entities(self) -> int:
        """How many entities have a surface form."""
        return len(np.unique(self._owners))

    @cached_property
    def shared(self) -> int:
        """How many surface forms may mention more than one entity."""
        return int((np.diff(self._owner_starts) > 1).sum())

    def numbers(self, words: Sequence[str]) -> Numbers:
        """The numbers of some words, -1 for those that no form has."""
        get = self.vocabulary.get
        return np.array([get(word, -1) for word in words], np.int64)

    def form(self, words: Sequence[str]) -> int:
        """The form of exactly these words, -1 where there is none."""
        return next((form for first, last, form in self.spans(words) if last - first == len(words)), -1)

    def owners(self, form: int) -> list[Owner]:
        """The entities that a form may mention, those of the highest count first, then by their keys."""
        own = slice(self._owner_starts[form], self._owner_starts[form + 1])
        return [Owner(*pair) for pair in zip(self._owners[own].tolist(), self._counts[own].tolist(), strict=True)]

    def words_of(self, form: int) -> npt.NDArray[np.int32]:
        """The numbers of the words of a form."""
        return self.words[self.starts[form] : self.starts[form + 1]]

    def spans(self, words: Sequence[str]) -> list[Span]:
        """All runs of words that are a surface form, by where they begin, the shorter first."""
        numbers = self.numbers(words)
        starts = np.flatnonzero(numbers >= 0)
        hashes, factor = np.zeros(len(starts), np.uint64), np.uint64(self._factor)
        runs: list[tuple[Numbers, int, Hashes]] = []
        for length in range(1, min(self.longest, len(words)) + 1):
            ends = starts + length - 1
            within = ends < len(words)
            within[within] = numbers[ends[within]] >= 0
            starts, ends, hashes = starts[within], ends[within], hashes[within]
            if not len(starts):
                break
            hashes = hashes * factor + (numbers[ends] + 1).astype(np.uint64)
            runs.append((starts, length, hashes))
        if not runs:
            return []
        asked = np.concatenate([each for _, _, each in runs])
        begins = np.concatenate([each for each, _, _ in runs])
        lengths = np.repeat([length for _, length, _ in runs], [len(each) for each, _, _ in runs])
        places = np.minimum(np.searchsorted(self._hashes, asked), len(self._hashes) - 1)
        found = np.flatnonzero(self._hashes[places] == asked)
        triples = zip(begins[found].tolist(), lengths[found].tolist(), places[found].tolist(), strict=True)
        return sorted(
            Span(first, first + length, form)
            for first, length, form in triples
            if np.array_equal(self.words_of(form), numbers[first : first + length])
        )


def _ranges(begins: Numbers, lengths: Numbers) -> Numbers:
    """The places of some ranges, end to end."""
    ends = np.cumsum(lengths)
    shifts = np.repeat(begins - (ends - lengths), lengths)
    places: Numbers = np.arange(int(ends[-1]) if len(ends) else 0) + shifts
    return places


def _hashes_of(flat: npt.NDArray[np.int32], begins: Numbers, lengths: Numbers, factor: int) -> Hashes:
    hashes, multiplier = np.zeros(len(begins), np.uint64), np.uint64(factor)
    rows = np.arange(len(begins))
    for place in range(int(lengths.max())):
        rows = rows[lengths[rows] > place]
        hashes[rows] = hashes[rows] * multiplier + (flat[begins[rows] + place] + 1).astype(np.uint64)
    return hashes


def _hashes_without_clash(
    flat: npt.NDArray[np.int32], begins: Numbers, lengths: Numbers, factors: Sequence[int]
) -> tuple[int, Hashes]:
    """A factor under which different rows of words have different hashes, and the hash of each row."""
    for factor in factors:
        hashes = _hashes_of(flat, begins, lengths, factor)
        order = np.argsort(hashes, kind="stable")
        same = np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]])
        one, other = order[same], order[same + 1]
        if not _differ(flat, begins, lengths, one, other):
            return factor, hashes
    raise KnowledgeBaseError("surface forms share hashes under every factor", "report the names as a fault")


def _differ(flat: npt.NDArray[np.int32], begins: Numbers, lengths: Numbers, one: Numbers, other: Numbers) -> bool:
    """Whether any two rows of some pairs differ."""
    if (lengths[one] != lengths[other]).any():
        return True
    return bool((flat[_ranges(begins[one], lengths[one])] != flat[_ranges(begins[other], lengths[other])]).any())
