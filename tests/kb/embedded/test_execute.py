"""Forms executed on an embedded index give what a plainly right way gives, and what was worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts_of import store_of
from slow_execute import SlowExecute
from small_store import turtle_store
from valued_facts import PROFILE, FormMaker, valued_facts

from recombine.errors import FormError, ProgramError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery, SExpression
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression

XSD = "http://www.w3.org/2001/XMLSchema#"
LOCOMOTIVES = """
:m.1 :type.object.type :rail.engine ;
  :rail.engine.built "1999"^^xsd:gYear ; :rail.engine.speed 120.0 ; :rail.engine.by :m.7 .
:m.2 rdf:type :rail.engine ;
  :rail.engine.built "2001-05-01"^^xsd:date ; :rail.engine.speed "120"^^xsd:int ; :rail.engine.by :m.7 .
:m.3 :type.object.type :rail.engine ;
  :rail.engine.built "2001-05-01-08:00"^^xsd:date ; :rail.engine.speed "NaN"^^xsd:double .
:m.4 :type.object.type :rail.wagon ; :rail.engine.speed 300 ; :rail.engine.by :m.8 .
:m.5 :type.object.type :rail.engine ; :rail.engine.speed "fast"@en ; :rail.engine.by :m.8 .
:m.7 :org.org.founded "1900"^^xsd:gYear . :m.8 :org.org.founded "1950"^^xsd:gYear .
"""
# What each S-expression gives over the facts above, by hand.
BY_HAND = {
    "rail.engine": "m.1 m.2 m.3 m.5",
    "(AND rail.engine (JOIN rail.engine.by m.7))": "m.1 m.2",
    "(AND rail.engine rail.wagon)": "",
    "(JOIN (R rail.engine.by) rail.engine)": "m.7 m.8",
    "(JOIN (R rail.engine.by) (AND rail.engine (gt rail.engine.built 2000^^xsd:gYear)))": "m.7",
    # Numbers by their values, whatever their types; a value of no order, and no value, are never in.
    "(JOIN rail.engine.speed 120.0^^xsd:float)": "m.1 m.2",
    f"(JOIN rail.engine.speed 120^^{XSD}integer)": "m.1 m.2",
    f'(AND rail.engine (le rail.engine.speed "120"^^{XSD}int))': "m.1 m.2",
    "(LT rail.engine.speed 120.5)": "m.1 m.2",
    # A date without a time zone is in UTC, so that one of -08:00 begins eight hours later.
    f"(JOIN rail.engine.built 2001-05-01^^{XSD}date)": "m.2",
    f"(GT rail.engine.built 2001-05-01^^{XSD}date)": "m.3",
    f"(le rail.engine.built 2001-05-01^^{XSD}date)": "m.1 m.2",
    # Superlatives: ties by value, none where no member has the attribute, over two steps, and against a relation.
    "(ARGMAX rail.engine rail.engine.speed)": "m.1 m.2",
    "(ARGMIN rail.engine rail.engine.built)": "m.1",
    "(ARGMAX rail.wagon rail.engine.built)": "",
    "(ARGMAX rail.engine (JOIN rail.engine.by org.org.founded))": "m.5",
    "(ARGMAX (JOIN org.org.founded 1900^^xsd:gYear) (JOIN (R rail.engine.by) rail.engine.built))": "m.7",
    "(ARGMAX (JOIN (R rail.engine.by) rail.engine) (R (JOIN (R org.org.founded) (R org.org.founded))))": "",
    # A joined relation, turned round as a whole.
    "(JOIN (R (JOIN rail.engine.by org.org.founded)) m.1)": f"1900^^{XSD}gYear",
    "(JOIN (JOIN rail.engine.by org.org.founded) 1950^^xsd:gYear)": "m.4 m.5",
    "(COUNT (AND rail.engine (JOIN rail.engine.by m.7)))": f"2^^{XSD}integer",
    "(COUNT (JOIN rail.engine.by m.99))": f"0^^{XSD}integer",
    "(JOIN (JOIN (R rail.engine.by) rail.engine.speed) (COUNT (JOIN rail.engine.by m.7)))": "",
    "(JOIN rail.engine.speed (COUNT rail.wagon))": "",
    "(AND (ARGMAX rail.engine rail.engine.speed) (ARGMIN rail.engine rail.engine.built))": "m.1",
    "m.99": "m.99",
    "(COUNT m.99)": f"1^^{XSD}integer",
    "(AND m.99 m.99)": "m.99",
    "(AND m.99 rail.engine)": "",
    "(JOIN no.such.relation m.1)": "",
}


@pytest.fixture
def engines(tmp_path: Path) -> EmbeddedStore:
    """Engines under Freebase's profile."""
    return turtle_store(tmp_path, "freebase", LOCOMOTIVES)


def shown(terms: list[Term]) -> str:
    """Answers in a line."""
    return " ".join(f"{term.text}^^{term.datatype}" if term.datatype else term.text for term in terms)


@pytest.mark.parametrize(("text", "answers"), BY_HAND.items())
def test_by_hand(engines: EmbeddedStore, text: str, answers: str) -> None:
    assert shown(engines.execute(SExpression(parse_sexpression(text)))) == answers


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ('(lt rail.engine.speed "fast"@en)', FormError, "has no order"),
        ("(lt rail.engine.speed abc^^xsd:int)", FormError, "has no order"),
        ("(lt rail.engine.speed NaN^^xsd:double)", FormError, "has no order"),
        ("(lt rail.engine.speed m.1)", ProgramError, "no literal, where one is compared with"),
        ("(JOIN (COUNT rail.engine) m.1)", ProgramError, "a set, where pairs are wanted"),
        ("(AND rail.engine (R rail.engine.by))", ProgramError, "pairs, where a set is wanted"),
        ("(TC rail.engine rail.engine.built NOW)", FormError, "TC"),
    ],
)
def test_what_is_not_executed(engines: EmbeddedStore, text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        engines.execute(SExpression(parse_sexpression(text)))


def test_a_plain_profile_tells_classes_by_their_place(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", ":a rdf:type :Film ; :by :Ann . :b :by :Ann . :Ann rdf:type :Person .")
    assert shown(store.execute(SExpression(parse_sexpression("(AND Film (JOIN by Ann))")))) == "a"
    assert shown(store.execute(SExpression(parse_sexpression("(JOIN by (AND Person Person))")))) == "a b"


def name(text: str) -> Term:
    """A name under the base."""
    return Term.name(text)


def test_a_superlative_of_a_graph_shares_its_middle_node(tmp_path: Path) -> None:
    """The middle node of the value is that of the other condition, which an S-expression cannot say."""
    store = turtle_store(
        tmp_path,
        "freebase",
        ":m.1 :at :m.5, :m.6 . :m.2 :at :m.7 . :m.5 :by :m.9 ; :size 1 . :m.6 :size 9 . :m.7 :by :m.9 ; :size 4 .",
    )
    nodes = (
        GraphNode("class", None),
        GraphNode("class", None),
        GraphNode("entity", name("m.9")),
        GraphNode("literal", None, function="argmax"),
    )
    edges = (GraphEdge(0, 1, name("at")), GraphEdge(1, 2, name("by")), GraphEdge(1, 3, name("size")))
    assert shown(store.execute(GraphQuery(nodes, edges))) == "m.2"
    text = "(ARGMAX (JOIN at (JOIN by m.9)) (JOIN at size))"
    assert shown(store.execute(SExpression(parse_sexpression(text)))) == "m.1"


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ([("class", "c"), ("class", "c")], [], "not connected"),
        ([("class", "c"), ("class", "c")], [(0, 1), (1, 0)], "cyclic"),
        ([("class", None)], [], "asks for anything"),
        ([("class", "c"), ("literal", None, "argmax"), ("literal", None, "argmin")], [(0, 1), (0, 2)], "two superl"),
    ],
)
def test_graphs_that_are_refused(engines: EmbeddedStore, nodes: list, edges: list, message: str) -> None:
    made = tuple(
        GraphNode(kind, None if value is None else name(value), function=function[0] if function else "none")
        for kind, value, *function in nodes
    )
    graph = GraphQuery(made, tuple(GraphEdge(one, other, name("r")) for one, other in edges))
    with pytest.raises(FormError, match=message):
        engines.execute(graph)


@pytest.mark.parametrize("seed", range(4))
def test_random_forms(tmp_path: Path, seed: int) -> None:
    """S-expressions and graph queries over random facts give what the slow way gives."""
    facts = valued_facts(seed)
    store, slow, maker = (
        store_of(facts, tmp_path / "index", profile=PROFILE),
        SlowExecute(facts, PROFILE),
        FormMaker(facts, seed),
    )
    answered = 0
    for _ in range(150):
        tree = maker.sexpression()
        wanted = slow.sexpression(tree)
        found = store.execute(SExpression(tree))
        assert_same(found, wanted, tree)
        answered += bool(wanted)
        graph = maker.graph()
        wanted = slow.graph(graph)
        assert_same(store.execute(graph), wanted, graph)
        answered += bool(wanted)
    assert answered > 100


def assert_same(found: list[Term], wanted: set[Term] | int, form: object) -> None:
    """Equal answers, sorted by their keys, or the count."""
    if isinstance(wanted, int):
        assert shown(found) == f"{wanted}^^{XSD}integer", form
    else:
        assert found == sorted(wanted, key=lambda term: term.key), form
