"""Witness worlds: the fewest facts that make answers true, on which every notation gives exactly those."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from facts_of import store_of
from forms.random_forms import random_forms
from valued_facts import PROFILE, FormMaker, valued_facts

from recombine.errors import FormError
from recombine.kb.answers.execute_sparql import column_answers
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import (
    GRAILQA,
    GRAPH,
    SEMANTICS,
    SEXPRESSION,
    GraphEdge,
    GraphNode,
    GraphQuery,
    SExpression,
)
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.forms.witness_world import witness_world
from recombine.kb.forms.write_sparql import write_sparql
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
FREEBASE = find_profile("freebase")
Fact = tuple[Term, Term, Term]


def graph_of(text: str) -> GraphQuery:
    """The graph query of an S-expression."""
    form = convert(form_of_text(text, FREEBASE), GRAPH, profile=FREEBASE).form
    assert isinstance(form, GraphQuery)
    return form


def in_short(facts: list[Fact]) -> list[str]:
    """Facts in lines."""
    return [" ".join(term.text for term in fact).replace("type.object.type", "a") for fact in facts]


def oxigraph_of(facts: list[Fact]) -> OxigraphStore:
    """Facts in pyoxigraph."""
    return OxigraphStore.of_keys([tuple(term.key for term in fact) for fact in facts], FREEBASE)


# Worked out by hand: the answers m.8 and m.9 share what else is said, and a count of 2 has two fresh things.
BY_HAND = {
    "(AND c (JOIN r m.1))": ["m.8 r m.1", "m.8 a c", "m.9 r m.1", "m.9 a c"],
    "(AND c (JOIN r (JOIN (R s) m.1)))": ["m.1 s m.w1", "m.8 r m.w1", "m.8 a c", "m.9 r m.w1", "m.9 a c"],
    f"(AND c (lt size 12^^{XSD}int))": ["m.8 size 0", "m.8 a c", "m.9 size 0", "m.9 a c"],
    f"(AND c (GE made 2009-02-28^^{XSD}date))": ["m.8 made 2010-02-28", "m.8 a c", "m.9 made 2010-02-28", "m.9 a c"],
    "(ARGMAX c size)": ["m.8 size 50", "m.8 a c", "m.9 size 50", "m.9 a c"],
    "(COUNT (AND c (JOIN r m.1)))": ["m.w1 r m.1", "m.w1 a c", "m.w2 r m.1", "m.w2 a c"],
}


@pytest.mark.parametrize(("text", "facts"), BY_HAND.items())
def test_by_hand(text: str, facts: list[str]) -> None:
    answers = [Term.name("m.8"), Term.name("m.9")] if "COUNT" not in text else [Term.literal("2")]
    assert in_short(witness_world(graph_of(text), answers, FREEBASE)) == facts


def test_decoys_by_hand() -> None:
    """Of another class, with another entity, and with the fact turned round."""
    facts = witness_world(graph_of("(AND c (JOIN r m.1))"), [Term.name("m.8")], FREEBASE, decoys=True)
    assert in_short(facts) == [
        *("m.1 r m.w4", "m.8 r m.1", "m.8 a c", "m.w1 r m.1", "m.w1 a witness.other"),
        *("m.w2 r m.w3", "m.w2 a c", "m.w4 a c"),
    ]
    smaller = witness_world(graph_of("(ARGMIN c size)"), [Term.name("m.8")], FREEBASE, decoys=True)
    assert in_short(smaller) == [
        *("m.8 size 50", "m.8 a c", "m.w1 size 10", "m.w1 a witness.other", "m.w2 size 90", "m.w2 a c"),
    ]


def test_what_is_said_twice_has_no_decoy_of_its_own() -> None:
    """Another entity at one of two equal edges is no decoy: the other edge still holds."""
    nodes = (GraphNode("class", Term.name("c")), *[GraphNode("entity", Term.name("m.1"))] * 2)
    query = GraphQuery(nodes, tuple(GraphEdge(0, place, Term.name("r")) for place in (1, 2)))
    facts = witness_world(query, [Term.name("m.8")], FREEBASE, decoys=True)
    assert in_short(facts) == ["m.8 r m.1", "m.8 a c", "m.w1 r m.1", "m.w1 a witness.other"]


def test_published_dates_have_a_zone() -> None:
    query = graph_of(f"(AND c (JOIN made 2011-02-14^^{XSD}date))")
    facts = witness_world(query, [Term.name("m.8")], FREEBASE, semantics=GRAILQA)
    assert in_short(facts) == ["m.8 made 2011-02-14", "m.8 made 2011-02-14-08:00", "m.8 a c"]


def test_no_answers_need_no_facts() -> None:
    assert witness_world(graph_of("(AND c (JOIN r m.1))"), [], FREEBASE) == []


def test_what_has_no_witness() -> None:
    # The entity itself is at the other end of its own fact, so that it is among the answers to sets.
    with pytest.raises(FormError, match="no facts have these answers alone"):
        witness_world(graph_of("(JOIN r (JOIN (R r) m.1))"), [Term.name("m.8")], FREEBASE)
    with pytest.raises(FormError, match="other answers than one number"):
        witness_world(graph_of("(COUNT c)"), [Term.name("m.8")], FREEBASE)


def every_answer(
    text: str | None, query: GraphQuery, facts: list[Fact], folder: Path
) -> Iterator[tuple[str, list[Term]]]:
    """The answers by every notation, executed and written."""
    index, oxigraph = store_of(facts, folder, profile=FREEBASE), oxigraph_of(facts)
    forms: dict[str, Any] = {GRAPH: query}
    if text is not None:
        forms[SEXPRESSION] = form_of_text(text, FREEBASE)
    for name, form in forms.items():
        yield f"{name}, embedded", index.execute(form)
        yield f"{name}, pyoxigraph", oxigraph.execute(form)
        for semantics in SEMANTICS if name == GRAPH else ("sets",):
            yield f"{name}, {semantics}", column_answers(oxigraph.select(write_sparql(form, FREEBASE, semantics)))


@pytest.mark.parametrize("decoys", [False, True])
def test_random_forms(tmp_path: Path, decoys: bool) -> None:
    """Of random S-expressions that are graph queries, most have a witness, on which all notations agree."""
    answers = [Term.name("m.x1"), Term.name("m.x2")]
    made = 0
    for number, tree in enumerate(random_forms(11, 80)):
        try:
            query = convert(SExpression(tree), GRAPH, profile=FREEBASE).form
            assert isinstance(query, GraphQuery)
            counted = query.nodes[query.asked].function == "count"
            wanted = [Term.literal("3", datatype=XSD + "integer")] if counted else answers
            facts = witness_world(query, wanted, FREEBASE, decoys=decoys, semantics=GRAILQA)
        except FormError:
            continue
        made += 1
        for name, found in every_answer(None, query, facts, tmp_path / str(number)):
            assert found == wanted, (name, query)
    assert made > 40


def test_random_graphs(tmp_path: Path) -> None:
    """Graph queries with values of all types, and superlatives in the middle."""
    maker, made = FormMaker(valued_facts(1), 5), 0
    for number in range(60):
        query = maker.graph()
        counted = query.nodes[0].function == "count"
        wanted = [Term.literal("3", datatype=XSD + "integer")] if counted else [Term.name("m.901"), Term.name("m.902")]
        try:
            facts = witness_world(query, wanted, PROFILE, decoys=True)
        except FormError:
            continue
        made += 1
        index = store_of(facts, tmp_path / str(number), profile=PROFILE)
        assert index.execute(query) == wanted, query
    assert made > 15


def grailqa_items(data_dir: Path) -> list[dict[str, Any]]:
    """GrailQA's items."""
    with gzip.open(data_dir / "grailqa" / "items.jsonl.gz") as stream:
        return [orjson.loads(line) for line in stream]


def published_answers(item: dict[str, Any]) -> list[Term]:
    """The published answers of an item: Freebase's entities, or a number."""
    terms = {
        Term.name(answer["answer_argument"])
        if answer["answer_type"] == "Entity"
        else Term.literal(answer["answer_argument"], datatype=XSD + "integer")
        for answer in item["answer"]
    }
    return sorted(terms, key=lambda term: term.key)


def check_items(items: list[dict[str, Any]], folder: Path, *, decoys: bool) -> int:
    """Compare the answers of all notations and of the published query with the published answers."""
    checked = 0
    for number, item in enumerate(items):
        query, wanted = read_graph(item["graph_query"], FREEBASE), published_answers(item)
        facts = witness_world(query, wanted, FREEBASE, decoys=decoys, semantics=GRAILQA)
        for name, found in every_answer(item["s_expression"], query, facts, folder / str(number)):
            assert found == wanted, (item["qid"], name)
        published = column_answers(oxigraph_of(facts).select(item["sparql_query"]))
        assert published == wanted, (item["qid"], "published")
        checked += 1
    return checked


@pytest.mark.slow
@pytest.mark.shared_data
def test_all_items_of_grailqa(data_dir: Path, tmp_path: Path) -> None:
    """S-expression, graph query, both written queries and the published one: 600 of 600 give the published answers."""
    assert check_items(grailqa_items(data_dir), tmp_path, decoys=False) == 600


@pytest.mark.shared_data
def test_items_of_grailqa_beside_decoys(data_dir: Path, tmp_path: Path) -> None:
    assert check_items(grailqa_items(data_dir)[::10], tmp_path, decoys=True) == 60


@pytest.mark.slow
@pytest.mark.shared_data
def test_all_items_of_grailqa_beside_decoys(data_dir: Path, tmp_path: Path) -> None:
    assert check_items(grailqa_items(data_dir), tmp_path, decoys=True) == 600


@pytest.mark.shared_data
def test_every_fact_is_needed(data_dir: Path) -> None:
    """Without any one fact of a world, the published query or the written one has other answers."""
    left_out = 0
    for item in grailqa_items(data_dir)[::7]:
        query, wanted = read_graph(item["graph_query"], FREEBASE), published_answers(item)
        facts = witness_world(query, wanted, FREEBASE, semantics=GRAILQA)
        if len(facts) > 12:
            continue
        for fact in facts:
            store = oxigraph_of([other for other in facts if other != fact])
            found = column_answers(store.select(item["sparql_query"])), store.execute(query)
            assert found != (wanted, wanted), (item["qid"], in_short([fact]))
            left_out += 1
    assert left_out > 200
