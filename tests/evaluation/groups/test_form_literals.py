"""The values that a form is grounded in."""

from __future__ import annotations

import pytest

from recombine.evaluation.groups.form_literals import form_literals
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery, SExpression, SparqlQuery
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression
from recombine.languages.sparql.read_query import read_query

QUERIES = [
    ("SELECT ?x { ?x ex:age 5 . ?x ex:name '''Ann 'A' Lee'''@en }", ("5", "Ann 'A' Lee")),
    ("SELECT ?x { ?x ex:born ?d FILTER(?d > '1990-01-01'^^xsd:date) } ORDER BY ?d LIMIT 3 OFFSET 2", ("1990-01-01",)),
    ("SELECT ?x { ?x rdfs:label ?l FILTER(LANG(?l) = 'en') FILTER(?l = 'Rome') }", ("Rome",)),
    ("SELECT ?x { ?x rdfs:label ?l FILTER(LANGMATCHES(LANG(?l), 'en')) }", ()),
    ("SELECT (7 AS ?n) { VALUES ?x { 8 8 9.5 } }", ("8", "9.5")),
    ("ASK { ex:p5 ex:knows ?x }", ()),
]


@pytest.mark.parametrize(("text", "wanted"), QUERIES)
def test_literals_of_a_query(text: str, wanted: tuple[str, ...]) -> None:
    tree = read_query(text, prefixes={"ex": "http://example.org/"}).tree
    assert form_literals(SparqlQuery(tree)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('(AND (JOIN a.b "Ann Lee") (JOIN a.b "Ann Lee"))', ("Ann Lee",)),
        ("(lt a.b 2010-05-01^^http://www.w3.org/2001/XMLSchema#date)", ("2010-05-01",)),
        ('(JOIN a.b "5.0"^^http://www.w3.org/2001/XMLSchema#float)', ("5.0",)),
        ("(JOIN a.b m.05)", ()),
    ],
)
def test_literals_of_an_sexpression(text: str, wanted: tuple[str, ...]) -> None:
    assert form_literals(SExpression(parse_sexpression(text))) == wanted


def test_literals_of_a_graph_query() -> None:
    nodes = (
        GraphNode("class", Term.name("film.film")),
        GraphNode("literal", Term.literal("5", datatype="http://www.w3.org/2001/XMLSchema#integer"), function=">"),
        GraphNode("literal", None, function="argmax"),
    )
    edges = (GraphEdge(0, 1, Term.name("film.film.length")), GraphEdge(0, 2, Term.name("film.film.cost")))
    assert form_literals(GraphQuery(nodes, edges)) == ("5",)
