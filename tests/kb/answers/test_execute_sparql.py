"""Forms executed by SPARQL give the answers of the embedded index, which are tested against a slow way of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts_of import store_of
from forms.random_forms import random_forms, random_world
from same_answers import same_answers
from valued_facts import PROFILE, FormMaker, valued_facts

from recombine.errors import FormError, RefusedQueryError
from recombine.evaluation.answers.answer_f1 import value_key
from recombine.kb.answers.execute_sparql import column_answers
from recombine.kb.embedded.literal_columns import FAMILIES, literal_value
from recombine.kb.forms.form import GRAILQA, SETS, Form, SExpression, SparqlQuery
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.queries.value_family import utc_moment, value_family
from recombine.kb.forms.write_sparql import write_sparql
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.store import Table
from recombine.kb.term import Term
from recombine.languages.sexpression import render_sexpression

XSD = "http://www.w3.org/2001/XMLSchema#"
FREEBASE = find_profile("freebase")


def test_a_thousand_forms(tmp_path: Path) -> None:
    """Counts, comparisons, superlatives, dates of all zones, numbers of all types, joined relations."""
    facts = valued_facts(3, facts=3000, nodes=400)
    index = store_of(facts, tmp_path / "index", profile=PROFILE)
    oxigraph = OxigraphStore.of_keys([tuple(term.key for term in fact) for fact in facts], PROFILE)
    assert same_answers(index, oxigraph, FormMaker(facts, 7), 1000) > 700


@pytest.mark.parametrize("nested", [False, True])
def test_forms_over_an_ontology(tmp_path: Path, nested: bool) -> None:
    """Executed and written in the semantics of sets, which is the same where all values of a relation are of a kind."""
    world = random_world(1)
    facts = [tuple(map(Term.of_key, fact)) for fact in world.facts]
    index = store_of(facts, tmp_path / "index", profile=FREEBASE)
    oxigraph = OxigraphStore.of_keys(world.facts, FREEBASE)
    answered = 0
    for tree in random_forms(5, 300, nested=nested):
        form = SExpression(tree)
        wanted = set(map(value_key, index.execute(form)))
        assert set(map(value_key, oxigraph.execute(form))) == wanted, render_sexpression(tree)
        written = column_answers(oxigraph.select(write_sparql(form, FREEBASE, SETS)))
        assert set(map(value_key, written)) == wanted, render_sexpression(tree)
        answered += bool(wanted)
    assert answered > 100


FILMS = [
    ("=m.1", "=made", f'"1999\0{XSD}gYear'),
    ("=m.2", "=made", f'"2004\0{XSD}gYear'),
    ("=m.1", "=by", "=m.9"),
]


@pytest.fixture
def films(tmp_path: Path) -> tuple[OxigraphStore, OxigraphStore]:
    """Few facts in two stores."""
    index = store_of([tuple(map(Term.of_key, fact)) for fact in FILMS], tmp_path / "index", profile=FREEBASE)
    return index, OxigraphStore.of_keys(FILMS, FREEBASE)  # type: ignore[return-value]


def texts(store: OxigraphStore, query: str) -> list[tuple[str, str]]:
    """The answers of a form's text."""
    form = form_of_text(query, FREEBASE)
    return [(term.text, term.datatype.removeprefix(XSD)) for term in store.execute(form)]


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("ASK { ns:m.1 ns:by ns:m.9 }", [("true", "boolean")]),
        ("ASK { ns:m.2 ns:by ns:m.9 }", [("false", "boolean")]),
        ("SELECT (COUNT(*) AS ?n) { ?x ns:made ?y }", [("2", "integer")]),
        ("SELECT ?x { ?x ns:made ?y . OPTIONAL { ?x ns:by ?z } }", [("m.1", ""), ("m.2", "")]),
        ("SELECT ?z { ?x ns:made ?y . OPTIONAL { ?x ns:by ?z } }", [("m.9", "")]),
    ],
)
def test_sparql_as_it_stands(films: tuple[OxigraphStore, OxigraphStore], query: str, answers: list) -> None:
    for store in films:
        assert texts(store, query) == answers


def test_several_columns_are_refused(films: tuple[OxigraphStore, OxigraphStore]) -> None:
    for store in films:
        with pytest.raises(FormError, match=r"gives 2 columns \(\?x, \?y\); use select"):
            texts(store, "SELECT ?x ?y { ?x ns:made ?y }")


def test_a_query_that_a_store_refuses(films: tuple[OxigraphStore, OxigraphStore]) -> None:
    for store in films:
        with pytest.raises(RefusedQueryError, match="SERVICE"):
            texts(store, "SELECT ?x { SERVICE <http://other.org/> { ?x ns:made ?y } }")


@pytest.mark.parametrize(
    "text",
    ['(lt made "x"@en)', "(lt made NaN^^xsd:double)", "(ge made 2009-02-30^^xsd:date)", "(gt made five^^xsd:int)"],
)
def test_what_has_no_order_is_refused_alike(films: tuple[OxigraphStore, OxigraphStore], text: str) -> None:
    for store in films:
        with pytest.raises(FormError, match="has no order"):
            texts(store, text)


def test_unbound_is_no_answer_and_repeats_are_one() -> None:
    one = Term.name("a")
    assert column_answers(Table(("x",), [(one,), (None,), (one,)])) == [one]


LITERALS = [
    *[("5", "int"), ("+5", "integer"), ("5.", "decimal"), ("five", "int"), ("5e", "double"), (" 5 ", "int")],
    *[("INF", "double"), ("-INF", "float"), ("NaN", "float"), ("1e400", "double"), (".5", "decimal"), (".", "decimal")],
    *[("2009-02-28", "date"), ("2009-02-29", "date"), ("2008-02-29", "date"), ("2009-04-31", "date")],
    *[("2009-13-01", "date"), ("2009-00-01", "date"), ("-0044-03-15", "date"), ("12009-01-01", "date")],
    *[("2009-01-01+14:00", "date"), ("2009-01-01+14:01", "date"), ("2009-01-01Z", "date"), ("2009", "date")],
    *[
        ("2009", "gYear"),
        ("209", "gYear"),
        ("2009-08:00", "gYear"),
        ("2009-03", "gYearMonth"),
        ("2009-3", "gYearMonth"),
    ],
    *[("2009-03-29T24:00:00", "dateTime"), ("2009-03-29T24:00:01", "dateTime"), ("2009-03-29T23:59:59.5Z", "dateTime")],
    *[("2009-03-29 00:00:00", "dateTime"), ("12:00:00", "time"), ("25:00:00", "time"), ("12:00:60", "time")],
    *[("true", "boolean"), ("1", "boolean"), ("yes", "boolean"), ("5", "duration"), ("text", "string")],
]


@pytest.mark.parametrize(("text", "kind"), LITERALS)
def test_families_are_those_of_the_index(text: str, kind: str) -> None:
    term = Term.literal(text, datatype=XSD + kind)
    value = literal_value(term.text, term.datatype, term.language)
    assert value_family(term) == (None if value is None else FAMILIES[value.family])
    if value is not None and value_family(term) in ("moment", "time"):
        written = Term.literal(utc_moment(term), datatype=XSD + "dateTime")
        again = literal_value(written.text, written.datatype, "")
        assert again is not None
        assert again.number == value.number


def test_the_published_semantics_say_more() -> None:
    """All nodes are different there, so that a thing that leads to itself is an answer to sets alone."""
    store = OxigraphStore.of_keys([("=m.1", "=type.object.type", "=c"), ("=m.1", "=by", "=m.1")], FREEBASE)
    form: Form = form_of_text("(AND c (JOIN by m.1))", FREEBASE)
    assert column_answers(store.select(write_sparql(form, FREEBASE, SETS))) == [Term.name("m.1")]
    assert column_answers(store.select(write_sparql(form, FREEBASE, GRAILQA))) == []
    assert store.execute(form) == [Term.name("m.1")]
    assert isinstance(form_of_text("ASK { ?x ?y ?z }", FREEBASE), SparqlQuery)
