"""What entities are called: the name that the facts give, and the other names that people use for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.grounding.entity_names import LANGUAGE, is_of_language, is_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.templates.popularity import Popularity
    from recombine.kb.term import Term

LABEL, ALIAS = "label", "alias"


class EntityCalls:
    """The names of the entities of a store.

    `names` are those of a file, which come before those of the facts; `popularity` adds the surface forms of another,
    the most frequent first, and `chosen` those that people chose.
    """

    def __init__(
        self,
        store: EmbeddedStore,
        popularity: Popularity | None = None,
        names: Mapping[Term, str] | None = None,
        chosen: Mapping[Term, tuple[str, ...]] | None = None,
    ) -> None:
        self._store = store
        self._own = names or {}
        self._counted = {} if popularity is None else popularity.surface_forms
        self._chosen = chosen or {}
        self._predicates = {role: store.profile.predicates(role) for role in (LABEL, ALIAS)}
        self._kept: dict[Term, tuple[str, ...]] = {}

    def name(self, entity: Term) -> str | None:
        """The name of an entity, none where the facts give none."""
        return next(iter(self.names(entity)), None)

    def names(self, entity: Term) -> tuple[str, ...]:
        """The names of an entity, that which it is called by first."""
        if entity not in self._kept:
            said = [
                *([self._own[entity]] if entity in self._own else []),
                *self._said(entity, LABEL),
                *self._said(entity, ALIAS),
                *(form for form, _ in self._counted.get(entity, ())),
                *self._chosen.get(entity, ()),
            ]
            self._kept[entity] = tuple(dict.fromkeys(filter(is_readable, said)))
        return self._kept[entity]

    def _said(self, entity: Term, role: str) -> Iterable[str]:
        """What the facts of a role say in the language of questions, then in none."""
        labels = [
            label
            for predicate in self._predicates[role]
            for label in self._store.neighbours(entity, predicate)
            if is_of_language(label, LANGUAGE)
        ]
        return [label.text for label in sorted(labels, key=lambda label: (not label.language, label.key))]
