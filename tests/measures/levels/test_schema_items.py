"""Schema items are relations, classes and functions as written; expected sets are worked out by hand."""

from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile
from recombine.languages.known import find_language
from recombine.measures.levels.cfq_items import cfq_items, cfq_template
from recombine.measures.levels.sexpression_items import SExpressionItems
from recombine.measures.levels.sparql_items import sparql_items
from recombine.measures.levels.sparql_parts import sparql_parts

FREEBASE, DBPEDIA, WIKIDATA = map(find_profile, ("freebase", "dbpedia", "wikidata"))
XSD = "http://www.w3.org/2001/XMLSchema#"


def sexpression(text: str, profile: Profile = FREEBASE) -> set[str]:
    return set(SExpressionItems(profile).of(text).all)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("(AND film.film (JOIN film.film.maker m.0a))", {"film.film", "film.film.maker"}),
        ("(AND a.b (JOIN (R a.c) (JOIN a.d m.0a)))", {"a.b", "a.c", "a.d"}),
        ("(COUNT (JOIN (JOIN a.c (R a.d)) m.0a))", {"COUNT", "a.c", "a.d"}),
        (f"(AND a.b (lt a.size 5^^{XSD}integer))", {"a.b", "a.size", "LT"}),
        (f'(AND a.b (GE a.size "5"^^{XSD}integer))', {"a.b", "a.size", "GE"}),
        ("(ARGMIN a.b (JOIN a.c a.d))", {"ARGMIN", "a.b", "a.c", "a.d"}),
        ('(JOIN a.name "say m.0b (COUNT x)")', {"a.name"}),
        ("(JOIN a.c g.11_x)", {"a.c"}),
        ("m.0a", set()),
    ],
)
def test_items_of_sexpressions(text: str, items: set[str]) -> None:
    assert sexpression(text) == items


def test_entities_of_one_shape_are_read_once_and_give_their_own_items() -> None:
    """A word that looks like an entity in the place of a relation is an item, whichever word was read before it."""
    items = SExpressionItems(FREEBASE)
    assert items.of("(JOIN m.0a m.0b)").all == {"m.0a"}
    assert items.of("(JOIN m.0c m.0d)").all == {"m.0c"}
    assert items.of("(JOIN a.b m.0d)").all == items.of("(JOIN a.b m.0e)").all == {"a.b"}


def test_without_a_look_the_place_tells_entities() -> None:
    plain = find_profile("plain")
    assert sexpression("(AND Film (JOIN maker Ann))", plain) == {"Film", "maker"}
    assert sexpression("(JOIN maker (AND Film Ann))", plain) == {"maker", "Film", "Ann"}


def test_a_malformed_program_is_an_error() -> None:
    with pytest.raises(ProgramError):
        sexpression("(AND film.film (JOIN")


SPARQL = [
    ("ASK { dbr:A dbo:b dbr:C }", {"dbo:b"}, {"ASK"}),
    ("SELECT ?x { ?x a dbo:City ; dbo:in/dbo:of* dbr:A }", {"dbo:City", "dbo:in", "dbo:of"}, {"path /", "path *"}),
    ("SELECT ?x { dbr:A a ?x }", {"rdf:type"}, set()),
    ("SELECT (COUNT(?x) AS ?n) { ?x dbo:b ?y FILTER(5 < ?y) }", {"dbo:b", "COUNT", "GT"}, {"FILTER"}),
    ("SELECT ?x { ?x dbo:b ?y } ORDER BY DESC(?y) LIMIT 1", {"dbo:b", "ARGMAX"}, {"ORDER BY", "LIMIT"}),
    ("SELECT ?x { ?x dbo:b ?y } ORDER BY ?y LIMIT 1", {"dbo:b", "ARGMIN"}, set()),
    ("SELECT ?x { ?x dbo:b ?y } ORDER BY ?y", {"dbo:b"}, {"ORDER BY"}),
    ("SELECT ?x { ?x ?p dbr:A VALUES ?p { dbo:b dbo:c } }", {"dbo:b", "dbo:c"}, {"VALUES"}),
    ("SELECT ?x { ?x ?p dbr:A FILTER(?p = dbo:b || ?p IN (dbo:c)) }", {"dbo:b", "dbo:c"}, {"||", "IN", "="}),
    ("SELECT ?x { ?x a ?c VALUES ?c { dbo:City } }", {"rdf:type", "dbo:City"}, set()),
    ("SELECT ?x { { ?x dbo:b dbr:A } UNION { ?x dbo:c dbr:A } }", {"dbo:b", "dbo:c"}, {"UNION"}),
    (
        "SELECT ?x { ?x dbo:b dbr:A OPTIONAL { ?x dbo:c ?y } MINUS { ?x dbo:d ?y } }",
        {"dbo:b", "dbo:c", "dbo:d"},
        {"MINUS"},
    ),
    (
        "SELECT ?x { ?x dbo:b ?y { SELECT (MAX(?z) AS ?y) { ?w dbo:b ?z } } }",
        {"dbo:b", "ARGMAX"},
        {"sub-SELECT", "MAX"},
    ),
    ("SELECT ?x { ?x dbo:b ?y FILTER NOT EXISTS { ?x dbo:c dbr:A } }", {"dbo:b", "dbo:c"}, {"NOT EXISTS"}),
    ("SELECT ?x { ?x ^dbo:b dbr:A }", {"dbo:b"}, {"path ^"}),
]


@pytest.mark.parametrize(("text", "items", "constructs"), SPARQL)
def test_items_of_sparql(text: str, items: set[str], constructs: set[str]) -> None:
    tree = find_language("sparql11").parse(text)
    assert set(sparql_items(tree, DBPEDIA).all) == items
    more = set(sparql_items(tree, DBPEDIA, constructs=True).all)
    assert items < more
    assert constructs <= more - items


def test_types_by_the_profile() -> None:
    """P31 says classes in Wikidata, and is one relation of many to whoever does not know it."""
    tree = find_language("sparql11").parse("SELECT ?x { ?x wdt:P31/wdt:P279* wd:Q5 ; wdt:P19 wd:Q64 }")
    assert sparql_items(tree, WIKIDATA).all == {"Q5", "wdt:P19"}
    assert len(sparql_items(tree, DBPEDIA).all) == 3


def test_entities_and_literals_of_sparql() -> None:
    text = 'SELECT ?x { ?x dbo:b dbr:A ; dbo:n "Rom"@it FILTER(?y > 5 && LANG(?z) = "en") } LIMIT 7'
    parts = sparql_parts(find_language("sparql11").parse(text), DBPEDIA)
    assert parts.entities == {"<http://dbpedia.org/resource/A>"}
    assert parts.literals == {'"Rom"@it', "5"}


def test_items_and_templates_of_cfq() -> None:
    parse = find_language("sparql").parse
    text = "SELECT DISTINCT ?x0 WHERE { ?x0 a ns:film.actor . ?x0 ns:a.b/c.d M0 . FILTER ( ?x0 != M0 ) }"
    assert cfq_items(parse(text), FREEBASE).all == {"film.actor", "a.b", "c.d"}
    added = cfq_items(parse(text), FREEBASE, constructs=True).all
    assert added == {"film.actor", "a.b", "c.d", "FILTER", "!=", "SELECT DISTINCT", "path /"}
    one = "SELECT count(*) WHERE { M0 a.b ?x0 . M1 a.b ?x0 . ?x0 c.d M2 }"
    other = "SELECT count(*) WHERE { ?x5 c.d M0 . M4 a.b ?x5 . M3 a.b ?x5 }"
    fewer = "SELECT count(*) WHERE { M0 a.b ?x0 . ?x0 c.d M2 }"
    assert cfq_template(parse(one)) == cfq_template(parse(other))
    assert cfq_template(parse(one)) != cfq_template(parse(fewer))
    assert cfq_template(parse(one)).count("ENTITY a.b ?x0") == 2


def test_a_clause_said_twice_is_one_in_cfq() -> None:
    parse = find_language("sparql").parse
    twice = "SELECT count(*) WHERE { M0 a.b ?x0 . M0 a.b ?x0 }"
    assert cfq_template(parse(twice)) == cfq_template(parse("SELECT count(*) WHERE { M1 a.b ?x0 }"))
