"""SPARQL 1.1 written again: the same tree comes back, and other readers take the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sparql_trees import QUERIES, node
from sparql_worlds import same_answers

from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree


@settings(max_examples=300, deadline=None)
@given(QUERIES)
def test_what_is_written_is_read_as_the_same_tree(tree: Tree) -> None:
    assert read_query(write_query(tree)).tree == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("select*{?x ?y 'a'}", 'SELECT * WHERE { ?x ?y "a" . }'),
        ("ask{filter(((?x)))}", "ASK WHERE { FILTER (?x) }"),
        ("ASK{FILTER(?a||(?b&&?c)||(?d||?e))}", "ASK WHERE { FILTER (?a || ?b && ?c || (?d || ?e)) }"),
        ("ASK{FILTER((?a+?b)*-?c=1)}", "ASK WHERE { FILTER ((?a + ?b) * - ?c = 1) }"),
        ("ASK{FILTER(?a-(?b-?c)/(2*3))}", "ASK WHERE { FILTER (?a - (?b - ?c) / (2 * 3)) }"),
        ("ASK{FILTER((?a=?b)=?c)}", "ASK WHERE { FILTER ((?a = ?b) = ?c) }"),
        ("ASK{FILTER(!(?a IN(1))&&!!?b)}", "ASK WHERE { FILTER (!(?a IN (1)) && !!?b) }"),
        ("ASK{?x ((<k:a>/<k:b>)|^<k:c>)*/(^<k:d>)? 1}", "ASK WHERE { ?x (<k:a>/<k:b>|^<k:c>)*/(^<k:d>)? 1 . }"),
        ("ASK{FILTER EXISTS{{SELECT ?x{}}}}", "ASK WHERE { FILTER EXISTS { { SELECT ?x WHERE { } } } }"),
        (
            "SELECT ?x FROM <g:a>{}GROUP BY str(?x) ?x LIMIT 1",
            "SELECT ?x FROM <g:a> WHERE { } GROUP BY (STR(?x)) ?x LIMIT 1",
        ),
        ("ASK{VALUES(?x){(1)(UNDEF)}}", "ASK WHERE { VALUES ?x { 1 UNDEF } }"),
        ("SELECT ?x{}ORDER BY ?x desc(?y)", "SELECT ?x WHERE { } ORDER BY ASC(?x) DESC(?y)"),
    ],
)
def test_texts(text: str, written: str) -> None:
    assert write_query(read_query(text).tree) == written


def test_brackets_of_a_written_query_are_not_deeper_than_its_tree() -> None:
    """A tree of 100 levels can be read again, whatever it is made of."""
    tree = Tree("?x")
    for level in range(96):
        tree = (node("-", "1", tree), node("STR", tree), node("!", tree), node("||", "?y", tree))[level % 4]
    whole = node("ask", node("where", node("filter", tree)))
    assert whole.depth() == 100
    assert read_query(write_query(whole)).tree == whole
    path = Tree("<k:p>")
    for level in range(96):
        path = node("/", path, "<k:p>") if level % 2 else node("^", path)
    whole = node("ask", node("where", node("triple", "?x", path, "?y")))
    assert read_query(write_query(whole)).tree == whole


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x (1 - 2 - 3 AS ?n) (8 / 4 / 2 + -1 * - 3 AS ?m) "
        "{ ?x <k:p> ?y FILTER (!(?y = 2) || ?y > 1 && ?y < 3)}",
        "SELECT ?x ?y { ?x <k:p>/(<k:q>|^<k:p>)* ?y MINUS { ?x <k:q>? ?y FILTER (?x != ?y) } }",
        "SELECT ?x { ?x <k:p> [ <k:q> ?y ; <k:p> ?x , 1 ] OPTIONAL { ?y !(<k:p>|^<k:q>) ?z } }",
        "SELECT ?x { ?x <k:p> ( 1 <k:a> ) }",
        "SELECT (GROUP_CONCAT(DISTINCT ?y;SEPARATOR='\\'\"\\n') AS ?all) ?x "
        "{ ?x <k:p> ?y } GROUP BY ?x HAVING (COUNT(*)>1)",
        "SELECT ?x { { ?x <k:p> 'x'@en } UNION { SELECT ?x { ?x <k:q> ?z } ORDER BY ?z LIMIT 2 } "
        "FILTER (?x NOT IN (1)) }",
    ],
)
def test_answers_stay(text: str) -> None:
    assert same_answers(text, write_query(read_query(text).tree), seeds=20) > 5
