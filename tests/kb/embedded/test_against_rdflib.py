"""The embedded index gives what rdflib gives, on random graphs and random questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts_of import XSD, Fact, number, store_of

from recombine.kb.base_names import iri_of_name, named
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.store import Step
from recombine.kb.term import IRI, NAME, Term

rdflib = pytest.importorskip("rdflib")

BASE = "http://example.org/"
NODES = [Term.name(each) for each in ("a", "b", "Ang Lee", "50% {off}", 'the "x"', "new\nline", "é|ü", "#1")]
NODES += [Term.iri("http://other.org/x"), Term.iri("http://other.org/y"), Term.blank("b1")]
RELATIONS = [Term.name("p"), Term.name("q r"), Term.iri("http://other.org/s")]
VALUES = {
    "number": [number(each) for each in ("-3", "0", "7", "07", "+7", "12", "9007199254740993", "9007199254740992")]
    + [number(each, "decimal") for each in ("0.5", "7.0", "-2.25", ".5")]
    + [number(each, "double") for each in ("7e0", "1.25E1", "-INF", "INF")]
    + [number("7", "byte"), number("0.25", "float")],
    "moment": [number(each, "dateTime") for each in ("1999-12-31T23:00:00Z", "2000-01-01T01:30:00+02:00")]
    + [number(each, "dateTime") for each in ("2000-01-01T00:00:00Z", "1999-12-31T23:30:00.5Z", "2004-02-29T12:00:00Z")],
    "text": [Term.literal(each) for each in ("", "a", "ab", "b", 'say "x"', "é", "z\n")],
    "boolean": [number(each, "boolean") for each in ("true", "false", "1", "0")],
}
OTHERS = [Term.literal("chat", language="fr"), number("x"), number("P1D", "duration"), number("NaN", "double")]
OPERATORS = ("<", "<=", ">", ">=", "=", "!=")


@pytest.fixture(autouse=True)
def _literals_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


def their(term: Term) -> Any:
    """A term as rdflib has it."""
    if term.kind == '"':
        return rdflib.Literal(term.text, datatype=term.datatype or None, lang=term.language or None, normalize=False)
    if term.kind == "_":
        return rdflib.BNode(term.text)
    return rdflib.URIRef(iri_of_name(term.text, BASE) if term.kind == NAME else term.text)


def ours(node: Any) -> Term:
    """A node of rdflib's as a term."""
    if isinstance(node, rdflib.Literal):
        return Term.literal(str(node), datatype=str(node.datatype or ""), language=node.language or "")
    if isinstance(node, rdflib.BNode):
        return Term.blank(str(node))
    return named(Term(IRI, str(node)), BASE)


def random_facts(rng: np.random.Generator, values: list[Term], count: int) -> list[Fact]:
    targets = NODES + values + OTHERS

    def some(of: list[Term]) -> Term:
        return of[int(rng.integers(len(of)))]

    return [(some(NODES), some(RELATIONS), some(targets)) for _ in range(count)]


def graph_of(facts: list[Fact]) -> Any:
    graph = rdflib.Graph()
    for fact in facts:
        graph.add(tuple(map(their, fact)))
    return graph


def asked(graph: Any, query: str, **bound: Any) -> list[Term]:
    """The distinct terms of the one variable of a query, by their keys."""
    return sorted({ours(row[0]) for row in graph.query(query, initBindings=bound)}, key=lambda term: term.key)


def walked(graph: Any, starts: set[Any], path: list[Step]) -> list[Term]:
    for relation, inverse in path:
        along = their(relation)
        starts = {
            end for node in starts for end in (graph.subjects(along, node) if inverse else graph.objects(node, along))
        }
    return sorted(map(ours, starts), key=lambda term: term.key)


def random_path(rng: np.random.Generator, most: int = 3) -> list[Step]:
    length = int(rng.integers(1, most + 1))
    return [Step(RELATIONS[int(rng.integers(3))], bool(rng.integers(2))) for _ in range(length)]


def made(
    tmp_path: Path, seed: int, family: str = "number"
) -> tuple[EmbeddedStore, Any, list[Fact], np.random.Generator]:
    rng = np.random.default_rng(seed)
    facts = random_facts(rng, VALUES[family], int(rng.integers(5, 90)))
    return store_of(facts, tmp_path / "index"), graph_of(facts), facts, rng


@pytest.mark.parametrize("seed", range(12))
def test_hops_and_counts(seed: int, tmp_path: Path) -> None:
    store, graph, facts, rng = made(tmp_path, seed)
    terms = sorted({term for fact in facts for term in fact}, key=lambda term: term.key)
    assert len(store) == len(graph) == len(set(facts))
    for term in terms:
        node = their(term)
        for inverse in (False, True):
            near = set(graph.subjects(None, node) if inverse else graph.objects(node, None))
            assert store.neighbours(term, inverse=inverse) == sorted(map(ours, near), key=lambda each: each.key)
            for relation in RELATIONS:
                step = [Step(relation, inverse)]
                assert store.neighbours(term, relation, inverse=inverse) == walked(graph, {node}, step)
            relations = [ours(p) for s, p, o in graph if (o if inverse else s) == node]
            expected = {each: relations.count(each) for each in sorted(set(relations), key=lambda each: each.key)}
            assert list(store.relations(term, inverse=inverse).items()) == list(expected.items())
    for _ in range(40):
        starts = [terms[int(place)] for place in rng.integers(len(terms), size=int(rng.integers(1, 4)))]
        path = random_path(rng)
        assert store.follow(starts, path) == walked(graph, set(map(their, starts)), path)
    for fact in [*facts[:5], (terms[0], RELATIONS[0], terms[-1])]:
        for given in range(8):
            some = [term if given >> place & 1 else None for place, term in enumerate(fact)]
            nodes = tuple(None if term is None else their(term) for term in some)
            assert store.count(*some) == len(list(graph.triples(nodes)))


@pytest.mark.parametrize("seed", range(6))
def test_joins_by_sparql(seed: int, tmp_path: Path) -> None:
    store, graph, _, rng = made(tmp_path, 100 + seed)
    for _ in range(10):
        (one, _), (other, _), (third, back) = (random_path(rng, 1)[0] for _ in range(3))
        steps = [np.array([store.id(each)], np.int64) for each in (one, other, third)]
        subjects = [store.along(int(step[0])) if step[0] >= 0 else np.empty(0, np.int32) for step in steps[:2]]
        joined = store.intersection(*subjects)
        query = "SELECT ?x { ?x ?one ?y . ?x ?other ?z }"
        assert store.terms(joined) == asked(graph, query, one=their(one), other=their(other))
        where = "?y ?third ?x" if not back else "?x ?third ?y"
        query = f"SELECT ?y {{ ?x ?one ?a . ?x ?other ?b . {where} }}"
        if steps[2][0] >= 0:
            reached = store.follow_ids(joined, ~steps[2] if not back else steps[2])
            assert store.terms(reached) == asked(graph, query, one=their(one), other=their(other), third=their(third))


@pytest.mark.parametrize("family", sorted(VALUES))
@pytest.mark.parametrize("seed", range(3))
def test_comparisons_and_superlatives_by_sparql(family: str, seed: int, tmp_path: Path) -> None:
    store, _, facts, rng = made(tmp_path, 200 + seed, family)
    relation = facts[0][1]
    step = np.array([store.id(relation)], np.int64)
    subjects = store.along(int(step[0]))
    some = subjects[rng.random(len(subjects)) < 0.6]
    # rdflib has an order across types, where SPARQL has an error, so that it is asked with values of one family alone.
    only = graph_of([fact for fact in facts if fact[2] in VALUES[family]])
    for value in VALUES[family]:
        for operator in OPERATORS:
            query = f"SELECT ?x {{ ?x ?p ?v . FILTER(isLiteral(?v) && ?v {operator} ?c) }}"
            expected = asked(only, query, p=their(relation), c=their(value))
            assert store.terms(store.compare(step, operator, value)) == expected  # type: ignore[arg-type]
            among = store.terms(store.compare(step, operator, value, among=some))  # type: ignore[arg-type]
            assert among == [each for each in expected if each in store.terms(some)]
    for better, chosen in ((">", store.argmax), ("<", store.argmin)):
        query = (
            f"SELECT ?x {{ ?x ?p ?v . FILTER(isLiteral(?v)) "
            f"FILTER NOT EXISTS {{ ?y ?p ?w . FILTER(isLiteral(?w) && ?w {better} ?v) }} }}"
        )
        assert store.terms(chosen(step, family=family)) == asked(only, query, p=their(relation))


def test_the_types_of_the_graphs_are_xml_schemas() -> None:
    assert all(term.datatype.startswith(XSD) for values in VALUES.values() for term in values if term.datatype)
