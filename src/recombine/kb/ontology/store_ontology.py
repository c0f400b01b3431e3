"""The ontology of any store: what its facts state, what Freebase's commons say of its names, and what its data shows.

The first of these that knows an end of a relation says what is there. The commons are asked of relations that the facts
do not state, where names are Freebase's, also by their paths (`/film/film/genre`), or where a folder is given. What the
data shows is found in an index alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.ontology.default_ontology import default_folder
from recombine.kb.ontology.joined_ontology import below, joined_ontology
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.ontology.ontology_of_paths import ontology_of_paths, path_parts
from recombine.kb.ontology.read_commons import read_commons
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.progress import working

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.kb.store import Store

INDEX_ALONE = "what the data shows is found in an index alone: build one with recombine kb build"


def store_ontology(store: Store, folder: Path | str | None = None) -> Ontology:
    """The ontology of a store: the relations of its facts and those that it states, with their classes.

    `folder` has files in the form of Freebase's commons; without one, those of the data directory are read where the
    store's names are Freebase's.
    """
    stated = ontology_of_facts(store)
    if not isinstance(store, EmbeddedStore):
        return replace(stated, notes=(*stated.notes, INDEX_ALONE))
    used = used_relations(store)
    known = stated
    if open_ := [name for name in used if not is_whole(name, stated)]:
        place = folder if folder is not None else default_folder() if _are_freebases(store, open_) else None
        if place is not None:
            with working(f"reading the ontology in {place}"):
                known = joined_ontology(stated, _of_relations(read_commons(place), _with_parts(open_)))
    return _of_store(ontology_of_paths(store, known), stated, used)


def used_relations(store: EmbeddedStore) -> set[Term]:
    """The relations of a store's facts, without those that say types, names and the schema."""
    return {store.term(number) for number in store.relation_counts} - store.profile.schema_predicates


def is_whole(relation: Term, ontology: Ontology) -> bool:
    """Whether an ontology says what both ends of a relation are."""
    if relation not in ontology.relations and ontology.reverse(relation) is None:
        return False
    return bool(ontology.domain(relation) and ontology.range(relation))


def _are_freebases(store: EmbeddedStore, relations: Iterable[Term]) -> bool:
    return store.profile.base == find_profile("freebase").base or any(map(path_parts, relations))


def _with_parts(relations: Iterable[Term]) -> set[Term]:
    """Some relations, and those that the paths among them are made of."""
    parts = {Term.name(part) for relation in relations for part in path_parts(relation) or ()}
    return parts.union(relations)


def _of_relations(ontology: Ontology, relations: set[Term]) -> Ontology:
    """The part of an ontology that has to do with some relations: their roles, and the classes of these."""
    known = (name for name in relations if name in ontology.relations or ontology.reverse(name) is not None)
    roles = {name: Role(ontology.domain(name), ontology.range(name)) for name in known}
    return _with_classes(ontology, roles, {name for role in roles.values() for side in role for name in side})


def _of_store(found: Ontology, stated: Ontology, used: set[Term]) -> Ontology:
    """The part of an ontology that a store's facts, and the schema that they state, have to do with."""
    kept = used | {*stated.relations, *stated.reverses, *stated.reverses.values()}
    roles = {name: role for name, role in found.relations.items() if name in kept}
    classes = {name for role in roles.values() for side in role for name in side} | {*stated.classes}
    made = _with_classes(found, roles, classes)
    # That facts state no schema is nothing odd where all is found in the data.
    odd = stated.notes if stated.relations or stated.superclasses else ()
    return replace(made, notes=tuple(dict.fromkeys((*odd, *found.notes, *made.notes))))


def _with_classes(ontology: Ontology, roles: dict[Term, Role], classes: set[Term]) -> Ontology:
    """An ontology of some relations and classes of another, and of the classes above these."""
    kept = classes | {above for name in classes for above in ontology.ancestors(name)}
    return ontology_of(
        [(name, above) for name, above in below(ontology) if name in kept and above in kept],
        roles,
        {name: other for name, other in ontology.reverses.items() if name in roles and other in roles},
        classes=kept,
        alternatives=ontology.alternatives,
        literal=ontology.literal,
    )
