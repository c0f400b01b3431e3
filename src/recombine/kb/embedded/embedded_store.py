"""A knowledge base in the folder of an embedded index, asked by terms or, more quickly, by ids.

The id of a term is its place among the sorted keys, so that ids in order are terms in the order of their keys; literals
have the first ids. A step by ids is a relation's id, or `~id` against it. A term that no fact has has the id -1, and
nothing follows from it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from recombine.errors import AnswerError, OptionError
from recombine.kb.base_names import named
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
from recombine.kb.embedded.literal_columns import FAMILIES, NUMBER, TEXT, exact_number, is_exact, literal_value
from recombine.kb.embedded.name_kernels import find_key, find_keys, first_not_before
from recombine.kb.embedded.set_kernels import count_families, extreme_groups, groups_within, intersect
from recombine.kb.term import IRI, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Step, Table

    Ids = npt.NDArray[np.int32]

Comparison = Literal["<", "<=", ">", ">=", "=", "!="]
_ROWS = 1 << 17


class EmbeddedStore:
    """The facts of an index, memory-mapped: processes that open the same folder share its pages."""

    kind = "kb"

    def __init__(self, folder: IndexFolder) -> None:
        self.folder = folder
        self.profile: Profile = folder.profile
        self.digest: str = folder.description["digest"]
        self.facts: int = folder.description["facts"]
        self._keys = folder.array("terms")
        self._starts = folder.array("term_starts")
        names = ("forward_starts", "forward_edges", "backward_starts", "backward_edges")
        self.edges = Edges(*(folder.array(name) for name in names))
        self._base = self.profile.base
        self._terms = memoryview(self._keys)

    @classmethod
    def open(cls, path: Path | str) -> EmbeddedStore:
        """The store in a folder; one that is no index, damaged or of another version is refused."""
        return cls(IndexFolder(path))

    def __len__(self) -> int:
        return self.facts

    def __repr__(self) -> str:
        return f"<EmbeddedStore {self.folder.path}: {self.facts:,} facts>"

    # -- terms and ids -----------------------------------------------------------------------------------------------

    def id(self, term: Term) -> int:
        """The id of a term, -1 where no fact has it."""
        key = (named(term, self._base) if term.kind == IRI else term).key.encode("utf-8", "surrogatepass")
        return int(find_key(self._keys, self._starts, np.frombuffer(key, np.uint8)))

    def ids(self, terms: Iterable[Term]) -> Ids:
        """The ids of some terms, -1 for each that no fact has."""
        keys = [named(term, self._base).key.encode("utf-8", "surrogatepass") for term in terms]
        begins = np.zeros(len(keys) + 1, np.int64)
        np.cumsum([len(key) for key in keys], out=begins[1:])
        return find_keys(self._keys, self._starts, np.frombuffer(b"".join(keys), np.uint8), begins)  # type: ignore[no-any-return]

    def term(self, number: int) -> Term:
        """The term of an id."""
        return Term.of_key(str(self._terms[self._starts[number] : self._starts[number + 1]], "utf-8"))

    def terms(self, ids: Iterable[int]) -> list[Term]:
        """The terms of some ids, in their order."""
        return [self.term(int(number)) for number in ids]

    def steps(self, path: Sequence[Step]) -> npt.NDArray[np.int64] | None:
        """A path by ids; none where a relation is in no fact."""
        steps = np.empty(len(path), np.int64)
        for place, (relation, inverse) in enumerate(path):
            number = self._relation_id(relation)
            if number < 0:
                return None
            steps[place] = ~number if inverse else number
        return steps

    def _relation_id(self, relation: Term) -> int:
        number = self._known_relations.get(relation)
        if number is None:
            number = self._known_relations[relation] = self.id(relation)
        return number

    @cached_property
    def _known_relations(self) -> dict[Term, int]:
        return {}

    # -- by terms: the protocol of stores ----------------------------------------------------------------------------

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT, through pyoxigraph."""
        from recombine.kb.oxigraph import embedded_sparql

        return embedded_sparql.select(self, query)

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK, through pyoxigraph."""
        from recombine.kb.oxigraph import embedded_sparql

        return embedded_sparql.ask(self, query)

    def neighbours(self, term: Term, relation: Term | None = None, *, inverse: bool = False) -> list[Term]:
        """The distinct terms one hop away, along one relation or all, in the order of their keys."""
        step = ANY if relation is None else self._relation_id(relation)
        if step < 0:
            return []
        return self.terms(self.follow_id(self.id(term), np.array([~step if inverse else step])))

    def relations(self, term: Term, *, inverse: bool = False) -> dict[Term, int]:
        """The relations that leave a term (or lead to it) with the number of facts of each, by their keys."""
        starts, edges = self.edges[2:] if inverse else self.edges[:2]
        number = self.id(term)
        own = edges[starts[number] : starts[number + 1]] >> 32 if number >= 0 else edges[:0]
        return {self.term(each): int(count) for each, count in zip(*np.unique(own, return_counts=True), strict=True)}

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
        if -1 in (one, along, other):
            return 0
        return self.count_ids(one, along, other)

    # -- by ids ------------------------------------------------------------------------------------------------------

    def follow_id(self, start: int, steps: npt.NDArray[np.int64]) -> Ids:
        """The ids at the end of a path from one id, sorted."""
        if start < 0:
            return np.empty(0, np.int32)
        return follow_one(self.edges, start, steps)  # type: ignore[no-any-return]

    def follow_ids(self, start: Ids, steps: npt.NDArray[np.int64]) -> Ids:
        """The ids at the end of a path from any of some ids, sorted."""
        return follow_set(self.edges, start[start >= 0], steps)  # type: ignore[no-any-return]

    def follow_many(
        self, starts: Ids, paths: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], Ids]:
        """The ids at the end of a path each from some ids: where each answer begins, and all of them end to end.

        `paths` has a row for every start, and a column for every step.
        """
        if paths.ndim != 2 or len(paths) != len(starts):
            raise OptionError(f"{len(starts)} starts and paths of shape {paths.shape}", "give every start its path")
        return follow_many(self.edges, np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(paths, np.int64))  # type: ignore[no-any-return]

    def count_ids(self, subject: int | None = None, relation: int | None = None, target: int | None = None) -> int:
        """How many facts have these ids, those that are given."""
        forward, backward = self.edges[:2], self.edges[2:]
        along = ANY if relation is None else relation
        if subject is not None and target is not None:
            if relation is not None:
                return int(has_edge(*forward, subject, relation, target))
            return len(self._between(subject, target))
        if subject is not None:
            return int(count_edges(*forward, subject, along))
        if target is not None:
            return int(count_edges(*backward, target, along))
        return self.facts if relation is None else self.relation_counts.get(relation, 0)

    def _between(self, subject: int, target: int) -> Ids:
        """The relations of the facts of a subject and a target, looked for where fewer facts are."""
        forward, backward = self.edges[:2], self.edges[2:]
        if count_edges(*forward, subject, ANY) <= count_edges(*backward, target, ANY):
            return relations_to(*forward, subject, target)  # type: ignore[no-any-return]
        return relations_to(*backward, target, subject)  # type: ignore[no-any-return]

    @cached_property
    def relation_counts(self) -> dict[int, int]:
        """The relations by their ids, with the number of facts of each."""
        relations, counts = self.folder.array("relations"), self.folder.array("relation_counts")
        return dict(zip(relations.tolist(), counts.tolist(), strict=True))

    def along(self, relation: int, *, inverse: bool = False) -> Ids:
        """The ids of all subjects of a relation, or of all its targets."""
        return nodes_along(*(self.edges[2:] if inverse else self.edges[:2]), relation)  # type: ignore[no-any-return]

    def intersection(self, *sets: Ids) -> Ids:
        """What sorted sets of ids have in common, the smallest first."""
        if not sets:
            raise OptionError("no sets to intersect", "give at least one")
        common, *others = sorted(sets, key=len)
        for other in others:
            common = intersect(common, other)
        return common

    def iter_triples(self) -> Iterator[pa.RecordBatch]:
        """All facts as batches of keys, in the order of subject, relation and target."""
        import pyarrow as pa

        content = [None, pa.py_buffer(self._starts), pa.py_buffer(self._keys)]
        keys = pa.Array.from_buffers(pa.large_string(), len(self._starts) - 1, content)
        starts, edges = self.edges[:2]
        for first in range(0, self.facts, _ROWS):
            own = edges[first : first + _ROWS]
            subjects = np.searchsorted(starts, np.arange(first, first + len(own)), side="right") - 1
            columns = (subjects, own >> 32, own & 0xFFFFFFFF)
            yield pa.RecordBatch.from_arrays(
                [keys.take(pa.array(column)) for column in columns], ["subject", "relation", "target"]
            )
