"""Templates of SPARQL 1.1: what gives way to a placeholder, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sparql_trees import QUERIES

from recombine.languages.sparql.anonymise_query import anonymise_query
from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree

HEAD = "PREFIX : <k:> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
TYPE, P31 = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<http://www.wikidata.org/prop/direct/P31>"
P279 = "<http://www.wikidata.org/prop/direct/P279>"
FREEBASE = "<http://rdf.freebase.com/ns/type.object.type>"


@pytest.mark.parametrize(
    ("body", "template"),
    [
        (":a :p :b", "ENTITY <k:p> ENTITY ."),
        (":a a :B , ?c ; rdf:type :D", f"ENTITY {TYPE} <k:B> . ENTITY {TYPE} ?c . ENTITY {TYPE} <k:D> ."),
        ("?x wdt:P31/wdt:P279* :B", f"?x {P31}/{P279}* <k:B> ."),
        (f"?x {FREEBASE} :B", f"?x {FREEBASE} <k:B> ."),
        ("?x :p 5 , 'a'@en , true , -1.5 , _:b", "?x <k:p> LITERAL . " * 4 + "?x <k:p> _:b0 ."),
        ("VALUES (?x ?y) { (:a 1) (UNDEF :b) }", "VALUES (?x ?y) { (ENTITY LITERAL) (UNDEF ENTITY) }"),
        ("VALUES ?p { :a } ?x ?p :b", "VALUES ?p { <k:a> } ?x ?p ENTITY ."),
        (
            "?x a ?c FILTER (?c IN (:C, :D) && ?x != :e)",
            f"?x {TYPE} ?c . FILTER (?c IN (<k:C>, <k:D>) && ?x != ENTITY)",
        ),
        ("FILTER (:f(?x, :a) > 5 + ?y)", "FILTER (<k:f>(?x, ENTITY) > LITERAL + ?y)"),
        (
            "SERVICE :s { :a :p 1 } GRAPH :g { ?x :p :a }",
            "SERVICE <k:s> { ENTITY <k:p> LITERAL . } GRAPH <k:g> { ?x <k:p> ENTITY . }",
        ),
        ("BIND (REGEX(?x, 'a', 'i') AS ?y)", "BIND (REGEX(?x, LITERAL, LITERAL) AS ?y)"),
    ],
)
def test_templates(body: str, template: str) -> None:
    tree = read_query(f"{HEAD}ASK {{ {body} }}").tree
    assert write_query(anonymise_query(tree)) == f"ASK WHERE {{ {template} }}"


def test_limits_and_separators_stay() -> None:
    text = "SELECT (GROUP_CONCAT(?x; SEPARATOR=',') AS ?y) { ?x <k:p> 1 } HAVING (COUNT(*) > 2) LIMIT 10 OFFSET 5"
    assert write_query(anonymise_query(read_query(text).tree)) == (
        'SELECT (GROUP_CONCAT(?x; SEPARATOR=",") AS ?y) WHERE { ?x <k:p> LITERAL . } '
        "HAVING (COUNT(*) > LITERAL) LIMIT 10 OFFSET 5"
    )


@settings(max_examples=150, deadline=None)
@given(QUERIES)
def test_a_template_can_be_read_and_is_its_own(tree: Tree) -> None:
    template = anonymise_query(tree)
    assert anonymise_query(template) == template
    query = read_query(write_query(template))
    assert query.tree == template
    assert set(query.leniencies) <= {"placeholder", "is_literal"}
