"""Roles of relations by their paths and by the data, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts_of import names, store_of

from recombine.errors import OptionError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.ontology.ontology_of_paths import ontology_of_paths, path_parts
from recombine.kb.term import Term

ACTS, GENRE, KNOWS = "/film/actor/film./film/performance/film", "/film/film/genre", "/user/who/knows"
FACTS = f"""
a1 {ACTS} f1
a2 {ACTS} f2
f1 {GENRE} g1
f2 {GENRE} g1
a1 {KNOWS} a2
a2 {KNOWS} f1
"""
ACTOR, PERSON, FILM, PERFORMANCE, KIND = map(Term.name, ("actor", "person", "film", "performance", "genre"))


@pytest.fixture
def known() -> Ontology:
    """Actors, who are persons, act in performances of films, which have genres."""
    roles = {
        Term.name("film.actor.film"): Role((ACTOR,), (PERFORMANCE,)),
        Term.name("film.performance.film"): Role((PERFORMANCE,), (FILM,)),
        Term.name("film.film.genre"): Role((FILM,), (KIND,)),
    }
    return ontology_of([(ACTOR, PERSON)], roles, {})


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    """Two actors, two films and their genre."""
    return store_of(names(FACTS), tmp_path / "index")


def test_paths_and_what_else_the_ends_have(store: EmbeddedStore, known: Ontology) -> None:
    made = ontology_of_paths(store, known)
    assert made.relations[Term.name(ACTS)] == Role((ACTOR,), (FILM,))
    assert made.relations[Term.name(GENRE)] == Role((FILM,), (KIND,))
    # Those who know are actors, which are no more than persons; who is known is an actor and a film, of no one class.
    assert made.relations[Term.name(KNOWS)] == Role((ACTOR,), ())
    assert made.relations[Term.name("film.film.genre")] == Role((FILM,), (KIND,))
    assert made.ancestors(ACTOR) == (PERSON,)
    assert made.notes == (
        "2 of 3 relations are known by their paths",
        "1 relations are known by what else their ends have",
        "1 of 3 relations have an end of which no class is known",
    )
    half = ontology_of_paths(store, known, share=0.5)
    assert half.relations[Term.name(KNOWS)].range != ()


def test_without_an_ontology_and_types_nothing_is_known(store: EmbeddedStore) -> None:
    made = ontology_of_paths(store)
    assert all(role == Role() for role in made.relations.values())
    assert made.notes == ("3 of 3 relations have an end of which no class is known",)


def test_what_is_no_path() -> None:
    assert path_parts(Term.name("film.film.genre")) is None
    assert path_parts(Term.iri("http://example.org/a")) is None
    assert path_parts(Term.name(GENRE)) == ("film.film.genre",)


def test_a_share_is_above_0_and_up_to_1(store: EmbeddedStore) -> None:
    for share in (0, 1.5):
        with pytest.raises(OptionError, match="share"):
            ontology_of_paths(store, share=share)
