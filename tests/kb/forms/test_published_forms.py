"""GrailQA's 600 items in three notations, 700 S-expressions more, and QALD's queries."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.errors import FormError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import GRAILQA, GRAPH, SEMANTICS, SEXPRESSION, SPARQL, Converted, SExpression
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.write_form import write_form
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.ontology.ontology import Ontology
from recombine.kb.ontology.read_commons import read_commons
from recombine.kb.profiles.find_profile import find_profile
from recombine.languages.sexpression import parse_sexpression, render_sexpression

pytestmark = pytest.mark.shared_data
FREEBASE = find_profile("freebase")


def rows(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


@pytest.fixture(scope="module")
def items(data_dir: Path) -> list[dict[str, Any]]:
    found = rows(data_dir / "grailqa" / "items.jsonl.gz")
    assert len(found) == 600
    return found


@pytest.fixture(scope="module")
def ontology(data_dir: Path) -> Ontology:
    return read_commons(data_dir / "grailqa" / "ontology")


def text_of(done: Converted) -> str:
    assert isinstance(done.form, SExpression)
    return render_sexpression(done.form.tree)


def test_graph_queries_are_written_as_they_are_read(items: list[dict[str, Any]]) -> None:
    for item in items:
        value = item["graph_query"]
        assert write_form(read_form(value, GRAPH, FREEBASE), FREEBASE) == value


@pytest.mark.parametrize(("notation", "field"), [(GRAPH, "graph_query"), (SPARQL, "sparql_query")])
def test_s_expressions_are_the_published_ones_byte_for_byte(
    items: list[dict[str, Any]], ontology: Ontology, notation: str, field: str
) -> None:
    """The losses are the two shared nodes and the eleven narrower classes that the issue names, and no others."""
    losses: Counter[str] = Counter()
    for item in items:
        form = read_form(item[field], notation, FREEBASE)
        done = convert(form, SEXPRESSION, profile=FREEBASE, implies=ontology.implies)
        assert text_of(done) == item["s_expression"]
        losses.update(loss.kind for loss in done.losses)
        assert (done.semantics == GRAILQA) == (notation == SPARQL)
    assert losses == {"class in the middle": 11, "shared node": 2}


def test_without_an_ontology_all_classes_in_the_middle_are_named(items: list[dict[str, Any]]) -> None:
    """151 that a relation implies, and 11 narrower ones."""
    losses: Counter[str] = Counter()
    for item in items:
        done = convert(read_form(item["graph_query"], GRAPH, FREEBASE), SEXPRESSION, profile=FREEBASE)
        losses.update(loss.kind for loss in done.losses)
    assert losses == {"class in the middle, perhaps implied": 151 + 11, "shared node": 2}


def without_entity_classes(graph: dict[str, Any]) -> dict[str, Any]:
    nodes = [
        {
            key: value
            for key, value in node.items()
            if key != "friendly_name" and (key != "class" or node["node_type"] == "class")
        }
        for node in graph["nodes"]
    ]
    edges = [{key: value for key, value in edge.items() if key != "friendly_name"} for edge in graph["edges"]]
    return {"nodes": nodes, "edges": edges}


def test_sparql_becomes_the_published_graph_query(items: list[dict[str, Any]]) -> None:
    for item in items:
        done = convert(read_form(item["sparql_query"], SPARQL, FREEBASE), GRAPH, profile=FREEBASE)
        graph = write_form(done.form, FREEBASE)
        assert isinstance(graph, dict)
        assert without_entity_classes(graph) == without_entity_classes(item["graph_query"])
        assert done.losses == ()


def test_the_published_query_is_what_its_semantics_writes(items: list[dict[str, Any]]) -> None:
    """The same tree as that of the published text, which has other names of the same things."""
    for item in items:
        graph = read_form(item["graph_query"], GRAPH, FREEBASE)
        written = convert(graph, SPARQL, profile=FREEBASE, semantics=GRAILQA).form
        again = read_form(write_form(written, FREEBASE), SPARQL, FREEBASE)
        assert again.tree == read_form(item["sparql_query"], SPARQL, FREEBASE).tree  # type: ignore[union-attr]


def test_s_expressions_come_back_from_both(items: list[dict[str, Any]], data_dir: Path, ontology: Ontology) -> None:
    strict = Canonical(ontology, FREEBASE)
    texts = [item["s_expression"] for item in items]
    texts += [row["s_expression"] for row in rows(data_dir / "grailqa" / "kg_sexpr.jsonl.gz")]
    assert len(texts) == 1300
    for text in texts:
        form = SExpression(parse_sexpression(text))
        for notation, semantics in [(GRAPH, None), *((SPARQL, each) for each in SEMANTICS)]:
            there = convert(form, notation, profile=FREEBASE, semantics=semantics)
            read = read_form(write_form(there.form, FREEBASE), notation, FREEBASE)
            back = convert(read, SEXPRESSION, profile=FREEBASE, implies=ontology.implies)
            assert (there.losses, back.losses) == ((), ())
            assert strict.of_text(text_of(back)) == strict.of_text(text)


@pytest.mark.parametrize(("name", "queries", "convertible"), [("dbpedia", 150, 103), ("wikidata", 394, 226)])
def test_queries_of_other_knowledge_bases(name: str, queries: int, convertible: int, data_dir: Path) -> None:
    """Those that are patterns go to S-expressions and back; the others say why they stay SPARQL."""
    profile = find_profile(name)
    by_syntax = Canonical(None, profile)
    asked = [row["sparql"] for row in rows(data_dir / "kb" / "qald.jsonl.gz") if row["kb"] == name]
    assert len(asked) == queries
    asks = sum(re.search(r"\bASK\b", text, re.IGNORECASE) is not None for text in asked)
    converted, reasons = 0, Counter[str]()
    for text in asked:
        try:
            done = convert(read_form(text, SPARQL, profile), SEXPRESSION, profile=profile, keep_classes=True)
        except FormError as error:
            reasons[error.problem] += 1
            continue
        converted += 1
        word = text_of(done)
        query = write_form(convert(read_form(word, SEXPRESSION, profile), SPARQL, profile=profile).form, profile)
        back = convert(read_form(query, SPARQL, profile), SEXPRESSION, profile=profile, keep_classes=True)
        assert back.losses == ()
        assert by_syntax.of_text(text_of(back)) == by_syntax.of_text(word)
    assert converted == convertible
    assert reasons["ASK has no other notation"] == asks
    assert sum(reasons.values()) == queries - convertible
