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
from recombine.kb.embedded.set_kernels import count_families, extreme_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.embedded.literal_order import Comparison
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

    def compared(self, path: Sequence[Step], comparison: Comparison, value: Term, among: Ids | None) -> Ids:
        """The ids from which a path leads to a value that compares so with another."""
        check_ordered(self.store, comparison, value)
        steps = self.store.steps(path)
        return NOTHING if steps is None else self.store.compare(steps, comparison, value, among=among)

    def against(self, ids: Ids, path: Sequence[Step]) -> Ids:
        """The ids from which a path leads to any of some ids."""
        steps = self.store.steps(path)
        return NOTHING if steps is None else self.store.follow_ids(ids, ~steps[::-1])

    def having(self, step: Step, among: Ids | None) -> Ids:
        """The ids from which a step leads anywhere."""
        relation = self.store.id(step.relation)
        if relation < 0:
            return NOTHING
        if among is None:
            return self.store.along(relation, inverse=step.inverse)
        begins, _ = self.store.follow_many(among, np.array([~relation if step.inverse else relation]))
        return among[np.diff(begins) > 0]

    def extreme(self, path: Sequence[Step], among: Ids, sign: int) -> Ids:
        """Those of some ids from which a path leads to the largest value of a family; the smallest for a sign of -1."""
        steps = self.store.steps(path)
        if steps is None:
            return NOTHING
        return self._extreme_groups(*self.store.follow_many(among, steps), among, sign)

    def extreme_literals(self, ids: Ids, sign: int) -> Ids:
        """Those of some ids that are the largest value of a family; the smallest for a sign of -1."""
        return self._extreme_groups(np.arange(len(ids) + 1), ids, ids, sign)

    def _extreme_groups(self, begins: npt.NDArray[np.int64], ends: Ids, among: Ids, sign: int) -> Ids:
        literals = self.store.literals
        counts = np.zeros(len(FAMILIES), np.int64)
        count_families(ends, literals.families, counts)
        chosen = np.zeros(len(among), bool)
        for family in (np.flatnonzero(counts[1:]) + 1).tolist():
            chosen |= extreme_groups(begins, ends, literals.families, literals.ranks, family, sign)
        return among[chosen]


def check_ordered(store: EmbeddedStore, comparison: Comparison, value: Term) -> None:
    """Raise where a form compares with what has no order."""
    try:
        store.literals.compared(comparison, value)
    except OptionError as error:
        raise FormError(
            f"{store.profile.show(value)} has no order", "compare with a number, date, time, truth value or text"
        ) from error
