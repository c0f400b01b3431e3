"""Names of entities, each of which is that of one entity alone.

A name comes from the predicates of labels that the profile has, in the language asked for or in none, or from a table
of one's own. What two entities share names neither; nor does a text that could not be read back out of a question: an
empty one, one with brackets or line breaks, or one that looks like a placeholder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.term import Term

LANGUAGE = "en"
_UNREADABLE = re.compile(r"\s*|M\d+|.*[\[\]\n\r\t].*", re.DOTALL)


class EntityNames(NamedTuple):
    """The names of an index by id."""

    names: dict[int, str]
    """The name that an entity is called by, its own alone or not."""
    unambiguous: npt.NDArray[np.int32]
    """The ids of those that a name calls alone, sorted."""

    @property
    def ambiguous(self) -> int:
        """How many have names, and none of their own."""
        return len(self.names) - len(self.unambiguous)


def is_readable(name: str) -> bool:
    """Whether a name can stand in a question.

    >>> is_readable("Strange Days"), is_readable("[REC]"), is_readable("M2"), is_readable(" ")
    (True, False, False, False)
    """
    return _UNREADABLE.fullmatch(name) is None


def is_of_language(label: Term, language: str) -> bool:
    """Whether a label is a text in a language or in none."""
    return label.kind == LITERAL and label.language in ("", language)


def entity_names(store: EmbeddedStore, names: Mapping[str, str] | None, language: str = LANGUAGE) -> EntityNames:
    """The names of a store's entities: those of a table, or of the facts."""
    given = _given(store, names) if names is not None else _labels(store, language)
    owners: dict[str, int] = {}
    for number, name in given:
        if owners.setdefault(name, number) != number:
            owners[name] = -1
    called: dict[int, str] = {}
    alone: set[int] = set()
    for number, name in given:
        if number in alone:
            continue
        if owners[name] == number and is_readable(name):
            called[number] = name
            alone.add(number)
        else:
            called.setdefault(number, name)
    return EntityNames(called, np.array(sorted(alone), np.int32))


def _given(store: EmbeddedStore, names: Mapping[str, str]) -> list[tuple[int, str]]:
    ids = store.ids(store.profile.term(text) for text in names)
    return sorted((number, name) for number, name in zip(ids.tolist(), names.values(), strict=True) if number >= 0)


def _labels(store: EmbeddedStore, language: str) -> list[tuple[int, str]]:
    """The labels of all entities: by predicate in the profile's order, those of the language before those of none."""
    labels: list[tuple[int, str]] = []
    predicates = store.profile.predicates("label")
    for predicate in predicates:
        number = store.id(predicate)
        if number < 0:
            continue
        ids = store.along(number)
        begins, targets = store.follow_many(ids, np.array([number], np.int64))
        texts = {each: store.term(each) for each in np.unique(targets).tolist()}
        pairs = zip(np.repeat(ids, np.diff(begins)).tolist(), targets.tolist(), strict=True)
        said = [(entity, texts[label]) for entity, label in pairs if is_of_language(texts[label], language)]
        labels += [(entity, label.text) for entity, label in _by_language(said)]
    if not labels:
        shown = " and ".join(store.profile.show(each) for each in predicates) or "no predicate"
        raise KnowledgeBaseError(
            f"no entity has a name: no fact of {shown} has a text in {language!r} or in no language",
            "give a table of names, or a profile whose label predicates the facts have",
        )
    return labels


def _by_language(labels: Iterable[tuple[int, Term]]) -> list[tuple[int, Term]]:
    return sorted(labels, key=lambda pair: (pair[0], not pair[1].language, pair[1].key))
