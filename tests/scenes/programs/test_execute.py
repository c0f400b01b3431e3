from __future__ import annotations

import pickle

import numpy as np
import plain_answers
import pytest

from recombine.errors import ProgramError
from recombine.languages.scenes import SCENES
from recombine.scenes.programs.execute import Executor, Step, execute
from recombine.scenes.programs.no_answer import NoAnswer, Reason
from recombine.scenes.programs.relaxed_executor import RelaxedExecutor
from recombine.scenes.programs.subgraph_program import subgraph_program
from recombine.scenes.related.exclusion import DifferentNames
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject, Scenes
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.canonical import canonical
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.instances import instances
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import unflatten
from recombine.tree import Tree

TYPES = {"red": "color", "blue": "color", "striped": "pattern"}
# A boy in a red cap pulls a cart with a rope; a girl in a blue cap stands next to it.
STREET = Scene(
    "street",
    (
        SceneObject(
            "b", "boy", relations=(Relation("wearing", "c"), Relation("pulling", "k", (Modifier("with", "r"),)))
        ),
        SceneObject("c", "cap", attributes=("red",)),
        SceneObject("k", "cart", attributes=("blue",)),
        SceneObject("r", "rope", attributes=("striped",)),
        SceneObject("g", "girl", relations=(Relation("wearing", "d"), Relation("next to", "k"))),
        SceneObject("d", "cap", attributes=("blue",)),
    ),
)
# Two boys in striped caps, one of them blue too, and one boy without.
PARK = Scene(
    "park",
    (
        SceneObject("1", "boy", relations=(Relation("wearing", "2"),)),
        SceneObject("2", "cap", attributes=("striped", "blue")),
        SceneObject("3", "boy", relations=(Relation("wearing", "4"),)),
        SceneObject("4", "cap", attributes=("striped",)),
        SceneObject("5", "boy"),
    ),
)
LAWN = Scene("lawn", (SceneObject("x", "lawn", attributes=("red", "blue")),))
CAPPED = "with_relation ( find ( boy ) , wearing , find ( cap ) )"


def answer(text: str, *scenes: Scene) -> object:
    program = SCENES.parse(text)
    value = execute(program, scenes, TYPES).value
    assert Executor(scenes, TYPES).value(program, range(len(scenes))) == value
    return value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count ( find ( boy ) )", 4),
        (f"count ( {CAPPED} )", 3),
        (f"count ( unique_images ( {CAPPED} ) )", 2),
        ("count ( filter ( striped , find ( cap ) ) )", 2),
        ("count ( with_relation ( find ( boy ) , pulling:_with , find ( rope ) ) )", 1),
        ("count ( with_relation ( find ( girl ) , pulling:_with , find ( rope ) ) )", 0),
        ("count ( with_relation_object ( find ( boy ) , wearing , scene ( ) ) )", 3),
        (f"count ( keep_eq ( group_by_images ( {CAPPED} ) , 1 ) )", 1),
        (f"count ( keep_geq ( group_by_images ( {CAPPED} ) , 1 ) )", 2),
        # the lawn has none, which is at most one
        (f"count ( keep_leq ( group_by_images ( {CAPPED} ) , 1 ) )", 2),
        (f"count ( keys ( keep_eq ( group_by_images ( {CAPPED} ) , 0 ) ) )", 1),
        ("gt ( count ( find ( boy ) ) , count ( find ( cap ) ) )", False),
        ("eq ( count ( find ( boy ) ) , count ( find ( cap ) ) )", True),
        ("leq ( count ( find ( boy ) ) , 3 )", False),
        ("geq ( count ( find ( boy ) ) , 4 )", True),
        ("lt ( count ( find ( girl ) ) , count ( find ( boy ) ) )", True),
        ("and ( exists ( find ( girl ) ) , exists ( find ( dog ) ) )", False),
        ("or ( exists ( find ( dog ) ) , exists ( find ( girl ) ) )", True),
        ("all ( find ( boy ) , with_relation ( scene ( ) , wearing , find ( cap ) ) )", False),
        ("some ( find ( boy ) , with_relation ( scene ( ) , wearing , find ( cap ) ) )", True),
        ("none ( find ( girl ) , with_relation ( scene ( ) , pulling , find ( cart ) ) )", True),
        ("all ( find ( girl ) , with_relation ( scene ( ) , wearing , filter ( blue , find ( cap ) ) ) )", True),
        ("verify_attr ( blue , unique ( find ( cart ) ) )", True),
        ("verify_attr ( red , unique ( find ( cart ) ) )", False),
        ("choose_attr ( red , blue , unique ( find ( cart ) ) )", "blue"),
        ("query_attr [ color ] ( unique ( find ( cart ) ) )", "blue"),
        ("all_same [ pattern ] ( filter ( striped , find ( cap ) ) )", True),
        ("all_same [ color ] ( with_relation_object ( find ( girl ) , wearing , scene ( ) ) )", True),
        (
            "query_name ( unique ( with_relation_object ( assert_unique ( find ( girl ) ) , next to , scene ( ) ) ) )",
            "cart",
        ),
        (
            "choose_name ( cart , rope , unique ( with_relation_object ( find ( girl ) , next to , scene ( ) ) ) )",
            "cart",
        ),
        ("choose_rel ( pulling , next to , unique ( find ( girl ) ) , find ( cart ) )", "next to"),
        (
            "eq ( query_attr [ color ] ( unique ( find ( cart ) ) ) , query_attr [ color ] "
            "( unique ( with_relation_object ( find ( girl ) , wearing , find ( cap ) ) ) ) )",
            True,
        ),
    ],
)
def test_answers_by_hand(text: str, expected: object) -> None:
    value = answer(text, STREET, PARK, LAWN)
    assert value == expected
    assert type(value) is type(expected)


# A man pulls a cart with a chain and a sled with a rope; a boy pulls a cart with a rope along a road.
YARD = Scene(
    "yard",
    (
        SceneObject(
            "m",
            "man",
            relations=(
                Relation("pulling", "k", (Modifier("with", "c"),)),
                Relation("pulling", "s", (Modifier("with", "r"),)),
            ),
        ),
        SceneObject("k", "cart"),
        SceneObject("c", "chain"),
        SceneObject("s", "sled"),
        SceneObject("r", "rope"),
        SceneObject(
            "b",
            "boy",
            attributes=("tall",),
            relations=(
                Relation("wearing", "h"),
                Relation("pulling", "k", (Modifier("with", "r"), Modifier("along", "w"))),
                Relation("pulling", "s"),
            ),
        ),
        SceneObject("w", "road"),
        SceneObject("h", "hat"),
    ),
)


def pulling(what: str, *mods: tuple[str, str]) -> SubRelation:
    return SubRelation("pulling", Subgraph(what), tuple(SubModifier(name, Subgraph(child)) for name, child in mods))


HAT = SubRelation("wearing", Subgraph("hat"))


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (Subgraph("man", None, (pulling("cart", ("with", "chain")),)), 1),
        # he pulls a cart, and he pulls with a rope, but that is the sled
        (Subgraph("man", None, (pulling("cart", ("with", "rope")),)), 0),
        (Subgraph("man", None, (pulling("sled", ("with", "chain")),)), 0),
        (Subgraph("boy", None, (pulling("cart", ("with", "rope"), ("along", "road")),)), 1),
        (Subgraph("boy", None, (pulling("cart", ("with", "rope"), ("with", "road")),)), 0),
        (Subgraph("boy", None, (pulling("sled", ("with", "rope")),)), 0),
        (Subgraph("boy", "tall", (pulling("cart", ("with", "rope")), HAT)), 1),
        (Subgraph("man", None, (pulling("cart", ("with", "chain")), pulling("sled", ("with", "rope")))), 1),
        (Subgraph("man", None, (pulling("cart", ("with", "rope")), pulling("sled", ("with", "chain")))), 0),
    ],
)
def test_a_modifier_belongs_to_its_relation(graph: Subgraph, expected: int) -> None:
    """Program, matcher and index agree where another relation of the subject has the modifier."""
    program = subgraph_program(graph)
    assert Executor((YARD,), {}).count(program, 0) == expected
    assert answer(f"count ( {SCENES.render(program)} )", YARD) == expected
    assert plain_answers.answer(f"count ( {SCENES.render(program)} )", [YARD], {}) == expected
    assert len(instances(YARD, graph)) == expected
    assert RelatedImages([YARD], DifferentNames()).counts(canonical(graph))[1].sum() == expected
    widely = RelaxedExecutor(Scenes((YARD,), ""), DifferentNames())
    assert widely.count(program, 0) == expected


def random_scene(seed: int) -> Scene:
    """Four objects of two names, with relations of two names that have up to two modifiers."""
    random = np.random.default_rng(seed)

    def one(size: int) -> str:
        return str(random.integers(size))

    def relation() -> Relation:
        mods = tuple(Modifier(f"m{one(2)}", one(4)) for _ in range(random.integers(3)))
        return Relation(f"r{one(2)}", one(4), mods)

    objects = [
        SceneObject(str(place), f"n{one(2)}", relations=tuple(relation() for _ in range(random.integers(4))))
        for place in range(4)
    ]
    return Scene("s", tuple(objects))


@pytest.mark.parametrize("seed", range(6))
def test_the_program_of_any_sub_graph_refers_to_what_the_index_has_counted(seed: int) -> None:
    scene = random_scene(seed)
    limits = Limits.paper(relations_on_a_way=1, most_subgraphs=50_000, modifiers_per_relation=2)
    found = enumerate_subgraphs(scene, limits)
    executor = Executor((scene,), {})
    assert not found.cut
    assert any(relation.mods for graph in found.subgraphs() for relation in graph.relations)
    for flat, roots in found.roots.items():
        graph = unflatten(*flat)
        assert executor.count(subgraph_program(graph), 0) == roots, graph


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("with_relation ( find ( man ) , pulling , find ( cart ) )", "chain"),
        ("with_relation ( find ( man ) , pulling , find ( sled ) )", "rope"),
        ("with_relation ( with_relation ( find ( boy ) , pulling , find ( cart ) ) , wearing , find ( hat ) )", "rope"),
        ("filter ( tall , with_relation ( find ( boy ) , pulling , find ( cart ) ) )", "rope"),
        ("with_relation ( find ( boy ) , pulling , find ( sled ) )", None),
        # of nothing that it pulls, but of all that it does
        ("find ( man )", None),
    ],
)
def test_what_is_done_with_is_asked_of_its_relation(subject: str, expected: str | None) -> None:
    text = f"query_name ( unique ( with_relation_object ( assert_unique ( {subject} ) , pulling:_with , scene ( ) ) ) )"
    assert plain_answers.answer(text, [YARD], {}) == expected
    if expected is None:
        with pytest.raises(NoAnswer, match=Reason.NOT_UNIQUE):
            answer(text, YARD)
    else:
        assert answer(text, YARD) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("all ( find ( dog ) , filter ( red , scene ( ) ) )", Reason.EMPTY_SUBJECT),
        ("none ( find ( dog ) , filter ( red , scene ( ) ) )", Reason.EMPTY_SUBJECT),
        ("all_same [ color ] ( find ( dog ) )", Reason.EMPTY_SUBJECT),
        ("verify_attr ( red , unique ( find ( cap ) ) )", Reason.NOT_UNIQUE),
        ("verify_attr ( red , unique ( find ( dog ) ) )", Reason.NOT_UNIQUE),
        (
            "query_name ( unique ( with_relation_object ( assert_unique ( find ( boy ) ) , on , scene ( ) ) ) )",
            Reason.NOT_UNIQUE,
        ),
        ("choose_attr ( red , striped , unique ( find ( cart ) ) )", Reason.NEITHER_CHOICE),
        ("choose_attr ( red , blue , unique ( find ( lawn ) ) )", Reason.BOTH_CHOICES),
        ("choose_rel ( on , in , unique ( find ( girl ) ) , find ( cart ) )", Reason.NEITHER_CHOICE),
        ("query_attr [ color ] ( unique ( find ( lawn ) ) )", Reason.SEVERAL_VALUES),
        ("query_attr [ color ] ( unique ( find ( rope ) ) )", Reason.NO_VALUE),
        ("count ( scene ( ) )", Reason.OVER_FIVE),
    ],
)
def test_no_valid_answer_has_a_reason(text: str, reason: Reason) -> None:
    for run in (
        lambda: execute(SCENES.parse(text), (STREET, PARK, LAWN), TYPES),
        lambda: Executor((STREET, PARK, LAWN), TYPES).value(SCENES.parse(text), range(3)),
    ):
        with pytest.raises(NoAnswer, match=reason) as caught:
            run()
        assert caught.value.reason is reason
    assert pickle.loads(pickle.dumps(caught.value)).reason is reason  # noqa: S301


def test_a_number_over_five_may_be_compared() -> None:
    assert answer("geq ( count ( scene ( ) ) , 5 )", STREET, PARK) is True


def test_every_step_is_in_the_trace() -> None:
    program = SCENES.parse("eq ( count ( keep_geq ( group_by_images ( filter ( red , find ( cap ) ) ) , 1 ) ) , 1 )")
    assert execute(program, (STREET, LAWN), TYPES).trace == (
        Step("find", ("cap",), (("street", "c"), ("street", "d"))),
        Step("filter", ("red", 0), (("street", "c"),)),
        Step("group_by_images", (1,), (("street", ("c",)), ("lawn", ()))),
        Step("keep_geq", (2, "1"), (("street", ("c",)),)),
        Step("count", (3,), 1),
        Step("eq", (4, "1"), True),
    )
    program = SCENES.parse("query_attr [ color ] ( unique ( filter ( red , find ( cap ) ) ) )")
    assert execute(program, (STREET,), TYPES).trace[-2:] == (
        Step("unique", (1,), (("street", "c"),)),
        Step("query_attr[color]", (2,), "red"),
    )
    program = SCENES.parse("count ( unique_images ( find ( cap ) ) )")
    assert execute(program, (LAWN, STREET), TYPES).trace[1] == Step("unique_images", (0,), ("street",))


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("count ( count ( find ( dog ) ) )", 6, "argument 1 of 'count' is a number where objects or images or groups"),
        ("query_attr [ color ] ( find ( dog ) )", 21, "argument 1 of 'query_attr' is objects where one object"),
        (
            "and ( exists ( find ( a ) ) , count ( find ( a ) ) )",
            4,
            "argument 2 of 'and' is a number where true or false",
        ),
        ("exists ( unique_images ( find ( a ) ) )", 7, "argument 1 of 'exists' is images where objects"),
        ("eq ( count ( find ( a ) ) , query_name ( unique ( find ( a ) ) ) )", 3, "'eq' compares a number with a word"),
        ("gt ( query_name ( unique ( find ( a ) ) ) , 2 )", 3, "argument 1 of 'gt' is a word where a number"),
        ("find ( dog )", 0, "the program gives objects, which is no answer"),
    ],
)
def test_type_faults_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        execute(SCENES.parse(text), (STREET,), TYPES)
    assert caught.value.position == position
    assert problem in str(caught.value)


def test_a_tree_that_is_no_program_is_refused() -> None:
    with pytest.raises(ProgramError, match="'smell' is no operator"):
        execute(Tree("smell", (Tree("dog"),)), (STREET,), TYPES)


def test_the_program_of_a_subgraph() -> None:
    graph = Subgraph(
        "boy",
        "tall",
        (
            SubRelation("pulling", Subgraph("cart", "red"), (SubModifier("with", Subgraph("rope")),)),
            SubRelation("on", Subgraph("road (old)")),
        ),
    )
    assert SCENES.render(subgraph_program(graph)) == (
        "with_relation ( with_relation ( with_relation ( filter ( tall , find ( boy ) ) , pulling , filter ( red , "
        'find ( cart ) ) ) , pulling:_with , find ( rope ) ) , on , find ( "road (old)" ) )'
    )
