"""All facts of one relation, from any store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from recombine.kb.store import Store
    from recombine.kb.term import Term


def facts_of(store: Store, relation: Term) -> list[tuple[Term, Term]]:
    """The subjects and targets of a relation, in the order of their keys."""
    if isinstance(store, EmbeddedStore):
        return _embedded(store, relation)
    resource = written_term(relation, store.profile.base)
    rows = store.select(f"SELECT DISTINCT ?subject ?target WHERE {{ ?subject {resource} ?target }}").rows
    pairs = [(subject, target) for subject, target in rows if subject is not None and target is not None]
    return sorted(pairs, key=lambda pair: (pair[0].key, pair[1].key))


def _embedded(store: EmbeddedStore, relation: Term) -> list[tuple[Term, Term]]:
    number = store.id(relation)
    if number < 0:
        return []
    subjects = store.along(number)
    starts, targets = store.follow_many(subjects, np.array([number], np.int64))
    terms = {place: store.term(place) for place in np.unique(np.concatenate((subjects, targets))).tolist()}
    repeated = np.repeat(subjects, np.diff(starts))
    return [(terms[one], terms[other]) for one, other in zip(repeated.tolist(), targets.tolist(), strict=True)]
