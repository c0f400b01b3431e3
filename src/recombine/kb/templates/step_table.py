"""The steps of a store: each relation along its facts and against them, what they lead from, and which meet at a node.

Relations by which a store says types, sub-classes, names, reverses, domains and ranges lead nowhere that a question
goes. A node that has no name, such as one in the middle of a statement, can be passed on a walk, and neither be asked
for nor be named in a question: where a store has names at all, a node is nameless that has none, and so are nodes that
files leave blank.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.embedded.literal_columns import MOMENT, NUMBER
from recombine.kb.embedded.literal_columns import NONE as NO_FAMILY
from recombine.kb.store import Step
from recombine.kb.term import BLANK, Term

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore

    Ids = npt.NDArray[np.int32]

MIXED = -1
"""The family of ends that are of several, or no literals alone."""


class StepTable:
    """The steps of a store by their numbers: twice the place of the relation among the store's, one more against it."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store
        left_out = {store.id(name) for name in store.profile.schema_predicates}
        relations = np.array(sorted(set(store.relation_counts) - left_out), np.int64)
        self.along = np.empty(2 * len(relations), np.int64)
        """The step of each number by ids: that of its relation, or its complement against it."""
        self.along[0::2], self.along[1::2] = relations, ~relations
        self._numbers = {step: number for number, step in enumerate(self.along.tolist())}
        self.terms: list[Step] = [
            Step(store.term(relation), inverse) for relation in relations.tolist() for inverse in (False, True)
        ]
        self.literals = int(store.folder.description["literals"])

    def __len__(self) -> int:
        return len(self.terms)

    def number(self, step: Step) -> int:
        """The number of a step; -1 where no fact has its relation, or it says what questions do not ask."""
        ids = self.store.steps([step])
        return -1 if ids is None else self._numbers.get(int(ids[0]), -1)

    def sources(self, number: int) -> Ids:
        """What a step leads from, sorted."""
        starts, nodes = self._nodes
        return nodes[starts[number] : starts[number + 1]]

    def ends(self, number: int) -> Ids:
        """What a step leads to, sorted."""
        return self.sources(number ^ 1)

    def meeting(self, number: int) -> npt.NDArray[np.int64]:
        """The steps that lead from any node that a step leads from, that step too, in the order of their numbers."""
        known = self._meeting.get(number)
        if known is None:
            known = self._meeting[number] = self._steps_from(self.sources(number))
        return known

    @cached_property
    def is_literal(self) -> npt.NDArray[np.bool_]:
        """Whether a step leads to literals alone."""
        return np.array([len(ends) > 0 and ends[-1] < self.literals for ends in map(self.ends, range(len(self)))])

    @cached_property
    def is_nameless(self) -> npt.NDArray[np.bool_]:
        """Whether a step leads to nodes without names alone; literals need none."""
        named = self.named
        return np.array(
            [
                ends[-1] >= self.literals and not named[ends].any() if len(ends) else True
                for ends in map(self.ends, range(len(self)))
            ]
        )

    @cached_property
    def named(self) -> npt.NDArray[np.bool_]:
        """Whether each node can be named in a question, or be asked for; literals are not."""
        store, total = self.store, len(self.store.table)
        named = np.zeros(total, bool)
        labels = [number for name in store.profile.predicates("label") if (number := store.id(name)) >= 0]
        labels = [number for number in labels if number in store.relation_counts]
        for number in labels:
            named[store.along(number)] = True
        if not labels:
            named[self.literals :] = True
        named[store.table.first_from(Term(BLANK, "")) :] = False
        return named

    def family(self, number: int) -> int:
        """The family of the values that a step leads to; `MIXED` where they are of several, or not all literals."""
        if not self.is_literal[number]:
            return MIXED
        families = np.unique(self.store.literals.families[self.ends(number)])
        return int(families[0]) if len(families) == 1 and families[0] != NO_FAMILY else MIXED

    @cached_property
    def ordered(self) -> tuple[int, ...]:
        """The steps to numbers or to dates, all of one kind, by which things compare."""
        literal = np.flatnonzero(self.is_literal).tolist()
        return tuple(number for number in literal if self.family(number) in (NUMBER, MOMENT))

    @cached_property
    def _meeting(self) -> dict[int, npt.NDArray[np.int64]]:
        return {}

    @cached_property
    def _pairs(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Each node with each step from it, by node and then along before against."""
        numbers = np.full(len(self.store.table), -1, np.int64)
        numbers[self.along[0::2]] = np.arange(0, len(self), 2)
        nodes, steps = [], []
        for inverse in (False, True):
            node, relation = self.store.relation_ends.pairs(inverse=inverse)
            number = numbers[relation]
            nodes.append(node[number >= 0])
            steps.append(number[number >= 0] + inverse)
        return np.concatenate(nodes), np.concatenate(steps)

    @cached_property
    def _nodes(self) -> tuple[npt.NDArray[np.int64], Ids]:
        """Where the nodes of each step begin, and the nodes."""
        nodes, steps = self._pairs
        order = np.lexsort((nodes, steps))
        starts = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.bincount(steps, minlength=len(self)), out=starts[1:])
        return starts, nodes[order]

    @cached_property
    def _steps(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the steps of each node begin, and the steps."""
        nodes, steps = self._pairs
        starts = np.zeros(len(self.store.table) + 1, np.int64)
        np.cumsum(np.bincount(nodes, minlength=len(self.store.table)), out=starts[1:])
        return starts, steps[np.argsort(nodes, kind="stable")]

    def _steps_from(self, nodes: Ids) -> npt.NDArray[np.int64]:
        starts, steps = self._steps
        met = np.zeros(len(self), bool)
        first, count = starts[nodes], starts[nodes + 1] - starts[nodes]
        places = np.repeat(first - np.concatenate(([0], np.cumsum(count)[:-1])), count) + np.arange(count.sum())
        met[steps[places]] = True
        return np.flatnonzero(met)
