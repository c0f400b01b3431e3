"""Where the nouns of a description stand."""

from __future__ import annotations

from dataclasses import replace

from recombine.models.pictures.arrays.words import split_words
from recombine.models.pictures.making.marked_english import Form, marked_description, marked_words
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.english import Article, describe, describe_target
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import unflatten
from recombine.scenes.subgraphs.words import find_words
from recombine.scenes.synthetic.world import make_world

FORMS = [
    Form(article, plural, target)
    for article, plural in ((Article.INDEFINITE, False), (Article.DEFINITE, False), (Article.NONE, True))
    for target in (False, True)
]


def test_by_hand() -> None:
    words = marked_words()
    truck = Subgraph("fire truck", "red", (SubRelation("behind", Subgraph("truck")),))
    said = marked_description(truck, Form(Article.DEFINITE), words)
    assert said.words == ("the", "red", "fire", "truck", "that", "is", "behind", "a", "truck")
    assert said.nouns == (3, 8)
    pulled = SubRelation("pulling", Subgraph("sled"), (SubModifier("with", Subgraph("rope", "red")),))
    said = marked_description(Subgraph("man", None, (pulled,)), Form(Article.NONE, plural=True), words)
    assert " ".join(said.words) == "men that are pulling a sled with a red rope"
    assert said.nouns == (0, 5, 9)
    said = marked_description(
        Subgraph("tree", "large", (SubRelation("behind", Subgraph("boy")),)), Form(Article.NONE, True, True), words
    )
    assert " ".join(said.words) == "boys with a large tree behind them"
    assert said.nouns == (4, 0)
    water = marked_description(Subgraph("man", None, (SubRelation("in", Subgraph("water")),)), Form(), words)
    assert " ".join(water.words) == "a man that is in water"


def test_the_words_are_those_of_questions() -> None:
    words, plain = marked_words(), find_words()
    scene = make_world(1, seed=5)[0][0]
    scene = replace(scene, objects=tuple(replace(each, name=_longer(each.name)) for each in scene.objects))
    for flat in list(enumerate_subgraphs(scene, Limits()).roots)[::5]:
        graph = unflatten(*flat)
        for form in FORMS:
            said = marked_description(graph, form, words)
            if form.target and len(graph.relations) == 1:
                text = describe_target(
                    Subgraph(graph.name, graph.attribute),
                    graph.relations[0],
                    article=form.article,
                    plural=form.plural,
                    words=plain,
                )
            else:
                text = describe(graph, article=form.article, plural=form.plural, words=plain)
            assert list(said.words) == split_words(text)


def _longer(name: str) -> str:
    return {"man": "old-time police man", "ball": "pair of jeans"}.get(name, name)
