"""Sub-graphs of scenes under limits, their canonical form, their instances, and scenes that are too large."""

from __future__ import annotations

import os
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import InputFileError, InputWarning, OptionError
from recombine.scenes.files.read_scenes import read_scenes
from recombine.scenes.scene import Box, Modifier, Relation, Scene, SceneObject
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.canonical import canonical
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.from_json import subgraph_from_json
from recombine.scenes.subgraphs.instances import holds, instances
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import flatten, nodes_of, objects_of, orders_of, unflatten
from recombine.scenes.subgraphs.simple_subgraphs import simple_subgraphs
from recombine.scenes.synthetic.world import make_world

DATA = Path(os.environ.get("RECOMBINE_DATA", ""), "scenes")
CAP, BALL = SubRelation("wearing", Subgraph("cap")), SubRelation("holding", Subgraph("ball"))


def small_scene() -> Scene:
    """A tall boy who wears a red cap and pulls a cart with a rope; a dog is in the cart."""
    return Scene(
        "s",
        (
            SceneObject(
                "1",
                "boy",
                Box(0, 0, 50, 50),
                ("tall",),
                (Relation("wearing", "2"), Relation("pulling", "3", (Modifier("with", "4"),))),
            ),
            SceneObject("2", "cap", Box(0, 0, 30, 30), ("red",)),
            SceneObject("3", "cart", Box(0, 0, 40, 40), (), (Relation("to the left of", "1"),)),
            SceneObject("4", "rope", Box(0, 0, 10, 10)),
            SceneObject("5", "dog", Box(0, 0, 21, 20), (), (Relation("in", "3"),)),
        ),
    )


def listed(scene: Scene, limits: Limits | None = None) -> list[Subgraph]:
    return enumerate_subgraphs(scene, limits or Limits()).subgraphs()


def test_all_sub_graphs_of_a_small_scene() -> None:
    boy, cap, cart = ("boy", (None, "tall")), ("cap", (None, "red")), Subgraph("cart")
    with_rope = SubRelation("pulling", cart, (SubModifier("with", Subgraph("rope")),))
    wanted = {Subgraph(name) for name in ("cart", "rope", "dog")}
    wanted |= {Subgraph(name, attribute) for name, attributes in (boy, cap) for attribute in attributes}
    wanted.add(Subgraph("dog", None, (SubRelation("in", cart),)))
    for attribute, pulled in product(boy[1], (SubRelation("pulling", cart), with_rope)):
        wanted.add(Subgraph("boy", attribute, (pulled,)))
        wanted.add(canonical(Subgraph("boy", attribute, (SubRelation("wearing", Subgraph("cap")), pulled))))
    wanted |= {
        Subgraph("boy", attribute, (SubRelation("wearing", Subgraph("cap", colour)),))
        for attribute, colour in product(boy[1], cap[1])
    }
    graphs = listed(small_scene())
    assert len(graphs) == len(set(graphs)) == 20
    assert set(graphs) == wanted


def test_each_rule_can_be_put_off() -> None:
    scene = small_scene()
    usual = set(listed(scene))
    left = set(listed(scene, Limits(relations_left_out=frozenset()))) - usual
    assert Subgraph("cart", None, (SubRelation("to the left of", Subgraph("boy")),)) in left
    assert (
        Subgraph(
            "dog", None, (SubRelation("in", Subgraph("cart", None, (SubRelation("to the left of", Subgraph("boy")),))),)
        )
        in left
    )
    dressed = set(listed(scene, Limits(fork_of_bare_objects=False))) - usual
    assert dressed
    assert all(len(graph.relations) == 2 for graph in dressed)
    assert any(relation.child.attribute == "red" for graph in dressed for relation in graph.relations)
    assert {graph.size for graph in listed(scene, Limits(relations_per_object=1))} == {1, 3, 5}
    assert {graph.depth for graph in listed(scene, Limits(relations_on_a_way=0))} == {1}
    without = set(listed(scene, Limits(modifiers_per_relation=0)))
    assert not any(relation.mods for graph in without for relation in graph.relations)
    assert Subgraph("dog") not in listed(scene, Limits(smallest_area=420))
    assert Subgraph("dog") in listed(scene, Limits(smallest_area=419))
    assert Subgraph("boy") not in listed(scene, Limits(nouns_left_out=frozenset({"boy"})))
    needs = Limits(needs_attribute=frozenset({("wearing", "cap")}))
    assert Subgraph("boy", None, (CAP,)) not in listed(scene, needs)
    assert Subgraph("boy", None, (SubRelation("wearing", Subgraph("cap", "red")),)) in listed(scene, needs)


def test_a_name_occurs_once_and_only_the_root_forks() -> None:
    chain = (
        SceneObject("1", "boy", None, (), (Relation("next to", "2"), Relation("holding", "4"))),
        SceneObject("2", "girl", None, (), (Relation("next to", "3"), Relation("holding", "4"))),
        SceneObject("3", "boy"),
        SceneObject("4", "ball"),
    )
    scene = Scene("s", chain)
    back = Subgraph(
        "boy", None, (SubRelation("next to", Subgraph("girl", None, (SubRelation("next to", Subgraph("boy")),))),)
    )
    assert back not in listed(scene)
    assert back in listed(scene, Limits(distinct_names=False))
    both = (SubRelation("holding", Subgraph("ball")), SubRelation("next to", Subgraph("boy")))
    forked = Subgraph("boy", None, (SubRelation("next to", Subgraph("girl", None, both)),))
    assert forked not in listed(scene, Limits(distinct_names=False))
    assert forked in listed(scene, Limits(distinct_names=False, fork_at_root_only=False))
    twice = Scene(
        "t",
        (
            SceneObject("1", "boy", None, (), (Relation("holding", "2"), Relation("holding", "3"))),
            *(SceneObject(number, "ball", None, (colour,)) for number, colour in (("2", "red"), ("3", "blue"))),
        ),
    )
    equal = Subgraph("boy", None, tuple(SubRelation("holding", Subgraph("ball", colour)) for colour in ("blue", "red")))
    loose: dict[str, Any] = {"distinct_names": False, "fork_of_bare_objects": False}
    assert equal not in listed(twice, Limits(**loose))
    assert equal in listed(twice, Limits(**loose, equal_edges_once=False))


def test_what_is_enumerated_is_what_holds() -> None:
    for limits in (Limits(), Limits.paper()):
        for scene in make_world(25, seed=4, noise=0.2)[0]:
            found = enumerate_subgraphs(scene, limits)
            for flat, roots in found.roots.items():
                graph = unflatten(*flat)
                assert flatten(graph) == flat
                assert canonical(graph) == graph
                assert found.cut or len(instances(scene, graph)) == roots
                assert len(flat.names) == len(nodes_of(flat.shape))
                assert graph.size <= 15


def test_canonical_form_does_not_depend_on_order() -> None:
    mods = (SubModifier("with", Subgraph("rope")), SubModifier("into", Subgraph("barn", "red")))
    pulled = SubRelation("pulling", Subgraph("cart"), mods)
    turned = SubRelation("pulling", Subgraph("cart"), mods[::-1])
    one = canonical(Subgraph("boy", None, (CAP, BALL, pulled)))
    assert one == canonical(Subgraph("boy", None, (turned, BALL, CAP)))
    assert one == canonical(one)
    assert one != canonical(Subgraph("boy", None, (turned, BALL)))
    assert subgraph_from_json(one.to_json()) == one


def test_orders_and_places_of_a_shape() -> None:
    mods = (SubModifier("with", Subgraph("rope")), SubModifier("into", Subgraph("barn")))
    graph = Subgraph("boy", "tall", (SubRelation("pulling", Subgraph("cart"), mods),))
    flat = flatten(graph)
    assert flat.names == ("boy", "tall", "pulling", "cart", "with", "rope", "into", "barn")
    assert orders_of(flat.shape) == ((0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 2, 3, 6, 7, 4, 5))
    barn = objects_of(flat.shape)[3]
    assert (barn.name, barn.parent, barn.relation, barn.modifier, barn.leaf) == (7, 0, 2, 6, True)


def test_instances_are_those_of_the_program() -> None:
    scene = small_scene()
    rope = SubRelation("pulling", Subgraph("cart"), (SubModifier("with", Subgraph("rope")),))
    assert instances(scene, Subgraph("boy", "tall", (rope,))) == ["1"]
    assert instances(scene, Subgraph("boy", None, (SubRelation("pulling:_with", Subgraph("rope")),))) == ["1"]
    assert not holds(scene, Subgraph("boy", None, (SubRelation("pulling:_with", Subgraph("cart")),)))
    assert not holds(scene, Subgraph("boy", "short"))
    # two nodes may be one object, as with_relation asks for any
    pair = Scene(
        "p",
        (
            SceneObject("1", "boy", None, (), (Relation("next to", "2"),)),
            SceneObject("2", "boy", None, ("tall",), (Relation("next to", "1"),)),
        ),
    )
    there_and_back = Subgraph(
        "boy",
        None,
        (SubRelation("next to", Subgraph("boy", None, (SubRelation("next to", Subgraph("boy", "tall")),))),),
    )
    assert instances(pair, there_and_back) == ["2"]


def test_a_modifier_belongs_to_its_relation() -> None:
    scene = Scene(
        "s",
        (
            SceneObject(
                "1", "man", None, (), (Relation("pulling", "2", (Modifier("with", "4"),)), Relation("pulling", "3"))
            ),
            SceneObject("2", "cart"),
            SceneObject("3", "sled"),
            SceneObject("4", "rope"),
        ),
    )
    mods = (SubModifier("with", Subgraph("rope")),)
    assert holds(scene, Subgraph("man", None, (SubRelation("pulling", Subgraph("cart"), mods),)))
    assert not holds(scene, Subgraph("man", None, (SubRelation("pulling", Subgraph("sled"), mods),)))


def test_simple_sub_graphs() -> None:
    mods = (SubModifier("with", Subgraph("rope")),)
    graph = Subgraph("man", "tall", (SubRelation("pulling", Subgraph("cart", "red"), mods),))
    simple = simple_subgraphs(graph)
    assert len(simple) == len(set(simple)) == 10
    assert Subgraph("man", "tall", (SubRelation("pulling:_with", Subgraph("rope")),)) in simple
    assert Subgraph("man", "tall", (SubRelation("pulling", Subgraph("cart", "red")),)) not in simple
    assert all(each.size <= 3 for each in simple)


@pytest.mark.shared_data
def test_the_counts_of_four_real_scenes() -> None:
    scenes = read_scenes(DATA / "gqa_debug_sceneGraphs.json")
    graphs = {graph for scene in scenes for graph in listed(scene)}
    assert sum(graph.size == 1 for graph in graphs) == 90
    assert sum(graph.size == 3 for graph in graphs) == 209
    published = {graph for scene in scenes for graph in listed(scene, Limits.published())}
    assert published < graphs
    assert not {"wall", "sky", "street"} & {graph.name for graph in published}
    # the license plate has 330 pixels
    assert Subgraph("license plate") in graphs - published


@pytest.mark.shared_data
def test_a_frame_gives_a_ternary_relation() -> None:
    with pytest.warns(InputWarning, match="WordNet ids"):
        scenes = read_scenes(DATA / "imsitu_jumping_10.predictions")
    bed = Subgraph("n02818832")
    ternary = Subgraph("n10084295", None, (SubRelation("jumping from", bed, (SubModifier("into", bed),)),))
    # it is a bed that the child jumps from and into, and a name occurs once
    assert ternary in listed(scenes[0], Limits(distinct_names=False))
    assert ternary not in listed(scenes[0])
    assert Subgraph("n10084295", None, (SubRelation("jumping from", bed),)) in listed(scenes[0])


@pytest.mark.slow
def test_a_scene_of_many_objects_and_a_hub_stay_bounded() -> None:
    def each(number: int, count: int, targets: int, names: int) -> SceneObject:
        relations = tuple(
            Relation(f"r{at % 7}", str((number + at) % count), (Modifier("with", str(at)),))
            for at in range(1, targets + 1)
        )
        return SceneObject(str(number), f"n{number % names}", None, (f"a{number % 5}", "b"), relations)

    hub = Scene("hub", (each(0, 201, 200, 201), *(each(number, 201, 0, 201) for number in range(1, 201))))
    many = Scene("many", tuple(each(number, 500, 200, 500) for number in range(500)))
    alike = Scene("alike", tuple(each(number, 500, 200, 1) for number in range(500)))
    for scene, most in ((hub, 5_000), (many, 5_000), (alike, 5_000), (many, 300)):
        began = time.process_time()
        found = enumerate_subgraphs(scene, Limits(most_subgraphs=most))
        assert time.process_time() - began < 10
        assert len(found.roots) <= most
        assert found.cut or scene is alike
        sizes = [graph.size for graph in found.subgraphs()]
        assert sizes == sorted(sizes)
    # what is small comes first, so that objects are all there
    assert sum(size == 1 for size in sizes) == 300
    paper = enumerate_subgraphs(many, Limits.paper())
    assert paper.cut


def test_more_modifiers_than_allowed_are_cut_and_said() -> None:
    mods = tuple(Modifier(f"m{number}", str(number)) for number in range(2, 8))
    objects = [SceneObject("0", "man", None, (), (Relation("pulling", "1", mods),))]
    scene = Scene("s", (*objects, *(SceneObject(str(number), f"n{number}") for number in range(1, 8))))
    found = enumerate_subgraphs(scene, Limits())
    assert found.cut
    assert max(len(relation.mods) for graph in found.subgraphs() for relation in graph.relations) == 4
    assert not enumerate_subgraphs(scene, Limits(modifiers_per_relation=6)).cut


@pytest.mark.parametrize("change", [{"relations_per_object": -1}, {"most_subgraphs": 0}, {"smallest_area": True}])
def test_limits_are_checked(change: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="the limit"):
        Limits(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [None, ["boy"], ["boy", 1, []], [1, None, []], ["boy", None, [["on", ["mat", None, []]]]], ["boy", None, [1]]],
)
def test_json_of_another_form(value: object) -> None:
    with pytest.raises(InputFileError, match=r"q.jsonl, record 3: .*write \[name"):
        subgraph_from_json(value, source="q.jsonl, record 3")


def test_json_that_is_too_deep() -> None:
    value: list[object] = ["boy", None, []]
    for _ in range(5_000):
        value = ["boy", None, [["on", value, []]]]
    with pytest.raises(InputFileError, match="form of a sub-graph"):
        subgraph_from_json(value)
