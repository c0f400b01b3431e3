"""What programs name, by where names stand in them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from recombine.data_directory import data_directory
from recombine.errors import RecombineError
from recombine.kb.names.named import Named
from recombine.kb.names.names_of import names_of
from recombine.kb.profiles.find_profile import find_profile

FREEBASE, DBPEDIA, WIKIDATA = (find_profile(name) for name in ("freebase", "dbpedia", "wikidata"))
A = "rdf:type"


def shown(named: Named, profile: Any) -> tuple[str, ...]:
    """Entities, relations and classes, each in order with blanks between them."""
    return tuple(" ".join(sorted(map(profile.show, terms))) for terms in named[:3])


SEXPRESSIONS = {
    "(AND film.film (JOIN film.film.director m.01))": ("m.01", "film.film.director", "film.film"),
    "(COUNT (AND film.film (JOIN (R film.director.film) m.01)))": ("m.01", "film.director.film", "film.film"),
    "(ARGMAX film.film (JOIN film.film.cut (R film.cut.length)))": ("", "film.cut.length film.film.cut", "film.film"),
    "(ARGMIN (AND film.film film.work) film.film.year)": ("", "film.film.year", "film.film film.work"),
    '(AND a.b (ge a.b.size "5"^^http://www.w3.org/2001/XMLSchema#float))': ("", "a.b.size", "a.b"),
    "(JOIN film.film.year 2010^^http://www.w3.org/2001/XMLSchema#gYear)": ("", "film.film.year", ""),
    "(AND a.b (AND (JOIN a.b.c g.1x) (JOIN a.b.d (JOIN a.e.f m.02))))": ("g.1x m.02", "a.b.c a.b.d a.e.f", "a.b"),
}


@pytest.mark.parametrize("program", SEXPRESSIONS)
def test_an_s_expression_names_by_its_functions(program: str) -> None:
    assert shown(names_of(program, "sexpression", {}, FREEBASE), FREEBASE) == SEXPRESSIONS[program]


def test_without_a_look_of_entities_they_are_the_ends_of_joins() -> None:
    plain = find_profile("plain")
    named = names_of("(AND Film (JOIN directed_by (AND Person (JOIN born_in Rome))))", "sexpression", {}, plain)
    assert shown(named, plain) == ("Rome", "born_in directed_by", "Film Person")


QUERIES = {
    "SELECT ?x WHERE { ?x dbo:country dbr:Peru . }": ("Peru", "dbo:country", ""),
    "PREFIX o: <http://dbpedia.org/ontology/> ASK { dbr:Ann o:age 1.5 . dbr:Bo o:size 7 }": (
        "Ann Bo",
        "dbo:age dbo:size",
        "",
    ),
    "SELECT * { ?x a dbo:City, dbo:Town ; rdf:type dbo:Place ; dbo:near dbr:Rome . dbr:Rome dbo:in ?y }": (
        "Rome",
        f"dbo:in dbo:near {A}",
        "dbo:City dbo:Place dbo:Town",
    ),
    "SELECT * { ?x ^dbo:a/(dbo:b|!dbo:c)*/dbo:d+ dbr:X . ?y dbo:e? dbr:Y }": (
        "X Y",
        "dbo:a dbo:b dbo:c dbo:d dbo:e",
        "",
    ),
    "SELECT ?x { ?x a/rdfs:subClassOf* dbo:Agent }": ("", f"{A} rdfs:subClassOf", "dbo:Agent"),
    "SELECT (COUNT(?x) AS ?n) { VALUES ?x { dbr:A dbr:B } FILTER(?x != dbr:C && xsd:integer(?y) > 5) ?x dbo:p ?y }": (
        "A B C",
        "dbo:p",
        "",
    ),
    "SELECT ?x { { ?x dbo:p dbr:A } UNION { dbr:B dbo:q ?x } OPTIONAL { ?x dbo:r [ dbo:s dbr:C ; a dbo:K ] } }": (
        "A B C",
        f"dbo:p dbo:q dbo:r dbo:s {A}",
        "dbo:K",
    ),
    "SELECT ?x { ?x dbo:p ?y FILTER NOT EXISTS { ?x dbo:q dbr:A } FILTER regex(?y, 'dbr:Z') ?x dbo:r ?z }": (
        "A",
        "dbo:p dbo:q dbo:r",
        "",
    ),
    '# dbr:No\nSELECT ?x { ?x rdfs:label "dbr:No"@en-us ; dbo:d "5"^^xsd:integer . ?x dbo:e true }': (
        "",
        "dbo:d dbo:e rdfs:label",
        "",
    ),
    "SELECT ?x { GRAPH <http://g/> { ?x dbo:p dbr:A } SERVICE <http://s/> { ?x dbo:no dbr:No } ?x dbo:q dbr:B }": (
        "A B",
        "dbo:p dbo:q",
        "",
    ),
    "SELECT ?x { { SELECT ?x (MAX(?y) AS ?m) WHERE { ?x dbo:p ?y } GROUP BY ?x ORDER BY ?m LIMIT 1 } ?x a dbo:K }": (
        "",
        f"dbo:p {A}",
        "dbo:K",
    ),
    "SELECT ?x { BIND(dbr:A AS ?y) VALUES (?x ?z) { (dbr:B dbr:C) } ?x dbo:p (dbr:D dbr:E) . dbr:F dbo:q ?y }": (
        "A B C D E F",
        "dbo:p dbo:q",
        "",
    ),
    "SELECT ?x { dbr:A ?p ?x . ?x ?q dbr:B . <http://dbpedia.org/resource/Caf%C3%A9> dbo:p ?x }": (
        "<http://dbpedia.org/resource/Caf%C3%A9> A B",
        "dbo:p",
        "",
    ),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_names_by_the_places_of_its_triples(query: str) -> None:
    assert shown(names_of(query, None, {}, DBPEDIA), DBPEDIA) == QUERIES[query]


def test_dotted_names_and_those_of_the_type_predicate_of_a_profile_are_read() -> None:
    query = (
        "PREFIX : <http://rdf.freebase.com/ns/> SELECT ?x { ?x :type.object.type :film.film . ?x :film.film.a :m.01 }"
    )
    assert shown(names_of(query, None, {}, FREEBASE), FREEBASE) == (
        "m.01",
        "film.film.a type.object.type",
        "film.film",
    )
    query = "SELECT ?x { ?x wdt:P31/wdt:P279* wd:Q5 ; p:P39 [ ps:P39 wd:Q7 ; pq:P580 ?y ] . }"
    assert shown(names_of(query, None, {}, WIKIDATA), WIKIDATA) == (
        "Q7",
        "p:P39 pq:P580 ps:P39 wdt:P279 wdt:P31",
        "Q5",
    )


def test_a_prefix_that_is_nowhere_declared_is_said() -> None:
    with pytest.raises(RecombineError, match="column 13: the prefix 'no' is not known"):
        names_of("ASK { ?x ?y no:no }", None, {}, DBPEDIA)


def test_queries_of_cfq_name_all_but_their_placeholders() -> None:
    query = "SELECT DISTINCT ?x0 WHERE { ?x0 a ns:film.actor . M0 film.a.b|ns:film.c.d/^film.e.f ?x0 . "
    query += "?x0 people.person.gender m_05zppz . FILTER ( ?x0 != M1 ) }"
    named = names_of(query, "sparql", {}, FREEBASE)
    relations = "film.a.b film.c.d film.e.f people.person.gender rdf:type"
    assert shown(named, FREEBASE) == ("m.05zppz", relations, "film.actor")
    assert named.placeholders == 2


def test_fields_beside_an_example_hold_names_as_they_stand() -> None:
    beside = {
        "topic": '"Heroes"',
        "answers": ["a:b", "http://dbpedia.org/resource/Rome"],
        "relations": "of",
        "other": "x",
    }
    named = names_of("a:b|Rome", None, beside, DBPEDIA)
    assert {term.key for term in named.entities} == {'="Heroes"', "=a:b", "=Rome"}
    assert {term.key for term in named.relations} == {"=of"}
    with pytest.raises(RecombineError, match="what it names cannot be told"):
        names_of("I_JUMP", None, {"other": "x"}, DBPEDIA)


def _queries() -> Iterator[tuple[str, str, str]]:
    with gzip.open(data_directory() / "kb/qald.jsonl.gz") as stream:
        for line in stream:
            row = orjson.loads(line)
            yield row["id"], row["kb"], row["sparql"]


@pytest.mark.slow
@pytest.mark.shared_data
def test_the_relations_of_real_queries_are_those_that_rdflib_sees() -> None:
    from rdflib import URIRef
    from rdflib.paths import Path as PropertyPath
    from rdflib.plugins.sparql import prepareQuery
    from rdflib.plugins.sparql.parserutils import CompValue

    def steps(relation: Any) -> Iterator[str]:
        if isinstance(relation, URIRef):
            yield str(relation)
        elif isinstance(relation, PropertyPath):
            for part in getattr(relation, "args", None) or [getattr(relation, "arg", None) or relation.path]:
                yield from steps(part)

    def triples(node: Any) -> Iterator[tuple[Any, Any, Any]]:
        if isinstance(node, CompValue):
            for key, value in node.items():
                if key == "triples":
                    for block in value:  # within a filter several triples are one list
                        yield from zip(*(iter(block),) * 3, strict=True)
                else:
                    yield from triples(value)
        elif isinstance(node, list | tuple):
            for each in node:
                yield from triples(each)

    compared = 0
    for key, kb, query in _queries():
        profile = find_profile(kb)
        try:
            algebra = prepareQuery(query, initNs=dict(profile.prefixes)).algebra
        except Exception:  # noqa: S112  # what rdflib does not read is not compared, and counted below
            continue
        if "SERVICE" in query.upper():
            continue
        theirs = list(triples(algebra))
        ours = names_of(query, None, {}, profile)
        assert {profile.expand(term) for term in ours.relations} == {
            step for _, relation, _ in theirs for step in steps(relation)
        }, key
        ends = {str(end) for s, _, t in theirs for end in (s, t) if isinstance(end, URIRef)}
        assert ends <= {profile.expand(term) for term in ours.entities | ours.classes}, key
        compared += 1
    assert compared >= 500
