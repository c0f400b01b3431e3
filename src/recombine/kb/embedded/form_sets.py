"""The sets of ids that logical forms are made of: of a class, at a literal, along steps, compared, and extreme.

`None` among which to look is everything. Values of different families do not compare: of a superlative, those with the
largest value of each family are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import FormError, OptionError
from recombine.kb.embedded.hop_kernels import nodes_with_edge
from recombine.kb.embedded.literal_columns import FAMILIES
from recombine.kb.embedded.set_kernels import count_families, extreme_groups, groups_within

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.embedded.literal_order import Ranks
    from recombine.kb.store import Step
    from recombine.kb.term import Term

    Ids = npt.NDArray[np.int32]

NOTHING = np.empty(0, np.int32)
_MUCH_LARGER = 4
"""A class with so many times the members is looked up from each of a set, and not listed."""


class FormSets:
    """The sets of one store."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store
        ids = (store.id(predicate) for predicate in store.profile.predicates("type"))
        self._types = [number for number in ids if number >= 0]

    def of_class(self, class_: Term, among: Ids | None) -> Ids:
        """The ids whose type is a class, by any of the predicates that the profile has for it."""
        number = self.store.id(class_)
        if number < 0 or not self._types:
            return NOTHING
        members = sum(self.store.count_ids(None, relation, number) for relation in self._types)
        if among is None or members <= _MUCH_LARGER * len(among):
            each = [self.store.follow_id(number, np.array([~relation])) for relation in self._types]
            found = each[0] if len(each) == 1 else np.unique(np.concatenate(each))
            return found if among is None else self.store.intersection(found, among)
        edges = (self.store.edges.forward_starts, self.store.edges.forward)
        within = np.zeros(len(among), bool)
        for relation in self._types:
            within |= nodes_with_edge(*edges, among, relation, number)
        return among[within]

    def equal(self, literal: Term) -> Ids:
        """The ids of the literals that are equal to one by value; where it has no value, its own."""
        try:
            ranks = self.store.literals.compared("=", literal)
        except OptionError:
            number = self.store.id(literal)
            return np.array([number], np.int32) if number >= 0 else NOTHING
        return self.store.literals.literals(ranks)

    def compared(self, comparison: str, value: Term, among: Ids | None) -> Ids:
        """The ids of the literals that compare so with a value."""
        ranks = self._ranks(comparison, value)
        if among is None:
            return self.store.literals.literals(ranks)
        begins = np.arange(len(among) + 1)
        return among[self._within(begins, among, ranks)]

    def leading_to(self, step: Step, comparison: str, value: Term, among: Ids | None) -> Ids:
        """The ids from which a step leads to a literal that compares so with a value."""
        ranks = self._ranks(comparison, value)
        steps = self.store.steps([step])
        if steps is None:
            return NOTHING
        if among is None:
            return self.store.follow_ids(self.store.literals.literals(ranks), ~steps)
        begins, ends = self.store.follow_many(among, steps)
        return among[self._within(begins, ends, ranks)]

    def _ranks(self, comparison: str, value: Term) -> Ranks:
        try:
            return self.store.literals.compared(comparison, value)  # type: ignore[arg-type]
        except OptionError as error:
            shown = self.store.profile.show(value)
            remedy = "compare with a number, date, time, truth value or text"
            raise FormError(f"{shown} has no order to compare by", remedy) from error

    def _within(self, begins: npt.NDArray[np.int64], ends: Ids, ranks: Ranks) -> npt.NDArray[np.bool_]:
        literals, within = self.store.literals, np.zeros(len(begins) - 1, bool)
        for first, last in ranks.ranges:
            within |= groups_within(begins, ends, literals.families, literals.ranks, ranks.family, first, last)
        return within

    def against(self, ids: Ids, step: Step) -> Ids:
        """The ids from which a step leads to any of some ids."""
        steps = self.store.steps([step])
        return NOTHING if steps is None else self.store.follow_ids(ids, ~steps)

    def having(self, step: Step, among: Ids | None) -> Ids:
        """The ids from which a step leads anywhere."""
        steps = self.store.steps([step])
        if steps is None:
            return NOTHING
        if among is None:
            return self.store.along(self.store.id(step.relation), inverse=step.inverse)
        begins, _ = self.store.follow_many(among, steps)
        return among[np.diff(begins) > 0]

    def extreme(self, ids: Ids, sign: int) -> Ids:
        """Those of some ids that are the largest value of their family; the smallest for a sign of -1."""
        literals = self.store.literals
        counts = np.zeros(len(FAMILIES), np.int64)
        count_families(ids, literals.families, counts)
        begins, chosen = np.arange(len(ids) + 1), np.zeros(len(ids), bool)
        for family in (np.flatnonzero(counts[1:]) + 1).tolist():
            chosen |= extreme_groups(begins, ids, literals.families, literals.ranks, family, sign)
        return ids[chosen]
