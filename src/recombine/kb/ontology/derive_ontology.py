"""An ontology derived from the data of an index: what the subjects and targets of each relation have in common.

The domain of a relation is the smallest class, by the number of things of it, that holds all of its subjects that have
a type, or a share of them; its range that of its targets, where a literal is of the class of its datatype. Relations
whose ends have no types, or no class in common, have none, and are counted in the notes; the predicates of the profile
that say types, names and the schema are no relations of it. Two relations are each other's
reverse where they have the same facts the other way round, and more than one. Sub-classes are those that facts state:
what the data does not contradict is not yet so.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.kb.facts_of import facts_of
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.term import BLANK, LITERAL, Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.kb.embedded.embedded_store import EmbeddedStore

    Ids = NDArray[np.int32]

_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


def derive_ontology(store: EmbeddedStore, *, share: float = 1.0) -> Ontology:
    """The ontology that the facts of an index show; a class stands for an end where it holds so large a share of it."""
    if not 0 < share <= 1:
        raise OptionError(f"a share of {share}", "give one above 0, up to 1")
    types = _Types(store)
    roles, without = {}, 0
    # What says types, names, domains and the like leads nowhere itself.
    said = {store.id(predicate) for predicate in store.profile.schema_predicates}
    for number in sorted(set(store.relation_counts) - said):
        role = Role(
            *(types.common(store.relation_ends.along(number, inverse=inverse), share) for inverse in (False, True))
        )
        roles[store.term(number)] = role
        without += not role.domain or not role.range
    below = [
        (name, other)
        for predicate in store.profile.predicates("subclass")
        for name, other in facts_of(store, predicate)
        if BLANK not in (name.kind, other.kind) and other.kind != LITERAL
    ]
    notes = []
    if without:
        notes.append(f"{without:,} of {len(roles):,} relations have an end without a class that all of it shares")
    classes = map(store.term, types.sizes)
    literal = store.profile.is_literal_class
    return ontology_of(below, roles, _reverses(store, said), classes=classes, notes=notes, literal=literal)


class _Types:
    """The types of the things of an index."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        self._literals = int(store.folder.description["literals"])
        known = (store.id(predicate) for predicate in store.profile.predicates("type"))
        self._steps = [np.array([number], np.int64) for number in known if number in store.relation_counts]
        self.sizes: dict[int, int] = {}
        for steps in self._steps:
            for number in store.along(int(steps[0]), inverse=True).tolist():
                members = len(store.follow_id(number, ~steps))
                self.sizes[number] = max(self.sizes.get(number, 0), members)

    def common(self, things: Ids, share: float) -> tuple[Term, ...]:
        """The smallest class that holds a share of those of some things that have one; none where none does."""
        literals = int(np.searchsorted(things, self._literals))  # which have the first ids
        if literals:
            return self._datatype(things, literals, share)
        counts: dict[int, int] = {}
        typed = np.zeros(len(things), bool)
        for steps in self._steps:
            starts, classes = self._store.follow_many(things, steps)
            typed |= np.diff(starts) > 0
            for number, count in zip(*np.unique(classes, return_counts=True), strict=True):
                counts[int(number)] = counts.get(int(number), 0) + int(count)
        needed = share * int(typed.sum())
        enough = [number for number, count in counts.items() if count >= needed]
        if not enough:
            return ()
        return (self._store.term(min(enough, key=lambda number: (self.sizes[number], number))),)

    def _datatype(self, things: Ids, literals: int, share: float) -> tuple[Term, ...]:
        """The datatype of a share of some things, of which the first are literals; none where none is of enough."""
        counts: dict[str, int] = {}
        for number in things[:literals].tolist():
            term = self._store.term(number)
            datatype = _LANGUAGE_STRING if term.language else term.datatype or _STRING
            counts[datatype] = counts.get(datatype, 0) + 1
        datatype, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return (self._store.profile.shorten(datatype),) if count >= share * len(things) else ()


def _reverses(store: EmbeddedStore, left_out: set[int]) -> dict[Term, Term]:
    """The relations with the same facts the other way round; of several, the one that sorts first."""
    relations = sorted(
        number for number, count in store.relation_counts.items() if count > 1 and number not in left_out
    )
    forward: dict[bytes, int] = {}
    for number in relations:
        forward.setdefault(_facts_digest(store, number, inverse=False), number)
    others = {number: forward.get(_facts_digest(store, number, inverse=True)) for number in relations}
    return {store.term(number): store.term(other) for number, other in others.items() if other is not None}


def _facts_digest(store: EmbeddedStore, relation: int, *, inverse: bool) -> bytes:
    """A digest of the facts of a relation from its subjects, or from its targets."""
    begins = store.relation_ends.along(relation, inverse=inverse)
    starts, ends = store.follow_many(begins, np.array([~relation if inverse else relation], np.int64))
    digest = blake2b(begins.astype(np.int32).tobytes())
    digest.update(starts.astype(np.int64).tobytes())
    digest.update(ends.astype(np.int32).tobytes())
    return digest.digest()
