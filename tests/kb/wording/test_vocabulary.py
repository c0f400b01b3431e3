"""What things are called: labels of the facts, relations of Wikidata, and names where there is nothing else."""

from __future__ import annotations

from pathlib import Path

from small_store import turtle_store

from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.ontology import ontology_of
from recombine.kb.wording.wordings import Wordings


def test_labels_of_a_wikidata_style_graph(tmp_path: Path) -> None:
    facts = """
    wd:Q1 wdt:P57 wd:Q2 ; rdfs:label "Jaws"@en, "Der weiße Hai"@de .
    wd:Q2 rdfs:label "Steven Spielberg"@en .
    wd:P57 rdfs:label "director"@en .
    wd:Q11424 rdfs:label "film"@en .
    """
    store = turtle_store(tmp_path, "wikidata", facts)
    term = store.profile.term
    nodes = GraphNode("class", term("wd:Q11424")), GraphNode("entity", term("wd:Q2"))
    made = Wordings(store).questions(GraphQuery(nodes, (GraphEdge(0, 1, term("wdt:P57")),)))
    assert made[0].text == "which film has the director [Steven Spielberg]?"
    nodes = GraphNode("class", None), GraphNode("entity", term("wd:Q1"))
    made = Wordings(store).questions(GraphQuery(nodes, (GraphEdge(1, 0, term("wdt:P57")),)))
    assert made[0].text == "what is the director of [Jaws]?"


def test_a_graph_without_names(tmp_path: Path) -> None:
    store = turtle_store(
        tmp_path, "plain", "<http://other.org/a_b> <http://other.org/r#worksFor> <http://other.org/c> ."
    )
    term = store.profile.term
    nodes = GraphNode("class", None), GraphNode("entity", term("<http://other.org/a_b>"))
    made = Wordings(store).questions(GraphQuery(nodes, (GraphEdge(1, 0, term("<http://other.org/r#worksFor>")),)))
    assert "what does [a b] work for?" in [each.text for each in made]


def test_one_asks_who_for_people(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", ":a :painted :b .")
    term = store.profile.term
    ontology = ontology_of([(term("Cubist"), term("Person"))], {}, {})
    nodes = GraphNode("class", term("Cubist")), GraphNode("entity", term("b"))
    made = Wordings(store, ontology).questions(GraphQuery(nodes, (GraphEdge(0, 1, term("painted")),)))
    assert "who is the cubist that painted [b]?" in [each.text for each in made]
