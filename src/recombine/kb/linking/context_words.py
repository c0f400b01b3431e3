"""What is said around an entity: the words of its relations and of its classes, cut to their stems.

A question that asks for the belief of *Mo* has a word in common with the relations of the religion, and none with those
of the state. Words are those of names such as `film.director.film`, `directed_by`, `placeOfBirth`, `/film/film/genre`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.linking.function_words import function_words
from recombine.kb.linking.words import folded_words
from recombine.kb.profiles.profile import ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.term import Term

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ors", "ers", "or", "er", "ed", "es", "s", "e")
_LEAST = 4
"""The fewest letters that an ending is cut to."""


def stem(word: str) -> str:
    """A word without its ending, so that *directed*, *directors* and *direction* are one.

    >>> [stem(word) for word in ("directed", "directors", "direction", "birth", "songs")]
    ['direct', 'direct', 'direct', 'birth', 'song']
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """The stems of those of some folded words that are letters and no function words."""
    return frozenset(stem(word) for word in words if word.isalpha() and word not in function_words())


def name_stems(name: str) -> frozenset[str]:
    """The stems of the name of a relation or class.

    >>> sorted(name_stems("people.person.placeOfBirth"))
    ['birth', 'peopl', 'person', 'plac']
    """
    return stems_of(folded_words(_HUMP.sub(" ", name)))


class ContextWords:
    """The stems around the entities of an index."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        self._types = self._ids(("type",))
        self._of_all = frozenset(self._ids([role for role in ("type", "label", "alias") if role in ROLES]))
        self._known: dict[int, frozenset[str]] = {}

    def __call__(self, entity: Term) -> frozenset[str]:
        """The stems of the relations of an entity either way, but for its names and types, and of its classes."""
        number = self._store.id(entity)
        if number < 0:
            return frozenset()
        edges = self._store.edges
        around: set[int] = set()
        for starts, own in ((edges.forward_starts, edges.forward), (edges.backward_starts, edges.backward)):
            around.update(np.unique(own[starts[number] : starts[number + 1]] >> 32).tolist())
        around -= self._of_all
        for predicate in self._types:
            around.update(self._store.follow_id(number, np.array([predicate], np.int64)).tolist())
        return frozenset().union(*map(self._stems, sorted(around)))

    def _ids(self, roles: Iterable[str]) -> list[int]:
        """The ids of the predicates that say these things, those that a fact has."""
        terms = (term for role in roles for term in self._store.profile.predicates(role))
        return [number for number in map(self._store.id, terms) if number >= 0]

    def _stems(self, number: int) -> frozenset[str]:
        if number not in self._known:
            text = self._store.term(number).text
            self._known[number] = name_stems(re.split(r"[#/]", text)[-1] if "://" in text else text)
        return self._known[number]
