from __future__ import annotations

import pytest

from recombine.languages.scenes import SCENES
from recombine.scenes.questions.leaves import Leaf, leaves_of, placed_objects
from recombine.scenes.questions.phrases import Condition, Objects
from recombine.scenes.questions.related_to import fits
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.words import find_words

WORDS = find_words()
CAP = SubRelation("wearing", Subgraph("cap"))
BALL = SubRelation("holding", Subgraph("ball"))
CART = SubRelation("pulling", Subgraph("cart", "red"), (SubModifier("with", Subgraph("rope")),))
FORK = Subgraph("boy", "tall", (CAP, BALL))
CHAIN = Subgraph("tree", "large", (SubRelation("behind", Subgraph("boy", None, (CAP,))),))
PULLS = Subgraph("man", None, (CART,))


def shown(leaf: Leaf) -> tuple[str, tuple[int, ...], str, str, str]:
    return leaf.kind, leaf.numbers, leaf.subject.say("the", None), leaf.said, SCENES.render(leaf.subject.program)


@pytest.mark.parametrize(
    ("graph", "leaves"),
    [
        (
            FORK,
            [
                (
                    "relation", (1,), "the tall boy that is holding a ball", "wearing",
                    "with_relation ( filter ( tall , find ( boy ) ) , holding , find ( ball ) )",
                ),
                (
                    "relation", (2,), "the tall boy that is wearing a cap", "holding",
                    "with_relation ( filter ( tall , find ( boy ) ) , wearing , find ( cap ) )",
                ),
                ("both", (1, 2), "the tall boy", "", "filter ( tall , find ( boy ) )"),
            ],
        ),
        (
            CHAIN,
            [
                (
                    "relation", (2,), "the boy with a large tree behind him", "wearing",
                    "with_relation_object ( filter ( large , find ( tree ) ) , behind , find ( boy ) )",
                ),
            ],
        ),
        (
            PULLS,
            [
                ("modified relation", (1, 2), "the man", "pulling", "find ( man )"),
                (
                    "modifier", (2,), "the man that is pulling a red cart", "pulling it with",
                    "with_relation ( find ( man ) , pulling , filter ( red , find ( cart ) ) )",
                ),
            ],
        ),
        (Subgraph("boy", "tall"), []),
    ],
)  # fmt: skip
def test_what_can_be_left_out(graph: Subgraph, leaves: list[object]) -> None:
    assert [shown(leaf) for leaf in leaves_of(graph, WORDS)] == leaves


def test_a_modifier_is_asked_for_as_programs_name_it() -> None:
    leaf = leaves_of(PULLS, WORDS)[1]
    assert (leaf.relation, leaf.target) == ("pulling:_with", Subgraph("rope"))


def test_objects_are_numbered_as_kinds_number_them() -> None:
    assert [(each.relation, each.modifier, each.graph.name) for each in placed_objects(PULLS)] == [
        ("", "", "man"),
        ("pulling", "", "cart"),
        ("pulling", "with", "rope"),
    ]
    assert [each.graph.name for each in placed_objects(CHAIN)] == ["tree", "boy", "cap"]


def test_conditions_are_said_and_programmed() -> None:
    both = Condition((CAP, BALL), None, True, WORDS)
    assert both.say("are", None) == "are wearing a cap and holding a ball"
    assert SCENES.render(both.program) == (
        "with_relation ( with_relation ( scene ( ) , wearing , find ( cap ) ) , holding , find ( ball ) )"
    )
    assert SCENES.render(Condition((), "red", True, WORDS).program) == "filter ( red , scene ( ) )"


@pytest.mark.parametrize(
    ("form", "number", "said"),
    [
        ("the", None, "the tall boy that is wearing a cap"),
        ("a", None, "a tall boy that is wearing a cap"),
        ("many", None, "tall boys that are wearing a cap"),
        ("number", 1, "1 tall boy that is wearing a cap"),
        ("number", 2, "2 tall boys that are wearing a cap"),
        ("it", None, "him"),
        ("nouns", None, "tall boys"),
        ("do", None, "are wearing a cap"),
    ],
)
def test_objects_are_said_in_forms(form: str, number: int | None, said: str) -> None:
    assert Objects(Subgraph("boy", "tall", (CAP,)), WORDS).say(form, number) == said


@pytest.mark.parametrize(
    ("kind", "patterns", "leaf", "expected"),
    [
        ("root_attr", ("root_attr",), (), True),
        ("root_attr+1_name", ("root_attr",), (), False),
        ("root_name+root_attr", ("root_attr+*",), (), True),
        ("root_name+1_name", ("root_attr+*",), (), False),
        ("2_rel", ("LEAF_rel",), (2,), True),
        ("1_rel", ("LEAF_rel",), (2,), False),
        ("1_name+2_name", ("LEAF_name+*_name",), (1,), True),
        ("root_attr+1_name", ("LEAF_name+*_name",), (1,), False),
        ("12_name", ("LEAF_name",), (1, 2), False),
        ("1_attr", ("*", "!root_attr"), (), True),
    ],
)
def test_kinds_fit_patterns(kind: str, patterns: tuple[str, ...], leaf: tuple[int, ...], expected: bool) -> None:
    assert fits(kind, patterns, leaf) is expected
