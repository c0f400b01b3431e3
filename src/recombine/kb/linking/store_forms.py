"""The surface forms that an index itself gives: the labels and aliases of its entities.

An entity without a label is called by its own name under the base, as in MetaQA's table, unless the profile's names are
ids, such as Freebase's and Wikidata's. Only entities have surface forms: classes and relations have none. The number
of its facts says how well known an entity is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.grounding.entity_names import LANGUAGE, is_of_language
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.profiles.profile import ROLES
from recombine.kb.term import LITERAL, Term

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.store import Store

_NAME = Term.name("Ann_Other")
"""What can be an entity only where entities have names, and no ids."""
_NAMING = tuple(role for role in ("label", "alias") if role in ROLES)


def store_forms(store: Store, language: str = LANGUAGE) -> SurfaceForms:
    """The surface forms of a store's entities, in a language or in none."""
    if not isinstance(store, EmbeddedStore):
        raise KnowledgeBaseError(
            "names are gathered from an index alone", "build one with kb build, or give a file of surface forms"
        )
    predicates = [term for role in _NAMING for term in store.profile.predicates(role)]
    entities, texts = _labels(store, [number for number in map(store.id, predicates) if number >= 0], language)
    if store.profile.is_entity(_NAME):
        others = np.setdiff1d(_entities(store, np.arange(len(store.table), dtype=np.int32)), entities)
        entities = np.concatenate([entities, others])
        texts += [store.term(number).text for number in others.tolist()]
    if not len(entities):
        shown = ", ".join(store.profile.show(each) for each in predicates) or "no predicate"
        raise KnowledgeBaseError(
            f"no entity has a name: no fact of {shown} has a text in {language!r} or in no language",
            "give a file of surface forms, or a profile whose label predicates the facts have",
        )
    return SurfaceForms(texts, entities, facts_of_each(store)[entities], store.term)


def facts_of_each(store: EmbeddedStore) -> npt.NDArray[np.int64]:
    """How many facts begin or end at each term, by its id."""
    edges = store.edges
    counts: npt.NDArray[np.int64] = np.diff(edges.forward_starts) + np.diff(edges.backward_starts)
    return counts


def _labels(store: EmbeddedStore, predicates: list[int], language: str) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Entities, and a label of each, end to end."""
    owners: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)]
    texts: list[str] = []
    for predicate in predicates:
        subjects = _entities(store, store.along(predicate))
        begins, targets = store.follow_many(subjects, np.array([predicate], np.int64))
        labels = store.terms(targets)
        wanted = np.array([is_of_language(label, language) for label in labels], bool)
        owners.append(np.repeat(subjects, np.diff(begins))[wanted])
        texts += [label.text for label, is_wanted in zip(labels, wanted.tolist(), strict=True) if is_wanted]
    return np.concatenate(owners), texts


def _entities(store: EmbeddedStore, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Those of some ids that are entities."""
    schema = [np.array(list(store.relation_counts), np.int32), *_classes(store)]
    ids = np.setdiff1d(ids, np.concatenate(schema))
    looks = [term.kind != LITERAL and store.profile.is_entity(term) for term in store.terms(ids)]
    entities: npt.NDArray[np.int32] = ids[np.array(looks, bool)]
    return entities


def _classes(store: EmbeddedStore) -> list[npt.NDArray[np.int32]]:
    """The ids of classes: what facts of type lead to, and both ends of those of sub-classes."""
    found = []
    for role, directions in (("type", (True,)), ("subclass", (True, False))):
        numbers = [store.id(term) for term in store.profile.predicates(role)]
        found += [store.along(number, inverse=way) for number in numbers if number >= 0 for way in directions]
    return found
