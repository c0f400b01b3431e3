"""What rules need of a knowledge base, and one that lacks some or most of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_store import as_oxigraph, turtle_store

from recombine.errors import KnowledgeBaseError
from recombine.grammars.unification.rules.rule_set import RuleSet, read_rule_set
from recombine.kb.cfq_stores.rule_needs import rule_needs
from recombine.kb.cfq_stores.usable_rules import check_usable, usable_rules

# A rule set of another field: one verb, one role, one noun and one constant, with a property there and none back.
RULES = """
%knowledge
→ Property(RolePair(Cook, Dish), 'ns:cooked')
→ Property(RolePair(Dish, Cook), 'ns:cooked_by')
→ Property(RolePair(Part, Whole), 'ns:part_of/ns:whole|ns:in')
→ Role(Cook, Cooking)
→ Role(Dish, Cooking)
→ Class(Recipe, 'ns:Recipe')
→ Constant(Vegan, 'ns:Diet')
%grammar
VERB=COOKED: VERB/Cooking → 'cooked'
VERB=WORD: VERB/_x → V(concept:Cooking)/_x
V=COOK: V(concept:Cooking)/Cooking → 'cook'
ROLE=PART: ROLE/ProjectedRole(Part, Whole) → 'part'
NOUN=RECIPE: NOUN/Recipe → 'recipe'
ADJECTIVE=VEGAN: ADJECTIVE/∃RolePair(Eater, Eaten).Vegan → 'vegan'
DP=A_NOUN: DP/TypeInstance(_x, new_var($V1)) → 'a' NOUN/_x
"""


@pytest.fixture
def rules(tmp_path: Path) -> RuleSet:
    path = tmp_path / "kitchen.rules"
    path.write_text("%feature concept: *\n" + RULES)
    return read_rule_set(path)


def test_what_each_rule_needs(rules: RuleSet) -> None:
    cooking = frozenset({"ns:cooked", "ns:cooked_by"})
    assert {need.rule: need.groups for need in rule_needs(rules)} == {
        "VERB=COOKED": (cooking,),
        "VERB=WORD": (cooking,),
        "V=COOK": (cooking,),
        "ROLE=PART": (frozenset({"ns:part_of/ns:whole|ns:in"}),),
        "NOUN=RECIPE": (frozenset({"ns:Recipe"}),),
        "ADJECTIVE=VEGAN": (frozenset({"ns:Diet"}),),
    }


def test_a_property_that_a_rule_names_itself_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "kitchen.rules"
    taste = "%knowledge\n→ Property(RolePair(Taster, Taste), 'ns:taste')\n→ Constant(Sweet, 'ns:Sugar')\n"
    path.write_text(taste + "%grammar\nADJECTIVE=SWEET: ADJECTIVE/∃RolePair(Taster, Taste).Sweet → 'sweet'\n")
    (need,) = rule_needs(read_rule_set(path))
    assert need.groups == (frozenset({"ns:taste"}), frozenset({"ns:Sugar"}))


@pytest.mark.parametrize("word", ["k:Recipe", "ns:in|k:in", "ns:part_of/k:whole", "^k:in"])
def test_a_prefix_that_the_profile_lacks_is_named(tmp_path: Path, word: str) -> None:
    path = tmp_path / "kitchen.rules"
    path.write_text(f"%knowledge\n→ Property(RolePair(Part, Whole), '{word}')\n")
    store = turtle_store(tmp_path, "freebase", FACTS)
    with pytest.raises(
        KnowledgeBaseError, match=r"^mine: the rules ask for k:\w+, and its profile freebase has no prefix 'k'"
    ):
        usable_rules(store, read_rule_set(path), "mine")


FACTS = ":ann :cooked :soup . :soup a :Recipe . :salt :in :soup . :soup :for :Diet ."


@pytest.mark.parametrize("kind", ["embedded", "oxigraph"])
def test_what_is_lacking_is_named_with_the_rules_that_need_it(tmp_path: Path, rules: RuleSet, kind: str) -> None:
    embedded = turtle_store(tmp_path, "freebase", FACTS.replace(":in", ":out").replace(":soup a :Recipe .", ""))
    lacks = usable_rules(embedded if kind == "embedded" else as_oxigraph(embedded), rules)
    assert lacks.properties == ("cooked_by", "part_of/ns:whole|ns:in")
    assert lacks.names == ("Recipe",)
    # One way of cooking is left, so the verb is; it takes both properties to lack it.
    assert lacks.unusable == {"ROLE=PART": ("part_of/ns:whole|ns:in",), "NOUN=RECIPE": ("Recipe",)}
    assert lacks.weights == {"ROLE=PART": 0.0, "NOUN=RECIPE": 0.0}


@pytest.mark.parametrize("kind", ["embedded", "oxigraph"])
def test_a_way_that_is_lacking_beside_another(tmp_path: Path, rules: RuleSet, kind: str) -> None:
    embedded = turtle_store(tmp_path, "freebase", FACTS + " :soup :cooked_by :ann . :salt :part_of :x .")
    lacks = usable_rules(embedded if kind == "embedded" else as_oxigraph(embedded), rules)
    assert (lacks.lacking, lacks.unusable, lacks.alternatives) == ((), {}, ("part_of/ns:whole",))
    assert check_usable(lacks, "facts") is lacks


def test_a_knowledge_base_without_most_relations_is_one_error_that_names_them(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "freebase", ":ann :film.director.film :soup . :soup :film.film.directed_by :ann .")
    lacks = usable_rules(store, read_rule_set("cfq"))
    with pytest.raises(KnowledgeBaseError) as raised:
        check_usable(lacks, "mine.ttl")
    text = str(raised.value)
    assert text.startswith("mine.ttl: lacks 37 of 39 properties and 28 classes or entities that the rules ask for: ")
    assert "people.person.nationality" in text
    assert "film.director.film," not in text
    assert text.count("\n") == 0


def test_a_knowledge_base_is_refused_only_where_too_large_a_share_is_lacking(tmp_path: Path, rules: RuleSet) -> None:
    store = turtle_store(tmp_path, "freebase", FACTS + " :soup :cooked_by :ann .")
    lacks = usable_rules(store, rules)
    assert check_usable(lacks, "facts").properties == ()
    lacks = usable_rules(turtle_store(tmp_path, "freebase", FACTS), rules)
    assert check_usable(lacks, "facts").properties == ("cooked_by",)
    with pytest.raises(KnowledgeBaseError, match=r"lacks 1 of 3 properties"):
        check_usable(lacks, "facts", most_lacking=0.1)
