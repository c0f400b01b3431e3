"""One form of SPARQL 1.1 queries: what is merged, what is not, and that the form has the query's answers."""

from __future__ import annotations

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from sparql_trees import QUERIES, SMALL_QUERIES
from sparql_worlds import answers, world_of

from recombine.languages.sparql.normalise_query import normalise_query
from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.sparql11 import SPARQL11
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree

HEAD = "PREFIX : <http://a.example/> "


def normal(text: str) -> Tree:
    return normalise_query(read_query(HEAD + text).tree)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT ?a { ?a :p ?b . ?b :q :c }", "SELECT ?x { ?y :q :c . ?x :p ?y }"),
        ("SELECT COUNT(?a) { ?a :p ?b }", "SELECT (COUNT(?x) AS ?n) { ?x :p ?y }"),
        ("ASK { ?a :p ?b . ?b :p ?c . ?c :p :d }", "ASK { ?z :p :d . ?y :p ?z . ?x :p ?y }"),
        ("ASK { ?a :p ?b . ?a :p ?b }", "ASK { ?a :p ?b }"),
        ("ASK { FILTER (?a = 1 && 2 != ?b) ?a :p ?b }", "ASK { ?a :p ?b FILTER (?b != 2) FILTER (1 = ?a) }"),
        (
            "ASK { ?a :p ?b FILTER (?a = 1 || (?b = 2 || ?a = 3)) }",
            "ASK { ?a :p ?b FILTER ((3 = ?a || ?a = 1) || ?b = 2) }",
        ),
        ("ASK { ?a :p ?b FILTER (?a = ?b) FILTER (?b = ?a) }", "ASK { ?a :p ?b FILTER (?a = ?b) }"),
        ("ASK { { ?a :p 1 } UNION { ?b :q 2 } }", "ASK { { ?b :q 2 } UNION { ?a :p 1 } }"),
        ("ASK { VALUES ?a { 1 2 } ?a :p|:q 1 }", "ASK { ?a :q|:p 1 VALUES ?a { 2 1 } }"),
        ("ASK { ?a :p 1 FILTER (?a IN (1, 2)) }", "ASK { ?a :p 1 FILTER (?a IN (2, 1)) }"),
        ("ASK { ?a !(:p|^:q) [ :q 1 ] }", "ASK { _:z :q 1 . ?b !(^:q|:p) _:z }"),
        ("ASK { ?a :p 1 OPTIONAL { ?a :q ?b . ?b :p 2 } }", "ASK { ?x :p 1 OPTIONAL { ?y :p 2 . ?x :q ?y } }"),
        ("ASK { { SELECT ?a { ?a :q ?b } } ?a :p ?c }", "ASK { ?a :p ?x { SELECT ?a { ?a :q ?b } } }"),
    ],
)
def test_merged(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT ?a ?b { ?a :p ?b }", "SELECT ?b ?a { ?a :p ?b }"),
        ("SELECT ?a { ?a :p ?b }", "SELECT DISTINCT ?a { ?a :p ?b }"),
        ("SELECT ?a { ?a :p ?b }", "SELECT ?b { ?a :p ?b }"),
        ("ASK { ?a :p ?b . ?b :p ?c }", "ASK { ?a :p ?b . ?c :p ?b }"),
        ("SELECT ?a { ?a :p/:q ?b . ?a :p/:q ?b }", "SELECT ?a { ?a :p/:q ?b }"),
        ("ASK { ?a :p/:q ?b }", "ASK { ?a :q/:p ?b }"),
        ("ASK { ?a :p ?b FILTER (?a < ?b) }", "ASK { ?a :p ?b FILTER (?b < ?a) }"),
        ("ASK { ?a :p ?b FILTER (?a = 1) FILTER (?b = 2) }", "ASK { ?a :p ?b FILTER (?a = 1 || ?b = 2) }"),
        ("ASK { OPTIONAL { ?a :q ?b } ?a :p ?b }", "ASK { ?a :p ?b OPTIONAL { ?a :q ?b } }"),
        ("ASK { ?a :p ?b MINUS { ?a :q ?b } ?b :p ?c }", "ASK { ?a :p ?b . ?b :p ?c MINUS { ?a :q ?b } }"),
        ("ASK { ?a :p 1 { ?b :p 2 FILTER (?a > 1) } }", "ASK { ?a :p 1 { ?b :p 2 } FILTER (?a > 1) }"),
        (
            "ASK { ?a :p 1 OPTIONAL { ?a :q 1 } OPTIONAL { ?a :q 2 } }",
            "ASK { ?a :p 1 OPTIONAL { ?a :q 2 } OPTIONAL { ?a :q 1 } }",
        ),
        ("SELECT ?a { ?a :p 1 } ORDER BY ?a ?b", "SELECT ?a { ?a :p 1 } ORDER BY ?b ?a"),
        ("SELECT ?a { ?a :p 1 } LIMIT 1", "SELECT ?a { ?a :p 1 } LIMIT 2"),
        ("ASK { VALUES ?a { 1 1 } }", "ASK { VALUES ?a { 1 } }"),
        ("ASK { ?a :p 1 FILTER (1 < RAND()) FILTER (1 < RAND()) }", "ASK { ?a :p 1 FILTER (1 < RAND()) }"),
        ("ASK { { ?a :p 1 } UNION { ?a :p 1 } }", "ASK { { ?a :p 1 } }"),
        ("ASK { ?a :p ?b . ?b :p ?a }", "ASK { ?a :p ?b . ?b :p ?b }"),
        ("ASK { ?a :p _:b }", "ASK { ?a :p ?b }"),
        ("ASK { ?a :p 1 FILTER (?a IN (1, ?b)) }", "ASK { ?a :p 1 FILTER (?b IN (1, ?a)) }"),
    ],
)
def test_not_merged(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_what_is_said_twice_does_not_decide_the_order() -> None:
    """The second group sorts before the first while it has its FILTER twice, and after it when it has it once."""
    text = 'ASK {{ {{ ?a :p ?a FILTER ("" = "") }} {{ ?a :p ?a FILTER ("" = 5) {} }} }}'
    one = normal(text.format('FILTER ("" = 5)'))
    assert one == normal(text.format("")) == normalise_query(one)


@settings(max_examples=200, deadline=None)
@given(QUERIES)
def test_the_form_of_a_form_is_itself_and_can_be_read(tree: Tree) -> None:
    form = normalise_query(tree)
    assert normalise_query(form) == form
    assert read_query(write_query(form)).tree == form


@settings(max_examples=300, deadline=None)
@given(SMALL_QUERIES, st.integers(0, 1000))
def test_the_form_has_the_same_answers(tree: Tree, seed: int) -> None:
    """So queries of one form have the same answers."""
    store = world_of(tree, seed=seed)
    try:
        expected = answers(write_query(tree), store)
    except SyntaxError:  # BIND gives a value to a variable that has one
        reject()
    assert answers(write_query(normalise_query(tree)), store) == expected


@settings(max_examples=200, deadline=None)
@given(SMALL_QUERIES, st.permutations(["?u", "?v", "?w"]))
def test_other_names_give_the_same_form(tree: Tree, names: list[str]) -> None:
    new = dict(zip(("?x", "?y", "?z"), map(Tree, names), strict=True))
    assert normalise_query(tree.mapped(lambda node: new.get(node.label, node))) == normalise_query(tree)


def test_queries_with_other_entities_have_one_template() -> None:
    """Parts are sorted by what stays in the template, so that names of entities do not decide the order."""
    one = normal("SELECT ?x { ?x :in :zoo . ?y :in :africa . ?x :eats ?y }")
    other = normal("SELECT ?x { ?x :in :a . ?y :in :b . ?x :eats ?y }")
    assert one != other
    assert SPARQL11.anonymise(one) == SPARQL11.anonymise(other)


def test_long_queries_take_their_time_but_no_more() -> None:
    triples = " . ".join(f"?v{number} :p ?v{number + 1}" for number in range(3_000))
    form = normal(f"ASK {{ {triples} }}")
    assert normalise_query(form) == form
