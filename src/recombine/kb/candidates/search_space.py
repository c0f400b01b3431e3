"""The search space of a question: the logical forms within two hops of what is linked in it (GrailQA, section 4.4).

From each linked entity or literal, every path of one or two relations along facts or against them that leads somewhere
is a candidate, and so is the count of what it leads to. Nothing is ranked and nothing is cut. Three things are beyond
the paper and are had by name:

- `classes`: each path also with each class that some of its answers have;
- `superlatives`: without an entity, of each class those with the most or least of a number or date within two hops;
- `comparatives`: without an entity, of each class those whose number or date compares with a linked literal.

Every candidate has an answer. Forms of two entities, of two conditions, and superlatives about an entity are in none
of these. A literal is the end of a path and never its middle. The store is an index: paths are found by kernels on ids,
and forms are made of them when they are asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import KnowledgeBaseError, OptionError, UnknownNameError
from recombine.kb.candidates.candidates import Candidates, Paths, Values
from recombine.kb.candidates.path_kernels import classed_paths, paths_within, valued_paths
from recombine.kb.candidates.step_table import StepTable
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.embedded.literal_columns import FAMILIES, MOMENT, NUMBER
from recombine.kb.forms.form import COMPARISONS
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from recombine.kb.store import Store
    from recombine.kb.term import Term

    Ids = npt.NDArray[np.int32]

CLASSES, SUPERLATIVES, COMPARATIVES = "classes", "superlatives", "comparatives"
BEYOND = (CLASSES, SUPERLATIVES, COMPARATIVES)
"""What goes beyond the paper, by name."""
MOST_HOPS = 2
_AT_ONCE = 1024


class SearchSpace:
    """The candidates of a store, under some options.

    >>> from recombine.kb.open_store import open_store
    >>> from recombine.kb.term import Term
    >>> space = SearchSpace(open_store("docs/examples/films.ttl"), count=False)
    >>> found = space.of([Term.name("Tin_Boat")])
    >>> len(found), found[0].text(space.store.profile)
    (4, '(JOIN (R directed_by) Tin_Boat)')
    """

    def __init__(
        self,
        store: Store,
        *,
        hops: int = MOST_HOPS,
        count: bool = True,
        beyond: Iterable[str] = (),
        leave_out: Iterable[Term] = (),
    ) -> None:
        if not isinstance(store, EmbeddedStore):
            remedy = "give a folder that kb build made, or a file of triples"
            raise OptionError("candidates are found on an index, which this store is not", remedy)
        if hops not in range(1, MOST_HOPS + 1):
            raise OptionError(f"{hops} hops", f"give 1 to {MOST_HOPS}: with more, candidates are too many to list")
        names = [beyond] if isinstance(beyond, str) else list(beyond)
        for name in names:
            if name not in BEYOND:
                raise UnknownNameError("kind of candidates beyond the paper", name, BEYOND)
        self.store, self.hops, self.count = store, hops, count
        self.beyond = tuple(name for name in BEYOND if name in names)
        self.steps = StepTable(store, leave_out)
        self.literals = int(store.folder.description["literals"])

    @property
    def signature(self) -> str:
        """The options, as a text.

        >>> from recombine.kb.open_store import open_store
        >>> SearchSpace(open_store("docs/examples/films.ttl"), beyond=["superlatives"]).signature
        'candidates(hops=2,count,superlatives)'
        """
        return f"candidates({','.join([f'hops={self.hops}', *['count'] * self.count, *self.beyond])})"

    # -- of a question -------------------------------------------------------------------------------------------------

    def of(self, linked: Iterable[Term]) -> Candidates:
        """The candidates for a question in which these entities and literals are linked, each once.

        An entity that no fact has is a `KnowledgeBaseError`, as is a class. Where nothing is linked, or no path starts
        from something, `notes` says so.
        """
        anchors = list(dict.fromkeys(linked))
        blocks: list[Paths | Values] = []
        notes = []
        for anchor in anchors:
            nodes = self.nodes(anchor)
            rows = self._rows(nodes)
            blocks.append(Paths(anchor, rows, self.count))
            if not len(rows):
                why = "no fact has it" if not len(nodes) else "its facts say names and classes alone"
                notes.append(f"no path starts from {self.store.profile.show(anchor)}: {why}")
        if not anchors:
            notes.append("nothing is linked in the question, and a path needs an end to start from")
        if SUPERLATIVES in self.beyond:
            blocks += self._superlatives
        if COMPARATIVES in self.beyond:
            blocks += [block for anchor in anchors if anchor.kind == LITERAL for block in self._comparatives(anchor)]
        return Candidates(self.store, self.steps, blocks, notes)

    def nodes(self, anchor: Term) -> Ids:
        """The ids that an anchor stands for: of an entity its own, of a literal those of all of the same value."""
        if anchor.kind == LITERAL:
            return self._sets.equal(anchor)
        profile = self.store.profile
        number = self.store.id(anchor)
        if number < 0:
            near = [profile.show(term) for term in self.store.near(anchor)]
            remedy = f"check its spelling; beside it there are {' and '.join(near)}" if near else "it holds no facts"
            raise KnowledgeBaseError(f"no fact has the entity {profile.show(anchor)}", remedy)
        if profile.tells_entities and not profile.is_entity(anchor):
            problem = f"{profile.show(anchor)} is no entity by the look of its name"
            raise KnowledgeBaseError(problem, f"link entities alone; they look like {profile.entity}")
        return np.array([number], np.int32)

    # -- of many entities ----------------------------------------------------------------------------------------------

    def iter_paths(self, entities: Ids) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]]:
        """The paths from entities by their ids, a thousand at a time: where the rows of each begin, and all rows."""
        for first in range(0, len(entities), _AT_ONCE):
            some = np.ascontiguousarray(entities[first : first + _AT_ONCE], np.int32)
            yield self._paths(np.arange(len(some) + 1), some)

    def sizes(self, entities: Ids) -> npt.NDArray[np.int64]:
        """How many candidates each of some entities has, by their ids, with counts where they are asked for.

        Those with classes, and those without an entity, are not among them.
        """
        counts = [np.diff(begins) for begins, _ in self.iter_paths(entities)]
        return (1 + self.count) * np.concatenate([np.empty(0, np.int64), *counts])

    @cached_property
    def entities(self) -> Ids:
        """The ids of all that has a candidate and may be linked: no literals, and where looks tell, entities alone."""
        steps = self.steps.relations.tolist()
        ends = [self.store.along(relation, inverse=inverse) for relation in steps for inverse in (False, True)]
        found = np.unique(np.concatenate([np.empty(0, np.int32), *ends])).astype(np.int32)
        found = found[found >= self.literals]
        if self.store.profile.tells_entities:
            looks = [self.store.profile.is_entity(self.store.term(number)) for number in found.tolist()]
            found = found[np.array(looks, bool)]
        return found

    # -- the rows of paths ---------------------------------------------------------------------------------------------

    def _paths(self, begins: npt.NDArray[np.int64], nodes: Ids) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        steps = self.steps
        found: tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]] = paths_within(
            self.store.edges, steps.places, steps.relations, self.literals, begins, nodes, self.hops
        )
        return found

    def _rows(self, nodes: Ids) -> npt.NDArray[np.int32]:
        """The paths from some nodes as rows of first step, second step and class."""
        _, plain = self._paths(np.array([0, len(nodes)]), nodes)
        rows = np.full((len(plain), 3), -1, np.int32)
        rows[:, :2] = plain
        if CLASSES not in self.beyond:
            return rows
        classed: npt.NDArray[np.int32] = classed_paths(
            self.store.edges, self.steps.places, self.steps.relations, self.literals, self.types, nodes, self.hops
        )
        return np.concatenate([rows, classed])

    @cached_property
    def types(self) -> Ids:
        """The ids of the predicates that say classes."""
        known = {self.store.id(predicate) for predicate in self.store.profile.predicates("type")}
        return np.array(sorted(number for number in known if number in self.store.relation_counts), np.int32)

    @cached_property
    def _sets(self) -> FormSets:
        return FormSets(self.store)

    # -- without an entity ---------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> dict[int, npt.NDArray[np.int32]]:
        """For each class by its id, the paths from its members to numbers and dates: first and second step, family, and
        the least and largest rank of a value.
        """
        classes = [self.store.along(int(relation), inverse=True) for relation in self.types]
        chosen = np.zeros(len(FAMILIES), bool)
        chosen[[NUMBER, MOMENT]] = True
        literals, found = self.store.literals, {}
        for number in np.unique(np.concatenate([np.empty(0, np.int32), *classes])).tolist():
            members = self._sets.of_class(self.store.term(number), None)
            rows = valued_paths(
                self.store.edges,
                self.steps.places,
                self.steps.relations,
                literals.families,
                literals.ranks,
                chosen,
                np.ascontiguousarray(members, np.int32),
                self.hops,
            )
            if len(rows):
                found[int(number)] = rows
        return found

    @cached_property
    def _superlatives(self) -> list[Values]:
        return [Values(number, _without_repeats(rows), ("argmax", "argmin")) for number, rows in self.values.items()]

    def _comparatives(self, literal: Term) -> Iterator[Values]:
        """The comparisons with a literal that something of a class meets."""
        try:
            ranges = {sign: self.store.literals.compared(sign, literal) for sign in COMPARISONS}  # type: ignore[arg-type]
        except OptionError:  # a literal without a value compares with nothing
            return
        for number, rows in self.values.items():
            for sign, ranks in ranges.items():
                first, last = ranks.ranges[0]
                own = rows[rows[:, 2] == ranks.family]
                met = own[:, 3] < last if sign.startswith("<") else own[:, 4] >= first
                if met.any():
                    yield Values(number, own[met], (sign,), literal)


def _without_repeats(rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The rows with each path once: one with numbers and dates is one superlative."""
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    return rows[new]
