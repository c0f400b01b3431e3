"""A knowledge base in the folder of an embedded index, asked by terms or, more quickly, by ids.

The id of a term is its place among the sorted keys, so that ids in order are terms in the order of their keys; literals
have the first ids. A step by ids is a relation's id, or `~id` against it; `ANY` is every relation. A term that no fact
has has the id -1, and nothing follows from it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import AnswerError, OptionError
from recombine.kb.embedded.hop_kernels import (
    ANY,
    Edges,
    count_edges,
    follow_many,
    follow_one,
    follow_set,
    has_edge,
    nodes_along,
    relations_to,
)
from recombine.kb.embedded.index_folder import IndexFolder
from recombine.kb.embedded.literal_order import LiteralOrder
from recombine.kb.embedded.path_kernels import paths_between
from recombine.kb.embedded.relation_ends import RelationEnds
from recombine.kb.embedded.set_kernels import extreme_groups, groups_within, intersect
from recombine.kb.embedded.term_table import TermTable
from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

    from recombine.kb.embedded.literal_order import Comparison
    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Table
    from recombine.kb.term import Term

    Ids = npt.NDArray[np.int32]
    Steps = npt.NDArray[np.int64]

MOST_HOPS = 6
_ROWS = 1 << 17


class EmbeddedStore:
    """The facts of an index, memory-mapped: processes that open the same folder share its pages."""

    time_out: float | None = None
    """The most seconds that a query by SPARQL may take; none is no limit."""

    def __init__(self, folder: IndexFolder) -> None:
        self.folder = folder
        self.table = TermTable(folder.array("terms"), folder.array("term_starts"), folder.profile.base)
        names = ("forward_starts", "forward_edges", "backward_starts", "backward_edges")
        self.edges = Edges(*(folder.array(name) for name in names))
        self._relation_ids: dict[Term, int] = {}

    @classmethod
    def open(cls, path: Path | str) -> EmbeddedStore:
        """The store in a folder; one that is no index, damaged or of another version is refused."""
        return cls(IndexFolder(path))

    @property
    def kind(self) -> str:
        """The name of this kind of world."""
        return "kb"

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the facts, however they were ordered, repeated or cut into files."""
        return self.facts_digest

    @property
    def place(self) -> Path:
        """The folder of the index."""
        return self.folder.path

    @property
    def facts_digest(self) -> str:
        """The digest of the facts, also where data knows them by the digest of the file that they come from."""
        return str(self.folder.description["digest"])

    @cached_property
    def profile(self) -> Profile:
        """The profile that the index was built under."""
        return self.folder.profile

    def __len__(self) -> int:
        return len(self.edges.forward)

    def __repr__(self) -> str:
        return f"<EmbeddedStore {self.folder.path}: {len(self):,} facts>"

    # -- terms and ids -----------------------------------------------------------------------------------------------

    def id(self, term: Term) -> int:
        """The id of a term, -1 where no fact has it."""
        return self.table.id(term)

    def ids(self, terms: Iterable[Term]) -> Ids:
        """The ids of some terms, -1 for each that no fact has."""
        return self.table.ids(terms)

    def term(self, number: int) -> Term:
        """The term of an id."""
        return self.table.term(number)

    def terms(self, ids: Ids) -> list[Term]:
        """The terms of some ids, in their order."""
        return [self.table.term(number) for number in ids.tolist()]

    def near(self, term: Term) -> list[Term]:
        """The terms before and after a term that no fact has, of its kind, by their keys."""
        place = self.table.first_from(term)
        beside = [self.term(number) for number in (place - 1, place) if 0 <= number < len(self.table)]
        return [each for each in beside if each.kind == term.kind]

    def steps(self, path: Sequence[Step]) -> Steps | None:
        """A path by ids; none where a relation of it is in no fact."""
        steps = np.empty(len(path), np.int64)
        for place, (relation, inverse) in enumerate(path):
            number = self._relation_id(relation)
            if number < 0:
                return None
            steps[place] = ~number if inverse else number
        return steps

    def _relation_id(self, relation: Term) -> int:
        number = self._relation_ids.get(relation)
        if number is None:
            number = self._relation_ids[relation] = self.id(relation)
        return number

    # -- by terms: the protocol of stores ----------------------------------------------------------------------------

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT, through pyoxigraph."""
        from recombine.kb.oxigraph.embedded_sparql import select

        return select(self, query)

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK, through pyoxigraph."""
        from recombine.kb.oxigraph.embedded_sparql import ask

        return ask(self, query)

    def execute(self, form: Form) -> list[Term]:
        """The answers of a logical form: S-expressions and graph queries by kernels, SPARQL through pyoxigraph."""
        from recombine.kb.embedded.execute import execute

        return execute(self, form)

    def neighbours(self, term: Term, relation: Term | None = None, *, inverse: bool = False) -> list[Term]:
        """The distinct terms one hop away, along one relation or all, in the order of their keys."""
        step = ANY if relation is None else self._relation_id(relation)
        if step < 0:
            return []
        return self.terms(self.follow_id(self.id(term), np.array([~step if inverse else step])))

    def relations(self, term: Term, *, inverse: bool = False) -> dict[Term, int]:
        """The relations that leave a term (or lead to it) with the number of facts of each, by their keys."""
        starts, edges = self._edges(inverse=inverse)
        number = self.id(term)
        own = edges[starts[number] : starts[number + 1]] >> 32 if number >= 0 else edges[:0]
        relations, counts = np.unique(own, return_counts=True)
        return dict(zip(self.terms(relations), counts.tolist(), strict=True))

    def follow(self, start: Iterable[Term], path: Sequence[Step]) -> list[Term]:
        """The distinct terms at the end of a path from any of some terms, in the order of their keys."""
        steps = self.steps(path)
        if steps is None:
            return []
        begins = list(start)
        if len(begins) == 1:
            return self.terms(self.follow_id(self.id(begins[0]), steps))
        return self.terms(self.follow_ids(self.ids(begins), steps))

    def count(self, subject: Term | None = None, relation: Term | None = None, target: Term | None = None) -> int:
        """How many facts have this subject, relation and target, those that are given."""
        one, along, other = (None if each is None else self.id(each) for each in (subject, relation, target))
        return 0 if -1 in (one, along, other) else self.count_ids(one, along, other)

    def paths(self, start: Term, end: Term, *, hops: int = 2, limit: int = 100_000) -> list[tuple[Step, ...]]:
        """The distinct paths of up to so many hops, either way along facts, that lead from one term to another.

        Shorter ones come first, then by their steps. More than the limit is an error, never a part of them.
        """
        if not 1 <= hops <= MOST_HOPS:
            raise OptionError(f"{hops} hops", f"give 1 to {MOST_HOPS}")
        one, other = self.id(start), self.id(end)
        paths: list[tuple[Step, ...]] = []
        for length in range(1, hops + 1) if min(one, other) >= 0 else ():
            room = limit - len(paths)
            rows = paths_between(self.edges, one, other, length, room).tolist()
            if len(rows) > room:
                raise AnswerError(f"more than {limit:,} paths of up to {hops} hops", "ask for fewer, or raise limit")
            rows.sort(key=lambda row: [(step < 0, ~step if step < 0 else step) for step in row])
            paths += [tuple(self._step(step) for step in row) for row in rows]
        return paths

    def _step(self, step: int) -> Step:
        return Step(self.table.term(~step if step < 0 else step), step < 0)

    # -- by ids ------------------------------------------------------------------------------------------------------

    def follow_id(self, start: int, steps: Steps) -> Ids:
        """The ids at the end of a path from one id, sorted."""
        ids: Ids = follow_one(self.edges, int(start), steps)
        return ids

    def follow_ids(self, start: Ids, steps: Steps) -> Ids:
        """The ids at the end of a path from any of some ids, sorted."""
        ids: Ids = follow_set(self.edges, start[start >= 0], steps)
        return ids

    def follow_many(self, starts: Ids, paths: Steps) -> tuple[npt.NDArray[np.int64], Ids]:
        """The ids at the end of a path each from some ids: where each answer begins, and all of them end to end.

        `paths` has a row for every start and a column for every step, or is one path for all.
        """
        if paths.ndim == 1:
            paths = np.tile(paths, (len(starts), 1))
        if len(paths) != len(starts):
            raise OptionError(f"{len(starts)} starts and {len(paths)} paths", "give every start its path")
        starts, paths = np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(paths, np.int64)
        answers: tuple[npt.NDArray[np.int64], Ids] = follow_many(self.edges, starts, paths)
        return answers

    def count_ids(self, subject: int | None = None, relation: int | None = None, target: int | None = None) -> int:
        """How many facts have these ids, those that are given."""
        forward, backward = self._edges(), self._edges(inverse=True)
        along = ANY if relation is None else relation
        if subject is not None and target is not None:
            if relation is not None:
                return int(has_edge(*forward, subject, relation, target))
            if count_edges(*forward, subject, ANY) <= count_edges(*backward, target, ANY):
                return len(relations_to(*forward, subject, target))
            return len(relations_to(*backward, target, subject))
        if subject is not None:
            return int(count_edges(*forward, subject, along))
        if target is not None:
            return int(count_edges(*backward, target, along))
        return len(self) if relation is None else self.relation_counts.get(relation, 0)

    @cached_property
    def relation_counts(self) -> dict[int, int]:
        """The relations by their ids, with the number of facts of each."""
        relations, counts = self.folder.array("relations"), self.folder.array("relation_counts")
        return dict(zip(relations.tolist(), counts.tolist(), strict=True))

    def along(self, relation: int, *, inverse: bool = False) -> Ids:
        """The ids of all subjects of a relation, or of all its targets, sorted."""
        ids: Ids = nodes_along(*self._edges(inverse=inverse), relation)
        return ids

    @cached_property
    def relation_ends(self) -> RelationEnds:
        """As `along`, for those who ask for most relations."""
        return RelationEnds(self.edges)

    def intersection(self, *sets: Ids) -> Ids:
        """What sorted sets of ids have in common."""
        if not sets:
            raise OptionError("no sets to intersect", "give at least one")
        common, *others = sorted(sets, key=len)
        for other in others:
            common = intersect(common, other)
        return common

    def iter_triples(self) -> Iterator[pa.RecordBatch]:
        """All facts as batches of keys, in the order of subject, relation and target."""
        import pyarrow as pa

        starts, edges = self._edges()
        for first in range(0, len(self), _ROWS):
            own = edges[first : first + _ROWS]
            subjects = np.searchsorted(starts, np.arange(first, first + len(own)), side="right") - 1
            columns = [self.table.column(ids) for ids in (subjects, own >> 32, own & 0xFFFFFFFF)]
            yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])

    def _edges(self, *, inverse: bool = False) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        edges = self.edges
        return (edges.backward_starts, edges.backward) if inverse else (edges.forward_starts, edges.forward)

    # -- values of literals ------------------------------------------------------------------------------------------

    @cached_property
    def literals(self) -> LiteralOrder:
        """The literals by their values."""
        return LiteralOrder(self.folder, self.table)

    def compare(self, path: Steps, comparison: Comparison, value: Term, *, among: Ids | None = None) -> Ids:
        """The ids from which a path leads to a literal that compares so with a value, sorted; of all, or among some."""
        ranks = self.literals.compared(comparison, value)
        if among is None:
            return self.follow_ids(self.literals.literals(ranks), ~path[::-1])
        begins, ends = self.follow_many(among, path)
        columns, within = (self.literals.families, self.literals.ranks), np.zeros(len(among), bool)
        for first, last in ranks.ranges:
            within |= groups_within(begins, ends, *columns, ranks.family, first, last)
        return among[within]

    def argmax(self, path: Steps, *, among: Ids | None = None, family: str | None = None) -> Ids:
        """The ids from which a path leads to the largest value, sorted; of all, or among some.

        Where values of several families are met, such as numbers and moments, the family has to be named.
        """
        return self._extreme(path, among, family, 1)

    def argmin(self, path: Steps, *, among: Ids | None = None, family: str | None = None) -> Ids:
        """The ids from which a path leads to the smallest value; as `argmax`."""
        return self._extreme(path, among, family, -1)

    def _extreme(self, path: Steps, among: Ids | None, family: str | None, sign: int) -> Ids:
        if among is None:
            step = int(path[0])
            among = self.along(~step if step < 0 else step, inverse=step < 0)
        begins, ends = self.follow_many(among, path)
        chosen = self.literals.family(ends, family)
        if chosen is None:
            return among[:0]
        columns = (self.literals.families, self.literals.ranks)
        extreme: npt.NDArray[np.bool_] = extreme_groups(begins, ends, *columns, chosen, sign)
        return among[extreme]
