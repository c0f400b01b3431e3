"""Questions over an ontology: forms and words that fit it, drawn by the seed, and covered by its candidates."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.errors import OptionError
from recombine.kb.candidates.ontology_space import OntologySpace
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.models.kbqa.transfer.ontology_questions import OntologyQuestions
from recombine.records.example import Example

FREEBASE = find_profile("freebase")
KITE, SHOP, TOWN, DATE = (Term.name(name) for name in ("toys.kite", "toys.shop", "places.town", "type.datetime"))
SOLD, SELLS, IN, FOUNDED = (
    Term.name(name) for name in ("toys.kite.sold_by", "toys.shop.sells", "toys.shop.town", "toys.shop.founded")
)


@pytest.fixture(scope="module")
def toys() -> Ontology:
    relations = {
        SOLD: Role((KITE,), (SHOP,)),
        SELLS: Role((SHOP,), (KITE,)),
        IN: Role((SHOP,), (TOWN,)),
        FOUNDED: Role((SHOP,), (DATE,)),
    }
    return ontology_of([], relations, {SOLD: SELLS, SELLS: SOLD}, literal=lambda name: name == DATE)


@pytest.fixture(scope="module")
def drawn(toys: Ontology) -> list[Example]:
    return OntologyQuestions(toys, FREEBASE, two_relations=0.4, counts=0.1).draw(120, seed=3)


def entity(example: Example) -> dict[str, Any]:
    graph: Any = example.tags["graph_query"]
    return next(node for node in graph["nodes"] if node["node_type"] == "entity")


def test_every_form_is_a_candidate_of_its_entity(toys: Ontology, drawn: list[Example]) -> None:
    space = OntologySpace(toys, hops=2, count=True)
    for example in drawn:
        node = entity(example)
        linked = [(FREEBASE.term(node["id"]), [FREEBASE.term(node["class"])])]
        assert example.target in {each.text(FREEBASE) for each in space.of(linked)}
        assert node["friendly_name"] in example.source


def test_of_a_relation_and_its_reverse_the_one_to_the_entity_is_written(drawn: list[Example]) -> None:
    assert not any("(R toys.kite.sold_by)" in each.target or "(R toys.shop.sells)" in each.target for each in drawn)
    assert any("toys.shop.sells" in each.target for each in drawn)
    assert any("(R toys.shop.town)" in each.target for each in drawn)  # it has no reverse


def test_values_are_not_asked_for(drawn: list[Example]) -> None:
    assert not any("founded" in each.target for each in drawn)


def test_shares_and_wordings(drawn: list[Example]) -> None:
    assert {each.tags["num_edge"] for each in drawn} == {1, 2}
    assert {each.tags["function"] for each in drawn} == {"none", "count"}
    assert len({(each.source.replace(entity(each)["friendly_name"], ""), each.target[:40]) for each in drawn}) > 30
    counted = [each for each in drawn if each.tags["function"] == "count"]
    assert all(each.target.startswith("(COUNT (AND ") for each in counted)


def test_the_seed_decides(toys: Ontology) -> None:
    questions = OntologyQuestions(toys, FREEBASE)
    first, again, other = questions.draw(20, seed=1), questions.draw(20, seed=1), questions.draw(20, seed=2)
    assert [(each.source, each.target) for each in first] == [(each.source, each.target) for each in again]
    assert [each.source for each in first] != [each.source for each in other]


def test_no_question_twice_but_for_names(toys: Ontology) -> None:
    # all that can be asked of one relation is soon said
    few = ontology_of([], {IN: Role((SHOP,), (TOWN,))}, {})
    drawn = OntologyQuestions(few, FREEBASE, two_relations=0, counts=0).draw(300, seed=0)
    bare = [(each.source.replace(entity(each)["friendly_name"], ""), "(R" in each.target) for each in drawn]
    assert len(bare) == len(set(bare)) < 300


def test_a_share_beyond_one_is_refused(toys: Ontology) -> None:
    with pytest.raises(OptionError, match="counts is 2"):
        OntologyQuestions(toys, FREEBASE, counts=2)
