"""Each rule of well-formedness is broken once, and the fault is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.templates.template import Template
from recombine.kb.templates.well_formed import faults
from recombine.kb.term import Term

FILM, WORK, PERSON, ACTOR, INT = map(Term.name, ("film", "work", "person", "actor", "type.int"))
BY, FILMS, KNOWS, LENGTH, TITLE = map(Term.name, ("by", "films", "knows", "length", "title"))
LEAF, ANY = GraphNode("entity", None, PERSON), GraphNode("class", None)


@pytest.fixture
def ontology() -> Ontology:
    """Films, which are works, are by persons, who know each other; actors are persons."""
    roles = {
        BY: Role((FILM,), (PERSON,)),
        FILMS: Role((PERSON,), (FILM,)),
        KNOWS: Role((ACTOR,), (PERSON,)),
        LENGTH: Role((WORK,), (INT,)),
        TITLE: Role((WORK,), (Term.name("type.text"),)),
    }
    return ontology_of([(FILM, WORK), (ACTOR, PERSON)], roles, {BY: FILMS}, literal=lambda term: term == INT)


def template(nodes: list[GraphNode], *edges: tuple[int, int, Term]) -> Template:
    """A template whose first node is asked for."""
    return Template(GraphQuery(tuple(nodes), tuple(GraphEdge(*edge) for edge in edges)))


def length(function: str = "none", class_: Term = INT) -> GraphNode:
    """A literal."""
    return GraphNode("literal", None, class_, function)


def test_what_is_well_formed(ontology: Ontology) -> None:
    film, person = GraphNode("class", FILM), GraphNode("class", PERSON)
    for each in (
        template([film, LEAF], (0, 1, BY)),
        template([replace(film, function="count"), LEAF, length()], (0, 1, BY), (0, 2, LENGTH)),
        template([film, LEAF, length(">=")], (0, 1, BY), (0, 2, LENGTH)),
        template([GraphNode("class", WORK), length("argmax")], (0, 1, LENGTH)),
        template([film, person, LEAF], (0, 1, BY), (1, 2, KNOWS)),  # a person is above an actor
        template([ANY, ANY, LEAF], (0, 1, Term.name("unknown")), (1, 2, KNOWS)),
    ):
        assert faults(each, ontology) == []
        assert faults(each) == []


COUNTED, FILM_LEAF = GraphNode("class", None, function="count"), GraphNode("entity", None, FILM)
FIVE = [(place, place + 1, Term.name(f"r{place}")) for place in range(5)]
FAULTY = {
    "it is no tree": template([ANY, LEAF, LEAF], (0, 1, BY)),
    "it has 0 relations": template([ANY]),
    "it has 5 relations": template([*[ANY] * 5, LEAF], *FIVE),
    "it has 2 functions, count and argmin": template([COUNTED, length("argmin")], (0, 1, LENGTH)),
    "the asked-for node is of kind entity": template([LEAF, LEAF], (0, 1, KNOWS)),
    "node 1 is a leaf of kind class": template([ANY, ANY], (0, 1, BY)),
    "node 1 is of kind entity and no leaf": template([ANY, LEAF, LEAF], (0, 1, BY), (1, 2, KNOWS)),
    "node 1 is counted and not asked for": template([ANY, COUNTED, LEAF], (0, 1, BY), (1, 2, KNOWS)),
    "node 1 has argmax and is no literal": template([ANY, replace(LEAF, function="argmax")], (0, 1, BY)),
    "node 1 has > and is of type.text": template([ANY, length(">", Term.name("type.text"))], (0, 1, TITLE)),
    "the literal 1 begins a fact": template([ANY, length()], (1, 0, LENGTH)),
    "node 0 is of person, and by is of film": template([GraphNode("class", PERSON), LEAF], (0, 1, BY)),
    "by of film and knows of actor meet at node 0": template([ANY, LEAF, LEAF], (0, 1, BY), (0, 2, KNOWS)),
    "at node 0 a branch of by stands twice": template([ANY, LEAF, LEAF], (0, 1, BY), (0, 2, BY)),
    "at node 0 a branch of films stands twice": template([ANY, LEAF, LEAF], (0, 1, BY), (2, 0, FILMS)),
    "at node 1 the relation by is undone": template([ANY, ANY, FILM_LEAF], (0, 1, BY), (2, 1, BY)),
    "at node 1 the relation films is undone": template([ANY, ANY, FILM_LEAF], (0, 1, BY), (1, 2, FILMS)),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_each_fault_is_named(fault: str, ontology: Ontology) -> None:
    found = faults(FAULTY[fault], ontology)
    assert [each for each in found if each.startswith(fault)], found


def test_a_step_that_stands_twice_with_other_things_behind_it_is_no_repeat(ontology: Ontology) -> None:
    each = template(
        [GraphNode("class", FILM), LEAF, GraphNode("class", ACTOR), LEAF], (0, 1, BY), (0, 2, BY), (2, 3, KNOWS)
    )
    assert faults(each, ontology) == []
