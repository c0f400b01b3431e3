"""Stores of pyoxigraph against rdflib and against sets, with names that are hard to write."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph
import pytest
import rdflib
from random_facts import PROFILE, XSD, Fact, batches_of, path_query, random_facts, random_path

from recombine.errors import AnswerError, KnowledgeBaseError
from recombine.kb.base_names import iri_of_name, named
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore, StoreReadError, add_facts
from recombine.kb.store import Step
from recombine.kb.term import BLANK, LITERAL, NAME, Term


def rdflib_term(term: Term) -> Any:
    if term.kind == LITERAL:
        datatype = rdflib.URIRef(term.datatype) if term.datatype else None
        return rdflib.Literal(term.text, lang=term.language or None, datatype=datatype, normalize=False)
    if term.kind == BLANK:
        return rdflib.BNode(term.text)
    return rdflib.URIRef(iri_of_name(term.text, PROFILE.base) if term.kind == NAME else term.text)


def of_rdflib(value: Any) -> Term | None:
    if value is None:
        return None
    if isinstance(value, rdflib.Literal):
        return Term.literal(str(value), datatype=str(value.datatype or ""), language=value.language or "")
    return named(Term.iri(str(value)), PROFILE.base)


def rdflib_graph(facts: list[Fact]) -> rdflib.Graph:
    graph = rdflib.Graph()
    for fact in facts:
        graph.add(tuple(rdflib_term(Term.of_key(key)) for key in fact))
    return graph


QUERIES = (
    "SELECT ?s ?o { ?s <http://example.org/film.director.film> ?o }",
    "SELECT DISTINCT ?a ?c { ?a ns:r1 ?b . ?b ns:r2 ?c }",
    "SELECT ?r (COUNT(*) AS ?n) { ?s ?r ?o } GROUP BY ?r",
    "SELECT ?s (SUM(?o) AS ?n) { ?s ns:r3 ?o FILTER(isNumeric(?o)) } GROUP BY ?s",
    "SELECT ?s ?o { ?s ns:r1 ?x OPTIONAL { ?x ns:r4 ?o } }",
    "SELECT DISTINCT ?s { ?s ns:r1+ <http://example.org/brace%20%7Bx%7D%20%7D> }",
    'SELECT ?s { ?s ?r "say \\"hi\\"\\n" }',
    'SELECT ?s ?o { ?s ?r ?o FILTER(lang(?o) = "de") }',
    "SELECT ?s ?o { { ?s ns:r1 ?o } UNION { ?o ns:r2 ?s } MINUS { ?s ns:r3 ?o } }",
    "SELECT DISTINCT ?s { ?s ?r ?o FILTER NOT EXISTS { ?s ns:r5 ?z } }",
)


def sorted_rows(rows: list[tuple[Term | None, ...]]) -> list[list[str]]:
    return sorted([["" if term is None else term.key for term in row] for row in rows])


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_rdflib(seed: int) -> None:
    facts = random_facts(seed, facts=200, nodes=30)
    store = OxigraphStore.of_batches(batches_of(facts), PROFILE)
    graph = rdflib_graph(facts)
    for query in QUERIES:
        table = store.select(query)
        result = graph.query(query, initNs=dict(PROFILE.prefixes))
        assert list(table.variables) == [str(variable) for variable in result.vars or ()]
        there = [tuple(of_rdflib(value) for value in row) for row in result]
        assert sorted_rows(table.rows) == sorted_rows(there), query
    chance = np.random.default_rng(seed)
    for _ in range(20):
        start = Term.of_key(facts[int(chance.integers(len(facts)))][0])
        query = path_query(start, random_path(store, start, 2, chance), PROFILE.base)
        there = [tuple(of_rdflib(value) for value in row) for row in graph.query(query)]
        assert sorted_rows(store.select(query).rows) == sorted_rows(there), query


@pytest.mark.parametrize("seed", range(3))
def test_hops_are_those_of_sets(seed: int) -> None:
    facts = [*random_facts(seed), ("_b1", "=r1", "=n10"), ("=n11", "=r1", "_b1")]
    store = OxigraphStore.of_keys(facts, PROFILE)
    terms = {Term.of_key(key) for subject, _, target in facts for key in (subject, target)}
    relations = sorted({Term.of_key(relation) for _, relation, _ in facts})
    triples = [tuple(Term.of_key(key) for key in fact) for fact in facts]
    for term in sorted(terms):
        leaving = {(along, there) for here, along, there in triples if here == term}
        arriving = {(along, here) for here, along, there in triples if there == term}
        for inverse, edges in ((False, leaving), (True, arriving)):
            assert store.neighbours(term, inverse=inverse) == by_key({there for _, there in edges})
            counts = store.relations(term, inverse=inverse)
            assert list(counts) == by_key(counts)
            assert counts == {r: n for r in relations if (n := sum(along == r for along, _ in edges))}
            for relation in relations:
                there = by_key({there for along, there in edges if along == relation})
                assert store.neighbours(term, relation, inverse=inverse) == there
                assert store.follow([term], [Step(relation, inverse)]) == there
        assert store.count(target=term) == len(arriving)
        assert store.count(term) == len(leaving)
    assert store.count() == len(facts)
    assert store.follow(terms, []) == by_key(terms)
    assert store.count(relation=Term.literal("x")) == store.count(relation=Term.blank("x")) == 0


def by_key(terms: Any) -> list[Term]:
    return sorted(terms, key=lambda term: term.key)


def test_a_name_and_its_iri_are_one_term() -> None:
    store = OxigraphStore.of_keys([("<http://example.org/a%20b", "=r", "=c")], PROFILE)
    assert store.neighbours(Term.name("a b")) == store.neighbours(Term.iri("http://example.org/a%20b"))
    assert store.neighbours(Term.name("c"), inverse=True) == [Term.name("a b")]


def test_numbers_are_kept_by_value() -> None:
    # What pyoxigraph does, and the docstring says.
    store = OxigraphStore.of_keys([("=a", "=r", f'"01\0{XSD}integer'), ("=a", "=s", f'"007\0{XSD}string')], PROFILE)
    assert store.neighbours(Term.name("a")) == [Term.literal("007"), Term.literal("1", datatype=f"{XSD}integer")]
    assert store.neighbours(Term.literal("01", datatype=f"{XSD}integer"), inverse=True) == [Term.name("a")]


@pytest.mark.parametrize(
    ("fact", "problem"),
    [
        (("<a b", "=r", "=c"), "'a b' cannot be written in RDF"),
        (("<relative", "=r", "=c"), "'relative' cannot be written in RDF"),
        (('"x\0', "=r", "=c"), "has a literal for its subject"),
        (("=a", "_r", "=c"), "no resource for its relation"),
        (("=a", "=r", '"x\0@not a language'), "cannot be written in RDF"),
    ],
)
def test_facts_that_rdf_cannot_have(fact: Fact, problem: str) -> None:
    with pytest.raises(KnowledgeBaseError, match=problem):
        OxigraphStore.of_keys([("=a", "=r", "=b"), fact], PROFILE)


def test_a_digest_is_that_of_the_facts() -> None:
    facts = random_facts(0)
    one, turned = (OxigraphStore.of_keys(each, PROFILE).digest for each in (facts, facts[::-1]))
    assert one == turned
    assert one != OxigraphStore.of_keys(facts[:-1], PROFILE).digest


def test_a_folder(tmp_path: Path) -> None:
    made = pyoxigraph.Store(str(tmp_path / "store"))
    add_facts(made, [("=a", "=r", "=b")], PROFILE)
    made.flush()
    del made
    stores = [OxigraphStore.open(tmp_path / "store", PROFILE) for _ in range(2)]
    assert [store.neighbours(Term.name("a")) for store in stores] == [[Term.name("b")]] * 2
    with pytest.raises(KnowledgeBaseError, match="cannot be opened as a store of pyoxigraph"):
        OxigraphStore.open(tmp_path, PROFILE)


def test_a_store_with_named_graphs_is_refused(tmp_path: Path) -> None:
    made = pyoxigraph.Store(str(tmp_path / "store"))
    node = pyoxigraph.NamedNode("http://example.org/a")
    made.add(pyoxigraph.Quad(node, node, node, node))
    made.flush()
    del made
    with pytest.raises(KnowledgeBaseError, match="has named graphs"):
        OxigraphStore.open(tmp_path / "store", PROFILE)


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "facts.nt").write_text("<http://example.org/a> <http://example.org/r> <http://example.org/b> .\n")
    store = OxigraphStore.of_files(tmp_path / "facts.nt", PROFILE)
    assert store.neighbours(Term.name("a")) == [Term.name("b")]
    built = OxigraphStore.build(batches_of([("=a", "=r", "=b")]), tmp_path / "store", PROFILE)
    assert built.digest == store.digest
    with pytest.raises(KnowledgeBaseError, match="is there already"):
        OxigraphStore.build(batches_of([("=a", "=r", "=c")]), tmp_path / "store", PROFILE)
    with pytest.raises(KnowledgeBaseError, match="cannot be written in RDF"):
        OxigraphStore.build(batches_of([("=a", "=r", "<c")]), tmp_path / "other", PROFILE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["facts.nt", "store"]


def test_a_query_that_takes_too_long() -> None:
    facts = [(f"=n{number}", "=r", f"=n{number * 7 % 997}") for number in range(1000)]
    store = OxigraphStore.of_keys(facts, PROFILE, time_out=0.3)
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d FILTER(MD5(CONCAT(STR(?a), STR(?d))) = 'x') }"
    begin = time.monotonic()
    with pytest.raises(AnswerError, match=r"took more than 0\.3 s"):
        store.select(slow)
    assert time.monotonic() - begin < 5
    with pytest.raises(AnswerError, match=r"took more than 0\.3 s"):
        store.ask(f"ASK {{ {{ {slow} }} FILTER(?n > 5) }}")
    assert store.select("SELECT ?x { ns:n1 ns:r ?x }").rows == [(Term.name("n7"),)]


def test_a_store_that_cannot_be_read() -> None:
    class Broken:
        def query(self, *_: Any, **__: Any) -> Any:
            raise OSError("Corruption: block checksum mismatch")

        def quads_for_pattern(self, *_: Any) -> Any:
            raise OSError("Corruption: block checksum mismatch")

    store = OxigraphStore(Broken(), PROFILE, digest="x")
    with pytest.raises(StoreReadError, match="checksum mismatch"):
        store.select("SELECT * {}")
    with pytest.raises(StoreReadError, match="checksum mismatch"):
        store.neighbours(Term.name("a"))


def test_pyoxigraph_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    with pytest.raises(KnowledgeBaseError, match=r'SPARQL needs pyoxigraph; install it: pip install "recombine\[kb\]"'):
        OxigraphStore.of_keys([], PROFILE)
