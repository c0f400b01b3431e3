"""What prompts say of questions over a knowledge base: links, the schema near them, its order and what is cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recombine.errors import RecordError
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.open_store import open_store
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.records.example import Example
from recombine.selection.prompts.form_answers import form_answers
from recombine.selection.prompts.kb_known import KbKnown
from recombine.selection.prompts.linked import Linked, gold_linked, read_linked
from recombine.selection.prompts.near_schema import NearClasses, NearFacts, NearSchema
from recombine.selection.prompts.question import Question
from recombine.workbench import load

FREEBASE, PLAIN = find_profile("freebase"), find_profile("plain")
FACTS = (
    "Duel|directed_by|Ann\nAnn|born_in|Rome\nRome|mayor|Bo\nBo|owns|Boat\nDuel|type|Film\nAnn|type|Person\n"
    "Bo|type|Person\nRome|type|City\nBoat|type|Ship\n"
)
NODES = [
    {"nid": 0, "node_type": "class", "id": "film.film", "class": "film.film", "friendly_name": "Film"},
    {"nid": 1, "node_type": "entity", "id": "m.01", "class": "film.director", "friendly_name": "Ann  Lee"},
    {"nid": 2, "node_type": "literal", "id": "5^^http://www.w3.org/2001/XMLSchema#integer", "friendly_name": "5"},
]
QUESTION = Example(
    "q", "which film did Ann direct?", "(JOIN film.film.by m.01)", tags={"graph_query": {"nodes": NODES}}
)


def name(text: str) -> Term:
    return Term.name(text)


def linked(*texts: str) -> Linked:
    return Linked(tuple((name(text), "") for text in texts))


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> NearFacts:
    place = tmp_path_factory.mktemp("kb") / "films.txt"
    place.write_text(FACTS)
    film, person = (name("Film"),), (name("Person"),)
    return NearFacts(open_store(place), ontology_of([], {name("directed_by"): Role(film, person)}, {}))


@pytest.fixture(scope="module")
def schema() -> Ontology:
    film, person, place, work = (name(text) for text in ("film.film", "film.director", "a.place", "a.work"))
    roles = {
        name("film.film.by"): Role((film,), (person,)),
        name("film.director.home"): Role((person,), (place,)),
        name("a.place.ruler"): Role((place,), (name("a.ruler"),)),
        name("a.work.year"): Role((work,), (name("type.int"),)),
        name("a.ruler.age"): Role((name("a.ruler"),), (name("type.int"),)),
    }
    return ontology_of([(film, work)], roles, {}, literal=FREEBASE.is_literal_class)


def test_facts_within_two_hops(facts: NearFacts) -> None:
    near = facts.near(linked("Duel"))
    assert {term.text: hops for term, hops in near.relations.items()} == {"directed_by": 1, "born_in": 2}
    assert [term.text for term in near.classes] == ["City", "Film", "Person"]
    assert near.pruned


def test_what_no_fact_has_prunes_nothing(facts: NearFacts) -> None:
    for links in (linked(), linked("Nobody"), Linked(((Term.literal("7"), "7"),))):
        near = facts.near(links)
        assert len(near.relations) == 4
        assert not near.pruned
    assert facts.near(linked("Nobody")).unknown == (name("Nobody"),)
    both = facts.near(linked("Nobody", "Duel"))
    assert (len(both.relations), both.pruned, both.unknown) == (2, True, (name("Nobody"),))


def test_classes_by_an_ontology(schema: Ontology) -> None:
    near = NearClasses(schema).near(Linked((), (name("film.director"),)))
    # The director's own relations, then those of films, works (which films are) and places.
    assert {term.text: hops for term, hops in near.relations.items()} == {
        "film.film.by": 1,
        "film.director.home": 1,
        "a.work.year": 2,
        "a.place.ruler": 2,
    }
    assert name("a.ruler") in near.classes
    assert name("type.int") not in near.classes
    whole = NearClasses(schema).near(Linked())
    assert (len(whole.relations), whole.pruned) == (5, False)


def test_the_gold_links_of_a_graph_query() -> None:
    found = gold_linked(QUESTION, "sexpression", FREEBASE)
    assert [(term.text, said) for term, said in found.terms] == [("m.01", "Ann  Lee"), ("5", "5")]
    assert found.classes == (name("film.director"),)


def known(near: NearSchema | None, *, notation: str = "sexpression", most: int = 3) -> KbKnown:
    links = {"q": gold_linked(QUESTION, "sexpression", FREEBASE)}
    return KbKnown(links, near, FREEBASE, language="sexpression", notation=notation, most=most)


def test_what_is_said_of_a_question(schema: Ontology) -> None:
    """film.film.by shares film and direct(or) with the question, film.director.home the same two; names decide."""
    said = known(NearClasses(schema))
    listed = said.of_question(QUESTION)
    assert [each.text() for each in listed] == [
        "Entities:\n- Ann Lee: m.01\n- 5: 5^^http://www.w3.org/2001/XMLSchema#integer",
        "Relations (3 of 4):\n- film.director.home (film.director -> a.place)\n"
        "- film.film.by (film.film -> film.director)\n- a.place.ruler (a.place -> a.ruler)",
        "Classes (3 of 5):\n- film.director\n- film.film\n- a.place",
    ]
    said.count_covered([Question("q", QUESTION.source, listed)])
    counts = said.counts
    assert (counts.cut, counts.items_cut, counts.covered, counts.comparable) == (1, 3, 1, 1)
    assert (counts.without_link, counts.unpruned) == ([], [])


@pytest.mark.parametrize(
    ("question", "order"),
    [("who made Duel?", ["directed_by", "born_in"]), ("where is who made it born?", ["born_in", "directed_by"])],
)
def test_words_come_before_nearness(facts: NearFacts, question: str, order: list[str]) -> None:
    """From Duel, directed_by is one hop away and born_in two; of no words in common the nearer comes first."""
    said = KbKnown({"q": linked("Duel")}, facts, PLAIN, language="sexpression", notation="sexpression", most=9)
    _, relations, _ = said.of_question(Example("q", question, "(JOIN directed_by Ann)"))
    assert [item.split()[0] for item in relations.items] == order


def test_a_gold_relation_that_is_cut_is_not_covered(schema: Ontology) -> None:
    """By the limit of the lists, or by what had to go for want of room."""
    said = known(NearClasses(schema), most=1)
    said.count_covered([Question("q", "", said.of_question(QUESTION))])
    assert (said.counts.covered, said.counts.comparable) == (0, 1)
    said = known(NearClasses(schema), most=2)
    entities, relations, classes = said.of_question(QUESTION)
    said.count_covered([Question("q", "", (entities, relations.shorter(), classes))])
    assert (said.counts.covered, said.counts.comparable) == (0, 1)


def test_questions_without_links_are_counted(schema: Ontology) -> None:
    said = known(NearClasses(schema))
    entities, relations, _ = said.of_question(Example("other", "which film?", "(JOIN film.film.by m.02)"))
    assert entities.text() == "Entities: none"
    assert relations.total == 5
    assert (said.counts.without_link, said.counts.unpruned) == (["other"], ["other"])


def test_words_of_sparql(schema: Ontology) -> None:
    entities, relations, _ = known(NearClasses(schema), notation="sparql").of_question(QUESTION)
    assert entities.items == (
        "Ann Lee: <http://rdf.freebase.com/ns/m.01>",
        '5: "5"^^<http://www.w3.org/2001/XMLSchema#integer>',
    )
    assert relations.items[1] == "<http://rdf.freebase.com/ns/film.film.by> (film.film -> film.director)"


def test_examples_have_their_entities_alone(schema: Ontology) -> None:
    said = known(NearClasses(schema))
    assert [each.title for each in said.of_example(QUESTION)] == ["Entities"]
    assert said.titles == ("Entities", "Relations", "Classes")
    assert known(None).titles == known(NearClasses(schema), most=0).titles == ("Entities",)
    assert len(known(None).of_question(QUESTION)) == 1


def test_links_of_a_file(tmp_path: Path) -> None:
    data = load([("who?", "(JOIN a b)"), ("where?", "(JOIN a c)")], language="sexpression")
    file = tmp_path / "links.jsonl"
    first, second = data.ids
    by_link = {"id": second, "links": [{"text": "Ann", "linked": ["Ann_Lee", "Ann_Li"]}, {"text": "x", "linked": []}]}
    file.write_text(json.dumps({"id": first, "entities": ["Jaws"]}) + "\n" + json.dumps(by_link) + "\n")
    read = read_linked(file, data, PLAIN)
    assert read[first].terms == ((name("Jaws"), ""),)
    assert read[second].terms == ((name("Ann_Lee"), "Ann"), (name("Ann_Li"), "Ann"))
    for line, wrong in (
        ({"id": "zz", "entities": []}, "has no question 'zz'"),
        ({"id": first}, "no list of names"),
        ({"id": first, "entities": "Jaws"}, "no list of names"),
        ({"id": first, "links": [{"linked": [7]}]}, "no list of names"),
    ):
        file.write_text(json.dumps(line) + "\n")
        with pytest.raises(RecordError, match=wrong):
            read_linked(file, data, PLAIN)
    file.write_text(2 * (json.dumps({"id": first, "entities": []}) + "\n"))
    with pytest.raises(RecordError, match="is there before"):
        read_linked(file, data, PLAIN)


def test_answers_in_another_notation() -> None:
    data = load([("a", "(JOIN made_by Ann)"), ("b", "(JOIN made_by")], language="sexpression")
    made = form_answers(data, "sparql", PLAIN)
    ns = "http://example.org/"
    assert list(made.texts.values()) == [f"SELECT DISTINCT ?x0 WHERE {{ ?x0 <{ns}made_by> <{ns}Ann> . }}"]
    assert list(made.unconverted) == [data.ids[1]]
    assert form_answers(data, "sexpression", PLAIN).texts == {each.id: each.target for each in data}
