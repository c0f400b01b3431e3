"""The canonical text of a template does not depend on the order of its nodes and edges, and tells all else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recombine.errors import FormError
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.templates.template import Template
from recombine.kb.term import Term

FLOAT = Term.name("type.float")


def name(text: str) -> Term:
    """A name."""
    return Term.name(text)


def films() -> GraphQuery:
    """Films by a director of some school that are longer than so many minutes."""
    nodes = (
        GraphNode("class", name("film.film")),
        GraphNode("class", name("film.director")),
        GraphNode("entity", None, name("education.school")),
        GraphNode("literal", None, FLOAT, ">"),
    )
    edges = (
        GraphEdge(0, 1, name("film.film.directed_by")),
        GraphEdge(2, 1, name("education.school.students")),
        GraphEdge(0, 3, name("film.film.runtime")),
    )
    return GraphQuery(nodes, edges, 0)


def shuffled(query: GraphQuery, rng: np.random.Generator) -> GraphQuery:
    """The same query with its nodes and edges in another order."""
    places = rng.permutation(len(query.nodes)).tolist()
    nodes = tuple(query.nodes[places.index(place)] for place in range(len(places)))
    edges = [GraphEdge(places[edge.start], places[edge.end], edge.relation) for edge in query.edges]
    return GraphQuery(nodes, tuple(edges[place] for place in rng.permutation(len(edges))), places[query.asked])


def test_a_key_by_hand() -> None:
    assert Template(films()).key == (
        "(class =film.film (-> =film.film.directed_by (class =film.director (<- =education.school.students "
        "(entity =education.school)))) (-> =film.film.runtime (literal > =type.float)))"
    )


def test_the_order_of_nodes_and_edges_is_not_in_the_key() -> None:
    rng, template = np.random.default_rng(3), Template(films())
    for _ in range(30):
        other = Template(shuffled(films(), rng))
        assert (other.key, other.shape) == (template.key, template.shape)
        assert sorted(other.query.nodes[place].kind for place in other.leaves) == ["entity", "literal"]


@pytest.mark.parametrize(
    "change",
    [
        lambda query: replace(query, asked=1),
        lambda query: replace(query, edges=(GraphEdge(1, 0, query.edges[0].relation), *query.edges[1:])),
        lambda query: replace(query, edges=(GraphEdge(0, 1, name("film.film.edited_by")), *query.edges[1:])),
        lambda query: replace(query, nodes=(*query.nodes[:3], replace(query.nodes[3], function="<"))),
        lambda query: replace(query, nodes=(*query.nodes[:3], replace(query.nodes[3], of_class=name("type.int")))),
        lambda query: replace(query, nodes=(replace(query.nodes[0], value=None), *query.nodes[1:])),
        lambda query: replace(query, nodes=(replace(query.nodes[0], function="count"), *query.nodes[1:])),
    ],
)
def test_what_a_template_says_is_in_its_key(change) -> None:  # type: ignore[no-untyped-def]
    assert Template(change(films())).key != Template(films()).key


def test_names_that_look_like_keys_do_not_run_together() -> None:
    keys = set()
    for relation, other in (("a (b", "c)"), ("a", "(b c)"), ("a%20", "b"), ("a ", "b"), ("a", " b")):
        nodes = (GraphNode("class", name(other)), GraphNode("entity", None))
        keys.add(Template(GraphQuery(nodes, (GraphEdge(0, 1, name(relation)),))).key)
    assert len(keys) == 5


def test_functions_leaves_and_domains() -> None:
    template = Template(films())
    assert (template.function, template.relations, template.leaves) == ("comparative", 3, (2, 3))
    profile = find_profile("freebase")
    assert template.domains(profile.domain_of) == ("education", "film", "type")
    assert template.domains(lambda item: "" if profile.is_literal_class(item) else profile.domain_of(item)) == (
        "education",
        "film",
    )
    assert template.shape == "(class (-> (class (<- (entity)))) (-> (literal >)))"
    longest = replace(films(), nodes=(*films().nodes[:3], GraphNode("literal", None, FLOAT, "argmax")))
    assert (Template(longest).function, Template(longest).leaves) == ("superlative", (2,))
    plain = replace(films(), nodes=(*films().nodes[:3], GraphNode("literal", None, FLOAT)))
    assert (Template(plain).function, Template(plain).leaves) == ("none", (2, 3))


def test_values_come_to_the_open_leaves_in_their_order() -> None:
    values = [name("m.1"), Term.literal("90")]
    filled = Template(films()).filled(values)
    assert [node.value for node in filled.nodes[2:]] == values
    assert filled.edges == films().edges
    with pytest.raises(FormError, match="1 values for 2 open leaves"):
        Template(films()).filled(values[:1])


def test_what_is_no_tree_has_no_key() -> None:
    query = films()
    circle = replace(query, edges=(*query.edges, GraphEdge(2, 0, name("x"))))
    apart = replace(query, edges=query.edges[:2])
    twice = replace(query, edges=(query.edges[0], query.edges[0], query.edges[2]))
    for each in (circle, apart, twice):
        assert not Template(each).is_tree
        with pytest.raises(FormError, match="no tree"):
            Template(each).key  # noqa: B018
