"""The templates of a store: those of a few films by hand, of random facts by trying all, and of FB15k-237."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from facts_of import names, store_of
from small_store import turtle_store
from valued_facts import PROFILE, valued_facts

from recombine.errors import InputWarning, OptionError, UnknownNameError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.open_store import open_store
from recombine.kb.store import Step
from recombine.kb.templates.ground import Grounder
from recombine.kb.templates.template_space import TemplateSpace
from recombine.kb.templates.well_formed import faults
from recombine.kb.term import Term

FILMS = """
:m.f1 a :film.film ; :type.object.name "One" ; :film.film.directed_by :m.d1 ; :film.film.starring :m.c1 ;
  :film.film.runtime 90 ; :film.film.tagline "First!"@en .
:m.f2 a :film.film ; :type.object.name "Two" ; :film.film.directed_by :m.d2 ; :film.film.starring :m.c2 ;
  :film.film.runtime 120 .
:m.d1 a :people.person ; :type.object.name "Di" ; :film.director.film :m.f1 .
:m.d2 a :people.person ; :type.object.name "Do" ; :film.director.film :m.f2 .
:m.a1 a :people.person ; :type.object.name "Al" .
:m.c1 :film.performance.actor :m.a1 . :m.c2 :film.performance.actor :m.a1 .
"""
# Of the pair of reverses each is gone along; a performance has no name, and is passed and neither asked for nor named;
# texts of a language are no values to name. Derived classes are film.film and people.person.
ONE = {
    "(class =film.film (-> =film.film.directed_by (entity =people.person)))",
    "(class =people.person (-> =film.director.film (entity =film.film)))",
    "(class =film.film (-> =film.film.runtime (literal =<http://www.w3.org/2001/XMLSchema#integer)))",
}
TWO = {
    # chains
    "(class =film.film (-> =film.film.starring (class (-> =film.performance.actor (entity =people.person)))))",
    "(class =people.person (<- =film.performance.actor (class (<- =film.film.starring (entity =film.film)))))",
    "(class =people.person (-> =film.director.film (class =film.film (-> =film.film.runtime (literal "
    "=<http://www.w3.org/2001/XMLSchema#integer)))))",
    # forks
    "(class =film.film (-> =film.film.directed_by (entity =people.person)) (-> =film.film.runtime (literal "
    "=<http://www.w3.org/2001/XMLSchema#integer)))",
}


@pytest.fixture
def films(tmp_path: Path) -> EmbeddedStore:
    """Films with directors both ways, and actors over performances."""
    return turtle_store(tmp_path, "freebase", FILMS)


def test_the_templates_of_a_few_films_by_hand(films: EmbeddedStore) -> None:
    space = TemplateSpace(films)
    one = {template.key.replace("=<", "<").replace("<http", "=<http") for template in space.iter_one_relation()}
    two = {template.key.replace("=<", "<").replace("<http", "=<http") for template in space.iter_two_relations()}
    assert one == ONE
    assert two == TWO
    counts = space.counts
    assert (counts.one_relation, counts.well_formed_chains, counts.well_formed_forks) == (3, 3, 1)
    assert all(faults(template, space.ontology) == [] for template in space.iter_two_relations())


def test_a_drawn_template_has_what_was_asked(films: EmbeddedStore) -> None:
    space, rng = TemplateSpace(films), np.random.default_rng(5)
    for relations in (1, 2, 3):
        for function in ("none", "count", "superlative", "comparative"):
            template = space.draw(rng, relations, function)
            assert template is not None
            assert (template.relations, template.function) == (relations, function)
            assert faults(template, space.ontology) == []


def test_the_same_seed_draws_the_same(films: EmbeddedStore) -> None:
    drawn = [
        [TemplateSpace(films).draw(rng, 1 + turn % 3, "none") for turn in range(20)]
        for rng in (np.random.default_rng(8), np.random.default_rng(8))
    ]
    assert drawn[0] == drawn[1]


def test_what_cannot_be_drawn(films: EmbeddedStore, tmp_path: Path) -> None:
    space, rng = TemplateSpace(films), np.random.default_rng(5)
    with pytest.raises(OptionError, match="5 relations"):
        space.draw(rng, 5, "none")
    with pytest.raises(UnknownNameError, match="counting"):
        space.draw(rng, 1, "counting")
    alone = TemplateSpace(store_of(names("a p b\nc p d"), tmp_path / "alone"))
    assert alone.draw(rng, 1, "superlative") is None
    assert alone.draw(rng, 2, "none") is None
    assert alone.counts.one_relation == 2
    template = alone.draw(rng, 1, "count")
    assert template is not None
    assert template.function == "count"


def test_steps_meet_where_a_node_has_both(tmp_path: Path) -> None:
    store = store_of(valued_facts(4, facts=90, nodes=12), tmp_path / "index", profile=PROFILE)
    space = TemplateSpace(store, classes=False)
    table = space.table
    chains = forks = 0
    for one in space.steps:
        for other in space.steps:
            forks += other >= one and _has_answers(store, table.terms[one], table.terms[other], fork=True)
            chains += not table.is_literal[one] and _has_answers(
                store, table.terms[one], table.terms[other], fork=False
            )
    counts = space.counts
    assert (counts.chains, counts.forks) == (chains, forks)
    listed = list(space.iter_two_relations())
    assert len(listed) == len({template.key for template in listed})
    assert len(listed) == counts.well_formed_chains + counts.well_formed_forks
    assert counts.well_formed_chains == chains - counts.undone_chains
    assert counts.well_formed_forks == forks - counts.repeated_forks


def _has_answers(store: EmbeddedStore, one: Step, other: Step, *, fork: bool) -> bool:
    """Whether two steps from a node, or one after the other, lead anywhere, by executing that."""
    nodes = (GraphNode("class", None),) * 3
    places = ((0, 1, one), (0 if fork else 1, 2, other))
    edges = tuple(
        GraphEdge(to, place, step.relation) if step.inverse else GraphEdge(place, to, step.relation)
        for place, to, step in places
    )
    return bool(store.execute(GraphQuery(nodes, edges)))


@pytest.mark.shared_data
def test_the_space_of_fb15k237(data_dir: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        store = open_store(data_dir / "kb" / "fb15k237" / "triples.tsv.gz")
    assert isinstance(store, EmbeddedStore)
    space = TemplateSpace(store, default_ontology(data_dir / "grailqa" / "ontology"))
    counts = space.counts
    # Section "Facts" of the plan for this data set; 474 chains lead back, and 474 forks have a step twice.
    assert (counts.one_relation, counts.chains, counts.forks) == (474, 27_676, 14_075)
    assert (counts.undone_chains, counts.repeated_forks) == (474, 474)
    assert (counts.well_formed_chains, counts.well_formed_forks) == (11_574, 5_787)
    grounder = Grounder(store, table=space.table)
    assert sum(len(grounder.candidates(template)) for template in space.iter_one_relation()) == 161_922
    by_path = [note for note in space.ontology.notes if "by their paths" in note]
    assert by_path == ["198 of 237 relations are known by their paths"]
    assert space.ontology.range(Term.name("/film/actor/film./film/performance/film")) == (Term.name("film.film"),)
