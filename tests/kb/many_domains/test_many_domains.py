"""The made-up world of many domains: what its plan says, its facts hold, both ways, the same for a seed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter
from typing import Any

import numpy as np
import pytest

from recombine.errors import KnowledgeBaseError, OptionError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.literal_columns import XSD
from recombine.kb.facts_of import facts_of
from recombine.kb.many_domains.domain_plan import LITERAL_CLASSES, domain_plan, packaged_plan, plan_text
from recombine.kb.many_domains.many_domains import make_many_domains, many_domains_store
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.term import Term

PLAN = packaged_plan()
LEAST = int(PLAN.size["least"])
TYPE, LABEL, ALIAS = map(Term.name, ("type.object.type", "type.object.name", "common.topic.alias"))


@pytest.fixture(scope="module")
def small() -> EmbeddedStore:
    return many_domains_store(LEAST, seed=1)


@pytest.fixture(scope="module")
def middle() -> EmbeddedStore:
    return many_domains_store(40_000, seed=1)


def of_class(store: EmbeddedStore, name: str) -> set[Term]:
    return set(store.neighbours(Term.name(name), TYPE, inverse=True))


def test_the_plan_has_domains_sub_classes_middles_reverses_and_all_kinds_of_literals() -> None:
    assert len(PLAN.domains) >= 40
    by_domain = Counter(relation.name.partition(".")[0] for relation in PLAN.relations)
    assert set(by_domain) == set(PLAN.domains)
    to_things = [relation for relation in PLAN.relations if relation.to not in LITERAL_CLASSES]
    # A relation and its reverse are two sides of one: each gives two templates, by which end is asked for.
    assert 2 * len(to_things) >= 400
    assert sum(bool(relation.back) for relation in to_things) >= 100
    assert any(not relation.back for relation in to_things)
    assert sum(bool(each.above) for each in PLAN.classes.values()) >= 40
    middles = [each.name for each in PLAN.classes.values() if each.middle]
    assert len(middles) >= 12
    for name in middles:
        assert sum(relation.domain == name for relation in to_things) >= 2, name
    counts = Counter(relation.to for relation in PLAN.relations)
    assert min(counts[kind] for kind in LITERAL_CLASSES) >= 15
    # Domains lead to each other, so that walks do.
    across = {(each.name.partition(".")[0], each.to.partition(".")[0]) for each in to_things}
    assert {one for one, other in across if one != other} == set(PLAN.domains)


@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_world_has_facts_of_every_relation_and_things_of_every_class(seed: int) -> None:
    store = many_domains_store(LEAST, seed=seed)
    for name in PLAN.classes:
        assert store.count(relation=TYPE, target=Term.name(name)) >= int(PLAN.size["fewest"]), name
    for relation in PLAN.relations:
        for name in filter(None, (relation.name, relation.back)):
            assert store.count(relation=Term.name(name)) > 0, name


@pytest.mark.parametrize("size", [LEAST, 20_000, 200_000])
def test_a_world_has_about_as_many_facts_as_are_asked_for(size: int) -> None:
    facts = make_many_domains(size, seed=3)
    assert abs(facts.count - size) <= PLAN.size["slack"] * size


def test_no_fact_comes_twice(small: EmbeddedStore) -> None:
    assert len(small) == make_many_domains(LEAST, seed=1).count


@pytest.mark.parametrize("size", [LEAST - 1, 0, -5, True, 40000.5])
def test_a_size_that_no_world_has(size: int) -> None:
    with pytest.raises(OptionError, match=f"give a whole number of {LEAST} or more"):
        many_domains_store(size)


def test_the_same_seed_gives_the_same_facts_in_any_process(small: EmbeddedStore) -> None:
    code = (
        f"from recombine.kb.many_domains.many_domains import many_domains_store as f; print(f({LEAST}, seed=1).digest)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "RECOMBINE_DATA_CACHE": "off"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert many_domains_store(LEAST, seed=2).digest != done.stdout.strip() == small.digest


def test_what_leads_there_leads_back_and_ends_have_their_classes(small: EmbeddedStore) -> None:
    for relation in PLAN.relations:
        facts = facts_of(small, Term.name(relation.name))
        assert {one for one, _ in facts} <= of_class(small, relation.domain), relation
        if relation.to in LITERAL_CLASSES:
            continue
        assert {other for _, other in facts} <= of_class(small, relation.to), relation
        assert all(one != other for one, other in facts), relation
        if relation.back:
            back = facts_of(small, Term.name(relation.back))
            assert {(one, other) for other, one in back} == set(facts), relation


def test_things_of_a_class_are_of_all_above_it(small: EmbeddedStore) -> None:
    for each in PLAN.classes.values():
        for above in each.above:
            assert of_class(small, each.name) <= of_class(small, above), each
    hospitals = of_class(small, "medicine.hospital")
    assert hospitals <= of_class(small, "places.place")  # two classes above: building, then place
    assert hospitals < of_class(small, "building.building")


def test_the_schema_stands_in_the_facts(small: EmbeddedStore) -> None:
    ontology = ontology_of_facts(small)
    assert ontology.notes == ()
    both = [name for relation in PLAN.relations for name in (relation.name, relation.back) if name]
    assert {name.text for name in ontology.relations} == set(both)
    for relation in PLAN.relations:
        name = Term.name(relation.name)
        assert [each.text for each in ontology.domain(name)] == [relation.domain]
        assert [each.text for each in ontology.range(name)] == [relation.range]
        if relation.back:
            assert ontology.reverse(name) == Term.name(relation.back)
            assert [each.text for each in ontology.range(Term.name(relation.back))] == [relation.domain]
        else:
            assert ontology.reverse(name) is None
    assert [each.text for each in ontology.literal_classes] == ["type.datetime", "type.float", "type.int"]
    assert ontology.is_subclass(Term.name("opera.opera_house"), Term.name("places.place"))


def test_values_are_of_their_kinds_and_between_their_ends(small: EmbeddedStore) -> None:
    assert small.folder.description["unreadable_literals"] == 0
    types = {"int": "integer", "float": "float", "date": "date", "year": "gYear"}
    for relation in PLAN.relations:
        if relation.to not in LITERAL_CLASSES:
            continue
        values = [value for _, value in facts_of(small, Term.name(relation.name))]
        assert {value.datatype for value in values} == {XSD + types[relation.to]}, relation
        low, high = relation.between
        numbers = [float(value.text[:4] if relation.to in ("date", "year") else value.text) for value in values]
        assert low - 0.01 <= min(numbers) <= max(numbers) <= high + 0.01, relation


def test_nodes_in_the_middle_have_no_name_and_all_else_has_one(small: EmbeddedStore) -> None:
    named = {thing for thing, _ in facts_of(small, LABEL)}
    for each in PLAN.classes.values():
        things = of_class(small, each.name)
        assert not things & named if each.middle else things <= named, each
    wedding = min(of_class(small, "people.marriage"))
    assert len(small.neighbours(wedding, Term.name("people.marriage.partner"))) in (1, 2)


def test_names_and_aliases_are_shared(middle: EmbeddedStore) -> None:
    labels, aliases = facts_of(middle, LABEL), facts_of(middle, ALIAS)
    owners = Counter(label.text for _, label in labels)
    assert 0.02 < sum(count for count in owners.values() if count > 1) / len(labels) < 0.2
    assert 0.2 < len(aliases) / len(labels) < PLAN.shares["aliased"] + 0.02
    called = Counter(label.text for _, label in {*labels, *aliases})
    assert sum(called[alias.text] > 1 for _, alias in aliases) > 0.3 * len(aliases)
    own = dict(labels)
    assert all(own[thing] != alias for thing, alias in aliases)


def test_degrees_are_skewed(middle: EmbeddedStore) -> None:
    counts = Counter(town for _, town in facts_of(middle, Term.name("people.person.birthplace")))
    degrees = np.sort(np.array([counts[town] for town in of_class(middle, "places.town")]))[::-1]
    tenth = len(degrees) // 10
    assert degrees[:tenth].sum() > 0.35 * degrees.sum()
    assert (degrees[tenth:] > 0).any()


@pytest.mark.shared_data
def test_no_relation_has_the_name_of_one_of_freebases() -> None:
    commons = default_ontology()
    assert commons is not None
    both = {name for relation in PLAN.relations for name in (relation.name, relation.back) if name}
    assert not both & {name.text for name in commons.relations}


def tables(**changes: Any) -> dict[str, Any]:
    """A small plan, with some tables changed."""
    said = {
        "size": {"least": 10, "default": 100, "slack": 0.5, "fewest": 2},
        "shares": {"shared_name": 0.1, "aliased": 0.5, "skew": 0.5},
        "names": {"plain": ["{first} {last}"]},
        "lists": {},
        "a": {
            "one": {"things": 3, "names": "plain", "likes": {"to": "two", "back": "liked_by", "mean": 1.5}},
            "two": {"of": "one", "share": 0.5, "age": {"to": "int", "between": [1, 9]}},
            "tie": {"middle": True, "things": 2, "end": {"to": "b.three"}},
        },
        "b": {"three": {"things": 1, "below": "a.one", "names": ["{place}"]}},
    }
    return {**said, **changes}


def test_a_plan_of_ones_own() -> None:
    plan = domain_plan(tables())
    assert plan.domains == ("a", "b")
    assert plan.under["a.one"] == ("a.one", "a.two", "b.three")
    facts = make_many_domains(100, seed=1, plan=plan)
    assert set(facts.members["a.two"].tolist()) <= set(facts.members["a.one"].tolist())
    assert set(facts.members["a.one"].tolist()) == {*facts.own["a.one"].tolist(), *facts.own["b.three"].tolist()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": {"to": "nowhere", "back": "y"}}, "a.two: unknown class 'a.nowhere'"),
        ({"x": {"to": "one", "bak": "y"}}, r"a.two.x: unknown key 'bak'; did you mean 'back'"),
        ({"x": {"to": "int"}}, "a.two.x: literals are between two values"),
        ({"x": {"to": "one", "back": "likes"}}, "two relations are called a.one.likes"),
        ({"below": "c.four"}, "a.two: unknown class 'c.four'"),
        ({"things": 2}, "a.two: things have names, and nodes in the middle none"),
        ({"things": 2, "names": ["{frist}"]}, "a.two: unknown list of name parts 'frist'; did you mean 'first'"),
    ],
)
def test_a_plan_that_does_not_hold_together(change: dict[str, Any], message: str) -> None:
    said = tables()
    said["a"]["two"] = {**said["a"]["two"], **change}
    with pytest.raises(KnowledgeBaseError, match=message):
        domain_plan(said)


def test_a_class_of_nothing() -> None:
    with pytest.raises(KnowledgeBaseError, match=r"c\.none: has no things, nor has a class below it"):
        domain_plan(tables(c={"none": {}}))


def test_the_packaged_file_is_the_plan() -> None:
    assert domain_plan(tomllib.loads(plan_text())) == PLAN
