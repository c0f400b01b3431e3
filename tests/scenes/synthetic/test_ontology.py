"""The ontology is of a piece, and says which names exclude each other."""

from __future__ import annotations

from recombine.scenes.synthetic.ontology import find_ontology

ONTOLOGY = find_ontology()


def test_every_name_that_is_referred_to_is_there() -> None:
    nouns, relations = ONTOLOGY.nouns, ONTOLOGY.relations
    sorts = {noun.sort for noun in ONTOLOGY.drawn}
    for noun in nouns.values():
        assert noun.parent in (None, *nouns)
        assert noun.same in (None, *nouns)
        assert set(noun.has) <= set(ONTOLOGY.values)
        assert set(noun.only) <= set(ONTOLOGY.attributes)
        assert noun.plural
    for relation in relations.values():
        assert relation.parent in (None, *relations)
        assert relation.inverse in (None, *relations)
        assert set(relation.excludes) <= set(relations)
        assert {*relation.subjects, *relation.objects} <= sorts
        assert set(relation.poses) <= set(ONTOLOGY.values["pose"])
    for theme in ONTOLOGY.themes:
        assert all(nouns[name].size is not None for name in theme.nouns)


def test_the_size_of_the_world() -> None:
    # about 26–40 nouns, 15 or more attributes and 10–14 relations that are drawn
    assert 26 <= len(ONTOLOGY.drawn) <= 40
    assert len(ONTOLOGY.attributes) >= 15
    assert 10 <= sum(relation.share > 0 for relation in ONTOLOGY.relations.values()) <= 14
    assert {name for theme in ONTOLOGY.themes for name in theme.nouns} == {noun.name for noun in ONTOLOGY.drawn}


def test_a_name_does_not_exclude_wider_words_and_synonyms() -> None:
    assert ONTOLOGY.noun_names("man") == ("man", "guy", "person")
    assert ONTOLOGY.noun_names("kid") == ("kid", "child", "person")
    for first, second in (("puppy", "dog"), ("puppy", "animal"), ("boy", "kid"), ("guy", "man"), ("guy", "person")):
        assert not ONTOLOGY.excludes_noun(first, second)
        assert not ONTOLOGY.excludes_noun(second, first)
    for first, second in (("puppy", "kitten"), ("puppy", "cat"), ("man", "kid"), ("dog", "furniture")):
        assert ONTOLOGY.excludes_noun(first, second)
        assert ONTOLOGY.excludes_noun(second, first)


def test_attributes_exclude_others_of_their_type() -> None:
    assert ONTOLOGY.excludes_attribute("red", "blue")
    assert ONTOLOGY.excludes_attribute("sitting", "running")
    assert not ONTOLOGY.excludes_attribute("red", "red")
    assert not ONTOLOGY.excludes_attribute("red", "wooden")
    assert not ONTOLOGY.excludes_attribute("shiny", "red")


def test_relations_exclude_each_other_one_way_or_both() -> None:
    both = (("on", "under"), ("behind", "in front of"), ("kicking", "carrying"), ("pulling", "pushing"))
    for first, second in both:
        assert ONTOLOGY.excludes_relation(first, second)
        assert ONTOLOGY.excludes_relation(second, first)
    # who is said to hold a cup is next to it; who is said to be next to it does not hold it
    assert ONTOLOGY.excludes_relation("holding", "next to")
    assert not ONTOLOGY.excludes_relation("next to", "holding")
    assert not ONTOLOGY.excludes_relation("holding", "carrying")
    assert ONTOLOGY.excludes_relation("carrying", "holding")


def test_a_wider_relation_is_not_excluded_and_excludes_for_what_is_narrower() -> None:
    assert not ONTOLOGY.excludes_relation("on", "standing on")
    assert not ONTOLOGY.excludes_relation("standing on", "on")
    assert not ONTOLOGY.excludes_relation("near", "next to")
    assert ONTOLOGY.excludes_relation("standing on", "under")  # as "on" is excluded
    assert ONTOLOGY.excludes_relation("under", "standing on")
