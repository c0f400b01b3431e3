"""Wordings: which side a relation says what of, two of each at least, brackets and mentions."""

from __future__ import annotations

import random

import pytest
from graph_queries import entity, graph, thing, value

from recombine.errors import FormError
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.templates.template import Template
from recombine.kb.term import Term
from recombine.kb.wording.wordings import Wordings

WORDINGS = Wordings()
# What may be asked for either side of a fact: (relation, of what it leads from, of what it leads to). The fact is that
# S has the relation to O; worked out by hand from what the names mean.
SIDES = [
    ("film.film.written_by", "which thing was written by [O]?", "which thing wrote [S]?"),
    ("film.film.produced_by", "which thing was produced by [O]?", "which thing produced [S]?"),
    ("boats.ship_builder.ships_built", "which thing built the ship [O]?", "which thing was built by [S]?"),
    ("x.symptom_of", "which thing is a symptom of [O]?", "which thing has the symptom [S]?"),
    ("x.symptoms", "which thing has the symptom [O]?", "which thing is a symptom of [S]?"),
    ("member_of_family", "which thing is a member of the family [O]?", "which thing has the member [S]?"),
    ("games_with_this_mode", "which thing is the mode of [O]?", "which thing has the mode [S]?"),
    ("breeds_made_here", "which thing has [O] among the breeds made there?", "which thing is a breed made in [S]?"),
    ("x.located_in", "which thing is located in [O]?", "which thing is [S] located in?"),
    ("worksFor", "which thing works for [O]?", "which thing does [S] work for?"),
    ("sitsIn", "which thing sits in [O]?", "which thing does [S] sit in?"),
    ("contains", "which thing contains [O]?", "which thing is contained by [S]?"),
    ("includes_events", "which thing includes the event [O]?", "which thing does [S] include?"),
    ("influenced", "which thing influenced [O]?", "which thing was influenced by [S]?"),
    ("appeared_in", "which thing appeared in [O]?", "which thing is the one that [S] appeared in?"),
    ("place_founded", "which thing was founded in [O]?", "which thing was [S] founded in?"),
    ("costume_design_by", "which thing has costume design by [O]?", "which thing did the costume design of [S]?"),
    ("countries_spoken_in", "which thing is spoken in the country [O]?", "which thing is [S] spoken in?"),
    ("owner_s", "which thing is owned by [O]?", "which thing owns [S]?"),
    ("genre", "which thing has the genre [O]?", "which thing is the genre of [S]?"),
    ("used_to_treat", "which thing is used to treat [O]?", "which thing is [S] used to treat?"),
    ("from_region", "which thing is from the region [O]?", "which thing is [S] from?"),
    ("works", "which thing has the work [O]?", "which thing is a work of [S]?"),
    ("successor_to", "which thing is a successor to [O]?", "which thing is [S] a successor to?"),
    # from the words that ship for Freebase
    ("/film/actor/film./film/performance/film", "which thing acted in [O]?", "which thing has the actor [S]?"),
    ("film.director.film", "which thing directed [O]?", "which thing was directed by [S]?"),
    ("/people/person/place_of_birth", "which thing was born in [O]?", "which thing is the place of birth of [S]?"),
    ("/location/location/contains", "which thing contains [O]?", "which thing is located in [S]?"),
    ("/film/film/prequel", "which thing is a sequel to [O]?", "which thing is the prequel of [S]?"),
]


def _texts(query: GraphQuery, wordings: Wordings = WORDINGS) -> list[str]:
    return [wording.text for wording in wordings.questions(query)]


@pytest.mark.parametrize(("relation", "of_subject", "of_object"), SIDES)
def test_a_relation_is_said_of_the_right_side(relation: str, of_subject: str, of_object: str) -> None:
    forward = _texts(graph([thing("thing"), entity("O")], (0, relation, 1)))
    backward = _texts(graph([thing("thing"), entity("S")], (1, relation, 0)))
    assert of_subject in forward
    assert of_object in backward
    assert {text.replace("[S]", "[O]") for text in backward}.isdisjoint(forward)


def test_a_relation_that_joins_two_goes_over_what_the_first_names() -> None:
    name = "/people/person/awards./award/award_honor/jury"
    assert "which thing has an award with the jury [O]?" in _texts(graph([thing("thing"), entity("O")], (0, name, 1)))
    assert "which thing is the jury of an award of [S]?" in _texts(graph([thing("thing"), entity("S")], (1, name, 0)))
    same = "/people/person/cousin_s./people/kinship/cousin"
    assert "which thing is a cousin of [S]?" in _texts(graph([thing("thing"), entity("S")], (1, same, 0)))


def test_a_reverse_lends_its_words_turned_round() -> None:
    made, by = Term.name("ships_built"), Term.name("shipyard")
    ontology = ontology_of([], {made: Role(), by: Role()}, {made: by})
    texts = _texts(graph([thing("ship"), entity("S")], (1, "ships_built", 0)), Wordings(None, ontology))
    assert "what is the ship whose shipyard is [S]?" in texts
    assert not any("shipyard of [S]" in text for text in texts)


def test_a_class_that_the_relation_does_not_say_is_said() -> None:
    genre, film, kind = (Term.name(name) for name in ("genre", "film", "film_genre"))
    wordings = Wordings(None, ontology_of([], {genre: Role((film,), (kind,))}, {}))
    assert "what is the genre of [S]?" in _texts(graph([thing("film_genre"), entity("S")], (1, "genre", 0)), wordings)
    texts = _texts(graph([thing("comic_genre"), entity("S")], (1, "genre", 0)), wordings)
    assert texts
    assert all("comic genre" in text for text in texts)


def test_one_of_the_same_is_said_shortly() -> None:
    owner, team, person = (Term.name(name) for name in ("owner", "team", "person"))
    wordings = Wordings(None, ontology_of([], {owner: Role((team,), (person,))}, {}))
    texts = _texts(graph([thing("team"), thing("person"), entity("A")], (0, "owner", 1), (2, "owner", 1)), wordings)
    assert texts[0] == "which team has the same owner as [A]?"


def test_functions() -> None:
    counted = _texts(graph([thing("company", "count"), entity("Ann")], (1, "worksFor", 0)))
    assert "how many companies does [Ann] work for?" in counted
    assert "what is the number of companies that [Ann] works for?" in counted
    many = _texts(graph([thing("person", "count"), entity("Acme")], (0, "worksFor", 1)))
    assert "how many people work for [Acme]?" in many
    largest = _texts(graph([thing("company"), value(None, "integer", "argmax")], (0, "employees", 1)))
    assert largest[0] == "which company has the largest number of employees?"
    smallest = _texts(graph([thing("company"), value(None, "integer", "argmin")], (0, "revenue", 1)))
    assert smallest[0] == "which company has the smallest revenue?"
    latest = _texts(graph([thing("browser"), value(None, "date", "argmax")], (0, "first_released", 1)))
    assert "which browser was first released most recently?" in latest
    earliest = _texts(graph([thing("browser"), value(None, "date", "argmin")], (0, "first_released", 1)))
    assert "which browser was first released earliest?" in earliest


@pytest.mark.parametrize(
    ("function", "number", "date"),
    [
        ("<", "less than", "before"),
        ("<=", "at most", "on or before"),
        (">", "more than", "after"),
        (">=", "at least", "on or after"),
    ],
)
def test_comparisons(function: str, number: str, date: str) -> None:
    texts = _texts(graph([thing("city"), value("5", "integer", function)], (0, "population", 1)))
    assert texts[0] == f"which city has a population of {number} [5]?"
    texts = _texts(graph([thing("city"), value("1900", "gYear", function)], (0, "founded", 1)))
    assert f"which city was founded {date} [1900]?" in texts


def test_conditions_beside_a_superlative_come_first() -> None:
    nodes = [thing("court"), value(None, "date", "argmin"), entity("CCJ")]
    texts = _texts(graph(nodes, (0, "founded", 1), (2, "inferior_courts", 0)))
    assert "of all courts that are inferior courts of [CCJ], which one was founded earliest?" in texts
    assert "which court that is an inferior court of [CCJ] has the earliest founded date?" in texts


def test_two_entities_by_one_relation_are_said_together() -> None:
    texts = _texts(graph([thing("designer"), entity("A"), entity("B")], (1, "designed_by", 0), (2, "designed_by", 0)))
    assert texts[0] == "which designer designed both [A] and [B]?"
    texts = _texts(graph([thing("game"), entity("A"), entity("B")], (0, "genre", 1), (0, "genre", 2)))
    assert texts[0] == "which game has the genres [A] and [B]?"
    turned = _texts(graph([thing("designer"), entity("A"), entity("B")], (1, "designed_by", 0), (0, "designed_by", 2)))
    assert turned[0] == "which designer designed [A] and was designed by [B]?"


def test_conditions_within_conditions_keep_to_their_node() -> None:
    nodes = [thing("person"), thing("company"), entity("B"), thing("city"), entity("C"), entity("D")]
    edges = (0, "worksFor", 1), (1, "industry", 2), (0, "born_in", 3), (3, "river", 4), (0, "hobby", 5)
    assert _texts(graph(nodes, *edges))[0] == (
        "which person has the hobby [D] and works for a company with the industry [B], "
        "and was born in a city with the river [C]?"
    )


def test_a_node_that_stands_for_a_fact_does_nothing() -> None:
    nodes = [thing("locomotive"), thing("locomotive_ownership"), entity("A")]
    texts = _texts(graph(nodes, (0, "owners", 1), (1, "owner", 2)))
    assert not any("owned by" in text for text in texts)


def test_open_leaves_stand_by_their_classes() -> None:
    template = Template(graph([thing("film.film"), entity(None, "people.person")], (0, "film.film.directed_by", 1)))
    first = WORDINGS.questions(template)[0]
    assert first.text == "which film was directed by [person]?"
    assert (first.kind, first.tag) == ("passive", "which:passive")


def test_names_of_a_query_keep_their_brackets_out_of_the_text() -> None:
    lee = GraphNode("entity", Term.name("m.1"), name="Ang [the] Lee")
    query = GraphQuery((thing("film"), lee), (GraphEdge(0, 1, Term.name("written_by")),))
    wording = WORDINGS.questions(query)[0]
    assert wording.text == "which film was written by [Ang (the) Lee]?"
    assert wording.plain == "which film was written by Ang (the) Lee?"
    assert wording.renamed({1: "A. Lee"}) == "which film was written by A. Lee?"


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(FormError, match="ring"):
        WORDINGS.questions(graph([thing("a"), thing("b")], (0, "r", 1), (1, "s", 0)))
    with pytest.raises(FormError, match="nothing connects"):
        WORDINGS.questions(graph([thing("a"), thing("b")]))
    with pytest.raises(FormError, match="leads on"):
        WORDINGS.questions(graph([thing("a"), entity("B"), entity("C")], (0, "r", 1), (1, "s", 2)))
    with pytest.raises(FormError, match="asks for one entity"):
        WORDINGS.questions(graph([entity("B"), entity("C")], (0, "r", 1)))


def _drawn(draw: random.Random, relations: int, function: str) -> GraphQuery:
    """A tree of so many relations with names of all shapes."""
    names = [name for name, *_ in SIDES]
    nodes: list[GraphNode] = [thing("domain.asked_thing", "count" if function == "count" else "none")]
    edges: list[tuple[int, str, int]] = []
    for number in range(relations):
        above = draw.choice([place for place, node in enumerate(nodes) if node.kind == "class"])
        last = number == relations - 1
        if last and function not in ("none", "count"):
            text = None if function in ("argmax", "argmin") else "7"
            nodes.append(value(text, draw.choice(["integer", "date"]), function))
            edges.append((above, draw.choice(["population", "founded", "date_of_birth"]), len(nodes) - 1))
            continue
        inner = not last and draw.random() < 0.6
        nodes.append(thing(f"domain.kind_{number}") if inner else entity(f"E{number}"))
        ends = (above, len(nodes) - 1) if draw.random() < 0.5 else (len(nodes) - 1, above)
        edges.append((ends[0], draw.choice(names), ends[1]))
    for place, node in enumerate(list(nodes)):
        if node.kind == "class" and place and not any(place in (s, e) and max(s, e) > place for s, _, e in edges):
            nodes[place] = entity(f"E{place}")
    return graph(nodes, *edges)


@pytest.mark.parametrize("function", ["none", "count", "argmax", "argmin", "<", "<=", ">", ">="])
@pytest.mark.parametrize("relations", [1, 2, 3, 4])
def test_every_tree_has_two_wordings_that_mention_each_leaf_once(relations: int, function: str) -> None:
    draw = random.Random(f"{relations}{function}")  # noqa: S311
    for _ in range(60):
        query = _drawn(draw, relations, function)
        found = WORDINGS.questions(query)
        assert len({wording.text for wording in found}) == len(found) >= 2
        named = [p for p, node in enumerate(query.nodes) if node.kind != "class" and node.function[:3] != "arg"]
        for wording in found:
            assert sorted(mention.leaf for mention in wording.mentions) == named
            for start, end, leaf in wording.mentions:
                term = query.nodes[leaf].value
                assert term is not None
                assert wording.text[start - 1 : end + 1] == f"[{term.text}]"
            assert wording.text.count("[") == wording.text.count("]") == len(named)
            assert "  " not in wording.text
            assert "{" not in wording.text
            assert wording.text[-1] in "?."
