"""The ontology of a store whose relations another ontology may know by their paths, or not at all.

A joined relation such as FB15k-237's `/film/actor/film./film/performance/film` leads from the domain of its first part
to the range of its last; part by part it is named as Freebase does, `film.actor.film`. What the ontology does not know
is looked for in the data: the smallest class that holds a share of the ends that have one. What has a class is said by
type facts, where the store has any, else by the relations that are known: all that has one of those is of its domain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.kb.ontology.derive_ontology import derive_ontology
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.term import NAME, Term

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore

    Ids = npt.NDArray[np.int32]

SHARE = 0.9
"""The share of the ends of a relation that a class has to hold where it is found in the data."""
_JOINT = "./"


def ontology_of_paths(store: EmbeddedStore, ontology: Ontology | None = None, *, share: float = SHARE) -> Ontology:
    """An ontology with a role for every relation of a store that has one by name, by path or by the data.

    >>> path_parts(Term.name("/film/actor/film./film/performance/film"))
    ('film.actor.film', 'film.performance.film')
    """
    if not 0 < share <= 1:
        raise OptionError(f"a share of {share}", "give one above 0, up to 1")
    derived = derive_ontology(store, share=share)
    known = ontology if ontology is not None else ontology_of((), {}, {})
    roles: dict[Term, Role] = {}
    by_path = 0
    for relation, shown in derived.relations.items():
        role = Role()
        if relation in known.relations or known.reverse(relation) is not None:
            role = Role(known.domain(relation), known.range(relation))
        elif (of_path := _role_of_path(relation, known)) is not None:
            role = of_path
            by_path += bool(role.domain and role.range)
        roles[relation] = Role(role.domain or shown.domain, role.range or shown.range)
    literal = store.profile.is_literal_class
    by_data = _from_relations(store, roles, known, share)
    without = sum(not role.domain or not role.range for role in roles.values())
    notes = []
    if by_path:
        notes.append(f"{by_path:,} of {len(roles):,} relations are known by their paths")
    if by_data:
        notes.append(f"{by_data:,} relations are known by what else their ends have")
    if without:
        notes.append(f"{without:,} of {len(roles):,} relations have an end of which no class is known")
    return ontology_of(
        [(name, above) for each in (known, derived) for name, all_ in each.superclasses.items() for above in all_],
        {**known.relations, **roles},
        {**derived.reverses, **known.reverses},
        classes=(*known.classes, *derived.classes),
        alternatives=known.alternatives,
        notes=notes,
        literal=lambda name: known.literal(name) or literal(name),
    )


def path_parts(relation: Term) -> tuple[str, ...] | None:
    """The names of the relations that a path is made of, as Freebase writes them; none where it is no path."""
    if relation.kind != NAME or not relation.text.startswith("/"):
        return None
    return tuple(part.strip("/").replace("/", ".") for part in relation.text.split(_JOINT))


def _role_of_path(relation: Term, known: Ontology) -> Role | None:
    parts = path_parts(relation)
    if parts is None:
        return None
    first, last = Term.name(parts[0]), Term.name(parts[-1])
    if any(part not in known.relations and known.reverse(part) is None for part in (first, last)):
        return None
    return Role(known.domain(first), known.range(last))


def _from_relations(store: EmbeddedStore, roles: dict[Term, Role], known: Ontology, share: float) -> int:
    """Give relations without a class at an end the class of what else those have; to how many."""
    if all(role.domain and role.range for role in roles.values()):
        return 0
    members = _members(store, roles, known)
    typed = np.unique(np.concatenate(list(members.values()))) if members else np.empty(0, np.int32)
    given = 0
    for relation, role in roles.items():
        sides = [role.domain, role.range]
        for side in (0, 1):
            if not sides[side]:
                ends = store.relation_ends.along(store.id(relation), inverse=bool(side))
                sides[side] = _common(store, store.intersection(ends, typed), members, share)
        given += (sides[0], sides[1]) != role
        roles[relation] = Role(sides[0], sides[1])
    return given


def _members(store: EmbeddedStore, roles: dict[Term, Role], known: Ontology) -> dict[Term, Ids]:
    """What is of each class by the relations that it has; the smallest class first."""
    sets: dict[Term, list[Ids]] = {}
    for relation, role in roles.items():
        for inverse, side in enumerate(role):
            if len(side) == 1 and not known.literal(side[0]):
                for name in (side[0], *known.ancestors(side[0])):
                    sets.setdefault(name, []).append(
                        store.relation_ends.along(store.id(relation), inverse=bool(inverse))
                    )
    members = {name: np.unique(np.concatenate(each)) for name, each in sets.items()}
    # Of classes that hold as much, one that is below others comes before those.
    by_size = sorted(members.items(), key=lambda item: (len(item[1]), -len(known.ancestors(item[0])), item[0].key))
    return dict(by_size)


def _common(store: EmbeddedStore, ends: Ids, members: dict[Term, Ids], share: float) -> tuple[Term, ...]:
    """The smallest class that holds a share of some ends, of classes from the smallest on; none where there is none."""
    enough = share * len(ends)
    for name, ids in members.items() if len(ends) else ():
        if len(ids) >= enough and len(store.intersection(ends, ids)) >= enough:
            return (name,)
    return ()
