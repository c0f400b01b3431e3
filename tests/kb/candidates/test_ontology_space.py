"""Candidates of an ontology alone: by hand on a few classes, and on Freebase's with GrailQA's questions."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.kb.candidates.ontology_space import OntologySpace
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

FREEBASE = find_profile("freebase")
KITE, SHOP, TOWN, DATE = (Term.name(name) for name in ("toys.kite", "toys.shop", "places.town", "type.datetime"))
ENTITY = Term.name("m.0a")


def roles(**given: tuple[Term, Term]) -> dict[Term, Role]:
    names = {name: Term.name(name.replace("__", ".")) for name in given}
    return {names[name]: Role((start,), (end,)) for name, (start, end) in given.items()}


@pytest.fixture(scope="module")
def toys() -> Ontology:
    """Kites are sold by shops, which are in towns and were founded at a date; shops sell kites, by its reverse."""
    relations = roles(
        toys__kite__sold_by=(KITE, SHOP),
        toys__shop__sells=(SHOP, KITE),
        toys__shop__town=(SHOP, TOWN),
        toys__shop__founded=(SHOP, DATE),
    )
    sold, sells = Term.name("toys.kite.sold_by"), Term.name("toys.shop.sells")
    return ontology_of([], relations, {sold: sells}, literal=lambda name: name == DATE)


def texts(ontology: Ontology, class_: Term, *, hops: int = 1, count: bool = False) -> list[str]:
    space = OntologySpace(ontology, hops=hops, count=count)
    return [each.text(FREEBASE) for each in space.of([(ENTITY, [class_])])]


def test_relations_from_a_class_and_to_it_in_order(toys: Ontology) -> None:
    # a relation and its reverse are both there; the class is that at the other end
    assert texts(toys, KITE) == [
        "(AND toys.shop (JOIN (R toys.kite.sold_by) m.0a))",
        "(AND toys.shop (JOIN toys.shop.sells m.0a))",
    ]
    assert texts(toys, SHOP) == [
        "(AND toys.kite (JOIN toys.kite.sold_by m.0a))",
        "(AND type.datetime (JOIN (R toys.shop.founded) m.0a))",
        "(AND toys.kite (JOIN (R toys.shop.sells) m.0a))",
        "(AND places.town (JOIN (R toys.shop.town) m.0a))",
    ]


def test_two_hops_go_on_from_classes_and_not_from_values(toys: Ontology) -> None:
    found = texts(toys, TOWN, hops=2)
    assert found[0] == "(AND toys.shop (JOIN toys.shop.town m.0a))"
    # from a shop there are four steps, back to the town among them
    assert found[1:] == [
        "(AND toys.kite (JOIN toys.kite.sold_by (JOIN toys.shop.town m.0a)))",
        "(AND type.datetime (JOIN (R toys.shop.founded) (JOIN toys.shop.town m.0a)))",
        "(AND toys.kite (JOIN (R toys.shop.sells) (JOIN toys.shop.town m.0a)))",
        "(AND places.town (JOIN (R toys.shop.town) (JOIN toys.shop.town m.0a)))",
    ]
    from_shop = texts(toys, SHOP, hops=2)
    assert not any("(R toys.shop.founded) m.0a)))" in text for text in from_shop)
    assert len(from_shop) == 4 + 2 + 2 + 1  # two steps at kites, by each way to them, and one at towns


def test_counts_come_after_their_paths(toys: Ontology) -> None:
    found = texts(toys, TOWN, count=True)
    assert found == [
        "(AND toys.shop (JOIN toys.shop.town m.0a))",
        "(COUNT (AND toys.shop (JOIN toys.shop.town m.0a)))",
    ]


def test_one_path_that_several_classes_have_is_one_candidate(toys: Ontology) -> None:
    space = OntologySpace(toys)
    assert len(space.of([(ENTITY, [KITE, KITE])])) == 2
    assert len(space.of([(ENTITY, [KITE, TOWN])])) == 3
    assert space.of([(ENTITY, [Term.name("toys.unknown")])]) == ()
    assert space.of([]) == ()


def test_classes_that_are_one_have_the_same_relations() -> None:
    plaything = Term.name("toys.plaything")
    ontology = ontology_of([(KITE, plaything), (plaything, KITE)], roles(toys__kite__sold_by=(KITE, SHOP)), {})
    assert texts(ontology, plaything) == texts(ontology, KITE) == ["(AND toys.shop (JOIN (R toys.kite.sold_by) m.0a))"]


@pytest.mark.parametrize("hops", [0, 3])
def test_other_numbers_of_hops_are_refused(toys: Ontology, hops: int) -> None:
    with pytest.raises(OptionError, match="give 1 to 2"):
        OntologySpace(toys, hops=hops)


def test_the_signature_says_the_options(toys: Ontology) -> None:
    assert OntologySpace(toys).signature == "candidates(ontology,hops=1)"
    assert OntologySpace(toys, hops=2, count=True).signature == "candidates(ontology,hops=2,count)"
