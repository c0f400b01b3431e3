"""One name for a relation and its reverse: the one that sorts first of all that are reverses of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile


def merged_reverses(ontology: Ontology, profile: Profile) -> dict[str, str]:
    """The name of each relation that has a reverse, as it is shown; pairs that are chained are all one.

    >>> from recombine.kb.ontology.ontology import ontology_of
    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.kb.term import Term
    >>> films, actors = Term.name("film.actor.films"), Term.name("film.film.actors")
    >>> merged_reverses(ontology_of([], {}, {actors: films}), find_profile("freebase"))
    {'film.actor.films': 'film.actor.films', 'film.film.actors': 'film.actor.films'}
    """
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    for relation, reverse in ontology.reverses.items():
        one, other = sorted((find(profile.show(relation)), find(profile.show(reverse))))
        leader[other] = one
    return {name: find(name) for name in sorted(leader)}
