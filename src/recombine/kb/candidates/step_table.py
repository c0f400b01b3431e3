"""The steps of candidates by their places: the relations that are gone along, and those that say names and classes.

What a profile has for types, sub-classes, labels, reverses, domains and ranges is about names and the schema; a
question asks for it by a class or by a name, and never as a hop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.term import Term


class StepTable:
    """The relations of a store that candidates go along, those of the schema left out, and others if asked."""

    def __init__(self, store: EmbeddedStore, leave_out: Iterable[Term] = ()) -> None:
        without = {store.id(term) for term in store.profile.schema_predicates | set(leave_out)}
        known = np.array(sorted(store.relation_counts), np.int32)
        kept = np.array([number not in without for number in known.tolist()], bool)
        self.relations = known[kept]
        """The ids of the relations, in the order of their places."""
        self.left_out = len(known) - len(self.relations)
        """How many relations of the store are not gone along."""
        self.places = np.full(len(store.table), -1, np.int32)
        self.places[self.relations] = np.arange(len(self.relations), dtype=np.int32)
        self._terms = store.terms(self.relations)
        self._steps = [Step(term, inverse) for inverse in (False, True) for term in self._terms]
        self._numbers = {step: place for place, step in enumerate(self._steps)}

    def __len__(self) -> int:
        return len(self._steps)

    def step(self, place: int) -> Step:
        """The step at a place."""
        return self._steps[place]

    def place(self, step: Step) -> int:
        """The place of a step, -1 where it is not gone."""
        return self._numbers.get(step, -1)

    def all(self) -> list[Step]:
        """All steps: along each relation, then against each."""
        return list(self._steps)
