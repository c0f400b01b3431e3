"""Queries as people write them become queries that pyoxigraph takes; strings, comments and IRIs stay as they are."""

from __future__ import annotations

from pathlib import Path

import orjson
import pyoxigraph
import pytest

from recombine.errors import AnswerError
from recombine.files import read_text
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.oxigraph.standard_query import standard_query
from recombine.kb.profiles.profile import Profile

NS = {"ns": "http://x/"}


@pytest.mark.parametrize(
    ("given", "standard"),
    [
        ("ASK { ns:film.director.film ?p ?o }", "ASK { <http://x/film.director.film> ?p ?o }"),
        ("ASK { ?s ns:a.b.c ?o. }", "ASK { ?s <http://x/a.b.c> ?o. }"),
        ("ASK { ?s ?p ns:a.b.c. ?s ?p ns:d.e.f .}", "ASK { ?s ?p <http://x/a.b.c>. ?s ?p <http://x/d.e.f> .}"),
        ("ASK { ?s ns:a.b.c/^ns:d.e|ns:f ?o }", "ASK { ?s <http://x/a.b.c>/^<http://x/d.e>|ns:f ?o }"),
        ("ASK { ?s ns:a\\.b.c\\-d ?o }", "ASK { ?s <http://x/a.b.c-d> ?o }"),
        ('ASK { ?s ?p "ns:a.b.c" }', 'ASK { ?s ?p "ns:a.b.c" }'),
        ("ASK { ?s ?p 'it''s', '''ns:a.b.c' ''' }", "ASK { ?s ?p 'it''s', '''ns:a.b.c' ''' }"),
        ('ASK { ?s ?p """ns:a.b.c "" " \\""""  }', 'ASK { ?s ?p """ns:a.b.c "" " \\""""  }'),
        ('ASK { ?s ?p "\\"ns:a.b.c" }', 'ASK { ?s ?p "\\"ns:a.b.c" }'),
        ("ASK { ?s ?p ?o # ns:a.b.c\n }", "ASK { ?s ?p ?o # ns:a.b.c\n }"),
        ("ASK { <ns:a.b.c> ?p <http://x#ns:a.b.c> }", "ASK { <ns:a.b.c> ?p <http://x#ns:a.b.c> }"),
        ("ASK { ?s ?p ?o FILTER(?o < 5 && ?o>ns:a.b.c) }", "ASK { ?s ?p ?o FILTER(?o < 5 && ?o><http://x/a.b.c>) }"),
        ("PREFIX ns: <http://y/> ASK { ns:a.b.c ?p 1.5 }", "PREFIX ns: <http://y/> ASK { <http://y/a.b.c> ?p 1.5 }"),
        ("PREFIX : <http://y/> ASK { :a.b.c ?p _:a.b.c }", "PREFIX : <http://y/> ASK { <http://y/a.b.c> ?p _:a.b.c }"),
        ("ASK { other:a.b.c ?p ?o }", "ASK { other:a.b.c ?p ?o }"),
        ("SELECT count(*) WHERE { ?s ?p ?o }", "SELECT (count(*) AS ?count) WHERE { ?s ?p ?o }"),
        ("SELECT COUNT(DISTINCT ?s) { ?s ?p ?o }", "SELECT (COUNT(DISTINCT ?s) AS ?count) { ?s ?p ?o }"),
        ("SELECT count(?s) AS ?n { ?s ?p ?o }", "SELECT (count(?s) AS ?n) { ?s ?p ?o }"),
        ("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"),
        ("SELECT count(*) count(?count) { ?count ?p 1 }",
         "SELECT (count(*) AS ?count1) (count(?count) AS ?count2) { ?count ?p 1 }"),
        ("SELECT ?s { ?s ?p ?o } HAVING (COUNT(*) > 1)", "SELECT ?s { ?s ?p ?o } HAVING (COUNT(*) > 1)"),
    ],
)  # fmt: skip
def test_rewriting(given: str, standard: str) -> None:
    assert standard_query(given, NS).text == standard
    if "'it''s'" not in given and "other:" not in given and "HAVING" not in given:
        pyoxigraph.Store().query(standard, prefixes=NS)


STORE = OxigraphStore.of_keys([("=a", "=r", "=b")], Profile("mine", "http://x/", NS))


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("SELECT * {\n  ns:a ns:r }", r"the query, line 2, column 13: SPARQL does not go on with '}'"),
        # The place is that of the query as it was given, and not of the longer one that is run.
        ("SELECT * { ns:a.b.c ns:a.b.c }", r"line 1, column 30: SPARQL does not go on with '}'"),
        (
            "SELECT * { ns:a.b.c ns:a.b.c ?x .\n ns:a.b.c ns:b.c.d }",
            r"line 2, column 20: SPARQL does not go on with '}'",
        ),
        ("SELECT * { ?s not:known ?o }", r"line 1, column 24: a prefix is not declared"),
        ("SELECT * { ?s ?p ?o", r"line 1, column 20: it ends before it is whole"),
        ("", r"line 1, column 1: it ends"),
        ("SELECT * { SERVICE <http://y/> { ?s ?p ?o } }", r"line 1, column 12: SERVICE asks another server"),
        ("SELECT *\nFROM <http://y/> { ?s ?p ?o }", r"line 2, column 1: FROM names a graph"),
        ("SELECT * { GRAPH ?g { ?s ?p ?o } }", r"line 1, column 12: GRAPH names a graph"),
        ("ASK {}", "the query is no SELECT"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "the query is no SELECT"),
        ("DELETE WHERE { ?s ?p ?o }", "line 1"),
        ("SELECT (<http://x/f>(1) AS ?x) {}", "the query failed .*custom function"),
    ],
)
def test_what_is_wrong_and_where(query: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem) as caught:
        STORE.select(query)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert STORE.count() == 1


def test_an_ask_is_no_select() -> None:
    assert STORE.ask("ASK { ns:a ns:r ns:b }")
    assert not STORE.ask("ASK { ns:b ns:r ns:a }")
    with pytest.raises(AnswerError, match="no ASK"):
        STORE.ask("SELECT * {}")


@pytest.mark.shared_data
def test_published_queries_are_read(data_dir: Path) -> None:
    # The count: pyoxigraph itself reads 126 of 150 queries on DBpedia and all 394 on Wikidata. What it does not
    # read uses prefixes that DBpedia's own server knows, or is no SPARQL 1.1.
    read = {"dbpedia": 0, "wikidata": 0}
    for line in read_text(data_dir / "kb" / "qald.jsonl.gz").splitlines():
        query = orjson.loads(line)
        try:
            STORE._answered(query["sparql"])
        except AnswerError:
            continue
        read[query["kb"]] += 1
    assert read["wikidata"] >= 394 - 5
    assert read["dbpedia"] >= 126
