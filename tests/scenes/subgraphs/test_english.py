"""Sub-graphs in English: articles, plurals, clauses, modifiers, and objects said by a relation that leads to them."""

from __future__ import annotations

import pytest

from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.english import (
    Article,
    describe,
    describe_target,
    is_many,
    noun_phrase,
    predicate,
)
from recombine.scenes.subgraphs.words import find_words, words_of
from recombine.scenes.synthetic.ontology import find_ontology

WORDS = find_words()
ROPE = SubRelation("pulling", Subgraph("cart", "old"), (SubModifier("with", Subgraph("rope")),))
CAP = SubRelation("wearing", Subgraph("cap", "red"))


@pytest.mark.parametrize(
    ("graph", "one", "many", "definite"),
    [
        (Subgraph("boy"), "a boy", "boys", "the boy"),
        (Subgraph("umbrella", "red"), "a red umbrella", "red umbrellas", "the red umbrella"),
        (Subgraph("cap", "orange"), "an orange cap", "orange caps", "the orange cap"),
        (
            Subgraph("boy", "tall", (CAP,)),
            "a tall boy that is wearing a red cap",
            "tall boys that are wearing a red cap",
            "the tall boy that is wearing a red cap",
        ),
        (
            Subgraph("man", None, (CAP, ROPE)),
            "a man that is wearing a red cap and is pulling an old cart with a rope",
            "men that are wearing a red cap and are pulling an old cart with a rope",
            "the man that is wearing a red cap and is pulling an old cart with a rope",
        ),
        (
            Subgraph(
                "cup", None, (SubRelation("on", Subgraph("table", None, (SubRelation("in", Subgraph("water")),))),)
            ),
            "a cup that is on a table that is in water",
            "cups that are on a table that is in water",
            "the cup that is on a table that is in water",
        ),
        (
            Subgraph("water", None, (SubRelation("in", Subgraph("glass")),)),
            "water that is in a glass",
            "water that is in a glass",
            "the water that is in a glass",
        ),
        (
            Subgraph("jeans", "blue", (SubRelation("on", Subgraph("bed")),)),
            "blue jeans that are on a bed",
            "blue jeans that are on a bed",
            "the blue jeans that are on a bed",
        ),
        (
            Subgraph("man", "looking up", (CAP,)),
            "a man that is looking up and is wearing a red cap",
            "men that are looking up and are wearing a red cap",
            "the man that is looking up and is wearing a red cap",
        ),
        (
            Subgraph("chair", None, (SubRelation("has", Subgraph("wheel")), SubRelation("in", Subgraph("room")))),
            "a chair that has a wheel and is in a room",
            "chairs that have a wheel and are in a room",
            "the chair that has a wheel and is in a room",
        ),
    ],
)
def test_a_sub_graph_is_said(graph: Subgraph, one: str, many: str, definite: str) -> None:
    assert describe(graph) == one
    assert describe(graph, plural=True) == many
    assert describe(graph, article=Article.DEFINITE) == definite
    assert describe(graph, article=Article.NONE) == definite.removeprefix("the ")


def worn(*garments: str) -> tuple[SubRelation, ...]:
    return tuple(SubRelation("wearing", Subgraph(each)) for each in garments)


BALL = SubRelation("holding", Subgraph("ball"))
WHEEL, SEAT = SubRelation("has", Subgraph("wheel")), SubRelation("has", Subgraph("seat"))
SLED = SubRelation("pulling", Subgraph("sled"))
HIGH = SubRelation("on", Subgraph("table", None, (SubRelation("behind", Subgraph("man")),)))


@pytest.mark.parametrize(
    ("relations", "after_that", "as_a_sentence"),
    [
        ((BALL, *worn("cap")), "are holding a ball and are wearing a cap", "are holding a ball and wearing a cap"),
        (worn("cap", "coat"), "are wearing a cap and a coat", None),
        (
            (*worn("cap", "coat"), BALL),
            "are wearing a cap and a coat and are holding a ball",
            "are wearing a cap and a coat and holding a ball",
        ),
        ((WHEEL, BALL), "have a wheel and are holding a ball", None),
        ((BALL, WHEEL), "are holding a ball and have a wheel", None),
        ((SEAT, WHEEL), "have a seat and a wheel", None),
        # what is pulled with the rope, and what is behind the man, stays clear
        (
            (ROPE, SLED),
            "are pulling an old cart with a rope and are pulling a sled",
            "are pulling an old cart with a rope and pulling a sled",
        ),
        (
            (HIGH, SubRelation("on", Subgraph("box"))),
            "are on a table that is behind a man and are on a box",
            "are on a table that is behind a man and on a box",
        ),
        ((SubRelation("contain", Subgraph("box")),), "contain a box", None),
    ],
)
def test_relations_are_joined(relations: tuple[SubRelation, ...], after_that: str, as_a_sentence: str | None) -> None:
    graph = Subgraph("boy", None, relations)
    assert describe(graph, plural=True) == f"boys that {after_that}"
    one = {"are ": "is ", "have ": "has ", "contain ": "contains "}
    for many, single in one.items():
        after_that = after_that.replace(many, single)
    assert describe(graph) == f"a boy that {after_that}"
    assert predicate(graph, many=True) == as_a_sentence or as_a_sentence is None
    if as_a_sentence is None:
        assert predicate(graph, many=False) == after_that


@pytest.mark.parametrize(
    ("attribute", "noun", "said"),
    [
        ("on", "light", "a light that is on"),
        ("looking up", "man", "a man that is looking up"),
        ("old", "xbox controller", "an old xbox controller"),
        (None, "xbox controller", "an xbox controller"),
        (None, "suv", "an suv"),
        (None, "popcorn", "popcorn"),
        ("black and white", "photo", "a black and white photo"),
    ],
)
def test_attributes_and_articles(attribute: str | None, noun: str, said: str) -> None:
    assert describe(Subgraph(noun, attribute)) == said


def test_parts_of_sentences() -> None:
    assert noun_phrase(Subgraph("boy", "tall", (CAP,)), article=Article.DEFINITE) == "the tall boy"
    assert predicate(Subgraph("boy", "tall", (ROPE,)), many=True) == "are pulling an old cart with a rope"
    assert predicate(Subgraph("boy", "tall"), many=True) == ""
    assert is_many(Subgraph("boy"), plural=True)
    assert not is_many(Subgraph("water"), plural=True)
    assert is_many(Subgraph("jeans"))


def test_an_object_is_said_by_a_relation_that_leads_to_it() -> None:
    tree = Subgraph("tree", "large")
    assert (
        describe_target(tree, SubRelation("behind", Subgraph("boy")), plural=True)
        == "boys with a large tree behind them"
    )
    assert (
        describe_target(tree, SubRelation("behind", Subgraph("boy")), article=Article.DEFINITE)
        == "the boy with a large tree behind him"
    )
    assert (
        describe_target(Subgraph("boy"), ROPE, article=Article.DEFINITE, subject_article=Article.DEFINITE)
        == "the old cart with the boy pulling it with a rope"
    )
    assert (
        describe_target(Subgraph("man"), SubRelation("wearing", Subgraph("jeans"))) == "jeans with a man wearing them"
    )
    assert (
        describe_target(Subgraph("box"), SubRelation("contain", Subgraph("cup"))) == "a cup with a box that contains it"
    )
    assert (
        describe_target(Subgraph("glass"), SubRelation("in", Subgraph("water")), plural=True)
        == "water with a glass in it"
    )


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("person", "people"),
        ("child", "children"),
        ("grandchild", "grandchildren"),
        ("fireman", "firemen"),
        ("human", "humans"),
        ("box", "boxes"),
        ("bench", "benches"),
        ("puppy", "puppies"),
        ("toy", "toys"),
        ("leaf", "leaves"),
        ("knife", "knives"),
        ("tomato", "tomatoes"),
        ("photo", "photos"),
        ("sheep", "sheep"),
        ("bus", "buses"),
        ("glass", "glasses"),
        ("lens", "lenses"),
        ("coffee table", "coffee tables"),
        ("traffic light", "traffic lights"),
        ("wine glass", "wine glasses"),
        ("snow", "snow"),
        ("tomato sauce", "tomato sauce"),
        ("vases", "vases"),
    ],
)
def test_plurals(noun: str, plural: str) -> None:
    assert WORDS.plural(noun) == plural


@pytest.mark.parametrize(
    ("text", "article"),
    [("apple", "an"), ("hour", "an"), ("horse", "a"), ("uniform", "a"), ("uninterested man", "an"), ("one", "a")],
)
def test_articles(text: str, article: str) -> None:
    assert WORDS.article(text) == article


def test_the_synthetic_world_is_said_as_its_ontology_says() -> None:
    ontology = find_ontology()
    words = words_of(ontology)
    for noun in ontology.nouns.values():
        assert words.plural(noun.name) == noun.plural
        assert noun_phrase(Subgraph(noun.name), words=words) == f"{noun.article} {noun.name}".strip()
        assert words.is_countable(noun.name) == noun.countable
        assert WORDS.plural(noun.name) == noun.plural


@pytest.mark.parametrize(
    ("noun", "one", "many", "again"),
    [
        ("pair of scissors", "a pair of scissors", "pairs of scissors", "it"),
        ("box of apples", "a box of apples", "boxes of apples", "it"),
        ("glass of water", "a glass of water", "glasses of water", "it"),
        ("man in shorts", "a man in shorts", "men in shorts", "him"),
        ("water bottle", "a water bottle", "water bottles", "it"),
        ("slices of bread", "slices of bread", "slices of bread", "them"),
    ],
)
def test_what_is_before_of_says_what_a_thing_is(noun: str, one: str, many: str, again: str) -> None:
    assert describe(Subgraph(noun)) == one
    assert describe(Subgraph(noun), plural=True) == many
    assert find_words().pronoun(noun) == again
