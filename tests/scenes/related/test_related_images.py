"""Related images agree with plain loops over scenes, and no distractor holds what is asked by other names."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from plain_loops import excludes, is_relaxed, kinds_by_scene, own_walk, unordered, walks

from recombine.errors import DefinitionError, InputFileError
from recombine.scenes.related.exclusion import DifferentNames, OntologyExclusion
from recombine.scenes.related.kinds import ONCE, changes_of, kinds_of
from recombine.scenes.related.related_images import NAMES_OVERLAP, NOT_ASKED, RELAXED, VERIFIED, RelatedImages
from recombine.scenes.related.shape_table import UNKNOWN, WILD
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.related.verifier import Thresholds
from recombine.scenes.scene import Box, Modifier, Relation, Scene, SceneObject, Scenes
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.canonical import canonical
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.instances import holds, instances
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import flatten
from recombine.scenes.subgraphs.simple_subgraphs import simple_subgraphs
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world

ONTOLOGY = find_ontology()
EXCLUSION = OntologyExclusion(ONTOLOGY)
CAP, BALL = SubRelation("wearing", Subgraph("cap")), SubRelation("holding", Subgraph("ball"))


@pytest.fixture(scope="module")
def noisy() -> tuple[Scenes, Scenes]:
    """300 scenes as they are annotated, with names at all levels, and as they are."""
    return make_world(300, seed=5, noise=0.15)


@pytest.fixture(scope="module")
def related(noisy: tuple[Scenes, Scenes]) -> RelatedImages:
    """The related images of the annotated scenes."""
    return RelatedImages(noisy[0], EXCLUSION)


@pytest.fixture(scope="module")
def some_graphs(related: RelatedImages) -> list[Subgraph]:
    """200 sub-graphs, as many of each shape as there are, in turn."""
    by_shape: dict[object, list[Subgraph]] = {}
    for place in range(len(related.scenes)):
        for graph in related.subgraphs(place):
            by_shape.setdefault(flatten(graph).shape, []).append(graph)
    rng = random.Random(7)  # noqa: S311
    listed = [rng.sample(graphs, len(graphs)) for _, graphs in sorted(by_shape.items())]
    turns = [graphs[turn] for turn in range(200) for graphs in listed if turn < len(graphs)]
    return turns[:200]


def scene_of(name: str, *objects: SceneObject) -> Scene:
    return Scene(name, objects)


def a_child(number: int, name: str, *relations: Relation, attributes: tuple[str, ...] = ()) -> SceneObject:
    return SceneObject(str(number), name, None, attributes, relations)


def test_plain_loops_agree_on_containment_distance_and_kind(
    related: RelatedImages, some_graphs: list[Subgraph]
) -> None:
    scenes = list(related.scenes)
    assert len(some_graphs) == 200
    assert len({flatten(graph).shape for graph in some_graphs}) >= 30
    compared = 0
    for graph in some_graphs:
        asked = graph.to_json()
        own = own_walk(asked)
        walked = [list(walks(asked, scene)) for scene in scenes]
        held = [place for place, each in enumerate(walked) if own in each]
        assert related.positives(graph).tolist() == held
        loose = [place for place, each in enumerate(walked) if is_relaxed(asked, each, EXCLUSION)]
        assert related.relaxed(graph).tolist() == loose
        listed = {
            kind: {(each.place, unordered(each.graph.to_json())) for each in candidates}
            for kind, candidates in related.distractors(graph).items()
        }
        assert listed == kinds_by_scene(asked, scenes, walked, EXCLUSION)
        compared += sum(len(each) for each in listed.values())
    assert compared > 5_000


def test_a_distractor_holds_its_sub_graph_and_differs_where_its_kind_says(
    related: RelatedImages, some_graphs: list[Subgraph]
) -> None:
    for graph in some_graphs[::4]:
        own = own_walk(graph.to_json())
        relaxed = set(related.relaxed(graph).tolist())
        for kind, candidates in related.distractors(graph).items():
            assert candidates.places.tolist() == [each.place for each in candidates]
            assert relaxed.isdisjoint(candidates.places.tolist())
            for place, other in candidates[:20]:
                assert holds(related.scenes[place], other)
                assert not holds(related.scenes[place], graph)
                seen = own_walk(other.to_json())
                assert [label for label, _ in own] == [label for label, _ in seen]
                differing = [label for (label, asked), (_, name) in zip(own, seen, strict=True) if asked != name]
                assert "+".join(differing) == kind
                assert [str(change) for change in changes_of(kind)] == differing
                for label in differing:
                    assert excludes(EXCLUSION, label, dict(own)[label], dict(seen)[label])


def test_the_number_of_objects_is_that_of_a_walk_through_the_scene(
    related: RelatedImages, some_graphs: list[Subgraph]
) -> None:
    several = 0
    for graph in some_graphs:
        places, roots = related.counts(graph)
        for place, count in zip(places.tolist(), roots.tolist(), strict=True):
            assert len(related.instances(place, graph)) == count
            several += count > 1
        once = related.distractors(graph, once=True).get(ONCE, ())
        assert [each.place for each in once] == places[roots == 1].tolist()
    assert several > 100


def test_names_of_another_level_make_relaxed_positives() -> None:
    dog = scene_of("dog", a_child(0, "boy", Relation("holding", "1")), a_child(1, "dog"))
    puppy = scene_of("puppy", a_child(0, "boy", Relation("holding", "1")), a_child(1, "puppy"))
    kitten = scene_of("kitten", a_child(0, "boy", Relation("holding", "1")), a_child(1, "kitten"))
    related = RelatedImages([dog, puppy, kitten], EXCLUSION)
    asked = Subgraph("boy", None, (SubRelation("holding", Subgraph("dog")),))
    assert related.positives(asked).tolist() == [0]
    assert related.relaxed(asked).tolist() == [0, 1]
    assert {kind: each.places.tolist() for kind, each in related.distractors(asked).items()} == {"1_name": [2]}
    assert related.refused[NAMES_OVERLAP] == 1
    without = RelatedImages([dog, puppy, kitten], DifferentNames()).distractors(asked)
    assert without["1_name"].places.tolist() == [1, 2]


def test_one_name_that_fits_two_objects_is_a_relaxed_positive() -> None:
    pair = scene_of("pair", a_child(0, "boy", Relation("next to", "1")), a_child(1, "girl"))
    children = scene_of(
        "children",
        a_child(0, "child", Relation("next to", "1")),
        a_child(1, "child"),
        a_child(2, "boy", Relation("next to", "3")),
        a_child(3, "horse"),
    )
    related = RelatedImages([pair, children], EXCLUSION)
    asked = Subgraph("boy", None, (SubRelation("next to", Subgraph("girl")),))
    assert related.relaxed(asked).tolist() == [0, 1]
    assert related.distractors(asked) == {}
    assert related.refused[RELAXED] == 1


def test_exclusion_of_relations_is_asked_one_way() -> None:
    held = scene_of("held", a_child(0, "boy", Relation("holding", "1")), a_child(1, "cup"))
    beside = scene_of("beside", a_child(0, "boy", Relation("next to", "1")), a_child(1, "cup"))
    related = RelatedImages([held, beside], EXCLUSION)
    holding = Subgraph("boy", None, (SubRelation("holding", Subgraph("cup")),))
    next_to = Subgraph("boy", None, (SubRelation("next to", Subgraph("cup")),))
    assert related.distractors(holding)["1_rel"].places.tolist() == [1]
    assert related.distractors(next_to) == {}
    assert related.relaxed(next_to).tolist() == [0, 1]


def test_a_fork_that_differs_once_in_another_order_is_no_distractor_at_two() -> None:
    asked = Subgraph("boy", None, (SubRelation("wearing", Subgraph("coat")), SubRelation("wearing", Subgraph("hat"))))

    def dressed(name: str, *garments: str) -> Scene:
        worn = [Relation("wearing", str(number)) for number in range(1, len(garments) + 1)]
        return scene_of(name, a_child(0, "boy", *worn), *(a_child(at, each) for at, each in enumerate(garments, 1)))

    scenes = [dressed("a", "hat", "coat"), dressed("b", "hat", "scarf"), dressed("c", "backpack", "scarf")]
    kinds = RelatedImages(scenes, EXCLUSION).distractors(asked)
    assert {kind: each.places.tolist() for kind, each in kinds.items()} == {"1_name": [1], "1_name+2_name": [2]}
    assert kinds["1_name"][0].graph.relations[1].child.name == "hat"


def test_a_new_leaf_is_one_that_is_seen_with_the_subject() -> None:
    def one(name: str, subject: str, relation: str, target: str) -> Scene:
        return scene_of(name, a_child(0, subject, Relation(relation, "1")), a_child(1, target))

    asked = Subgraph("boy", None, (SubRelation("holding", Subgraph("ball")),))
    scenes = [one("a", "boy", "holding", "ball"), one("b", "woman", "holding", "cup")]
    assert RelatedImages(scenes, EXCLUSION).distractors(asked) == {}
    scenes.append(one("c", "boy", "holding", "cup"))
    kinds = RelatedImages(scenes, EXCLUSION).distractors(asked)
    assert kinds["root_name+1_name"].places.tolist() == [1]
    scenes = [one("a", "boy", "holding", "ball"), one("b", "woman", "kicking", "ball")]
    assert RelatedImages(scenes, EXCLUSION).distractors(asked) == {}
    scenes.append(one("c", "boy", "kicking", "ball"))
    assert RelatedImages(scenes, EXCLUSION).distractors(asked)["root_name+1_rel"].places.tolist() == [1]


def test_kinds_of_a_shape() -> None:
    graph = Subgraph(
        "boy", "tall", (SubRelation("pulling", Subgraph("cart"), (SubModifier("with", Subgraph("rope")),)),)
    )
    assert [kind.name for kind in kinds_of(flatten(graph).shape)] == [
        "root_name",
        "root_attr",
        "1_rel",
        "1_name",
        "2_name",
        "root_name+root_attr",
        "root_attr+1_rel",
        "root_attr+1_name",
        "root_attr+2_name",
        "root_name+1_name",
        "1_name+2_name",
        "root_name+2_name",
        "root_name+1_rel",
    ]
    assert changes_of("holds") == changes_of(ONCE) == ()
    with pytest.raises(DefinitionError, match="no kind of distractor"):
        changes_of("root_colour")


def test_modifiers_stay_and_their_objects_change() -> None:
    def pulled(name: str, tool: str, with_: str = "with") -> Scene:
        relation = Relation("pulling", "1", (Modifier(with_, "2"),))
        return scene_of(name, a_child(0, "man", relation), a_child(1, "cart"), a_child(2, tool))

    asked = Subgraph("man", None, (SubRelation("pulling", Subgraph("cart"), (SubModifier("with", Subgraph("rope")),)),))
    scenes = [pulled("a", "rope"), pulled("b", "stick"), pulled("c", "rope", "by")]
    related = RelatedImages(scenes, EXCLUSION)
    assert {kind: each.places.tolist() for kind, each in related.distractors(asked).items()} == {"2_name": [1]}
    # nothing says that by excludes with
    assert related.relaxed(asked).tolist() == [0, 2]


def test_the_verifier_refuses_what_the_truth_holds(noisy: tuple[Scenes, Scenes]) -> None:
    annotated, truth = noisy
    plain = RelatedImages(annotated, EXCLUSION)
    verified = RelatedImages(annotated, EXCLUSION, verifier=TruthVerifier(truth, ONTOLOGY))
    graphs = [graph for place in range(0, 300, 40) for graph in plain.subgraphs(place)]
    verifier = TruthVerifier(truth, ONTOLOGY)
    refused = 0
    for graph in graphs:
        simple = simple_subgraphs(graph)
        kept = verified.distractors(graph)
        for kind, candidates in plain.distractors(graph).items():
            ids = [annotated[place].id for place in candidates.places.tolist()]
            above = np.min([verifier.scores(ids, part) for part in simple], axis=0) == 1
            wanted = [each for each, refuse in zip(candidates, above, strict=True) if not refuse]
            refused += len(candidates) - len(wanted)
            assert list(kept.get(kind, ())) == wanted
    assert verified.refused[VERIFIED] == refused > 100
    assert plain.refused[VERIFIED] == 0


def test_the_truth_verifier_walks_as_scenes_do(noisy: tuple[Scenes, Scenes], some_graphs: list[Subgraph]) -> None:
    truth = noisy[1]
    verifier = TruthVerifier(truth)
    parts = {part for graph in some_graphs for part in simple_subgraphs(graph)}
    assert any(":_" in relation.name for part in parts for relation in part.relations)
    for part in sorted(parts, key=lambda each: str(each.to_json())):
        wanted = [float(holds(scene, part)) for scene in truth]
        assert verifier.scores([scene.id for scene in truth], part).tolist() == wanted
    wider = TruthVerifier(make_world(50, seed=1)[1], ONTOLOGY)
    assert sum(wider.score(f"s{place:06d}", Subgraph("animal")) for place in range(50)) > 5
    with pytest.raises(InputFileError, match="the truth has no scene"):
        verifier.score("elsewhere", Subgraph("boy"))


def test_thresholds_go_by_the_changed_node() -> None:
    class Unsure:
        def score(self, scene_id: str, simple: Subgraph) -> float:  # noqa: ARG002
            return 0.3

    held = scene_of("a", a_child(0, "boy", Relation("holding", "1"), attributes=("standing",)), a_child(1, "cup"))
    sitting = scene_of("b", a_child(0, "boy", Relation("holding", "1"), attributes=("sitting",)), a_child(1, "cup"))
    girl = scene_of("c", a_child(0, "girl", Relation("holding", "1"), attributes=("standing",)), a_child(1, "cup"))
    asked = Subgraph("boy", "standing", (SubRelation("holding", Subgraph("cup")),))
    scenes = [held, sitting, girl]
    kinds = RelatedImages(scenes, EXCLUSION, verifier=Unsure()).distractors(asked)
    assert {kind: each.places.tolist() for kind, each in kinds.items()} == {"root_attr": [1]}
    loose = RelatedImages(scenes, EXCLUSION, verifier=Unsure(), thresholds=Thresholds(noun=0.3))
    assert sorted(loose.distractors(asked)) == ["root_attr", "root_name"]
    assert Thresholds().of(changes_of("root_name+1_rel")) == 0.1


def test_small_objects_are_seen_but_not_asked_about() -> None:
    def one(name: str, side: int, target: str) -> Scene:
        box = Box(0, 0, side, side)
        held = SceneObject("1", target, box)
        return Scene(
            name, (SceneObject("0", "boy", Box(0, 0, 50, 50), (), (Relation("holding", "1"),)), held), 500, 500
        )

    scenes = [one("large", 50, "ball"), one("small", 10, "ball"), one("cup", 50, "cup"), one("small cup", 10, "cup")]
    related = RelatedImages(scenes, EXCLUSION, limits=Limits(smallest_area=400))
    asked = Subgraph("boy", None, (SubRelation("holding", Subgraph("ball")),))
    assert asked in related.subgraphs(0)
    assert related.subgraphs(1) == [Subgraph("boy")]
    assert related.positives(asked).tolist() == [0, 1]
    assert related.distractors(asked)["1_name"].places.tolist() == [2]
    assert related.refused[NOT_ASKED] == 1


def test_a_scene_that_is_cut_is_walked_through(noisy: tuple[Scenes, Scenes], some_graphs: list[Subgraph]) -> None:
    whole, short = (
        RelatedImages(noisy[0], EXCLUSION),
        RelatedImages(noisy[0], EXCLUSION, limits=Limits(most_subgraphs=40)),
    )
    assert whole.cut == []
    assert 50 < len(short.cut) < 300
    for graph in some_graphs[::5]:
        assert short.positives(graph).tolist() == whole.positives(graph).tolist()
        assert short.counts(graph)[1].tolist() == whole.counts(graph)[1].tolist()
        assert short.relaxed(graph).tolist() == whole.relaxed(graph).tolist()


def test_names_that_no_scene_has(related: RelatedImages) -> None:
    strange = Subgraph("dragon", None, (SubRelation("holding", Subgraph("ball")),))
    assert related.positives(strange).tolist() == []
    assert set(related.distractors(strange)) <= {"root_name"}
    deep = Subgraph("boy", None, (CAP, BALL, SubRelation("near", Subgraph("tree"))))
    assert related.positives(deep).tolist() == []
    assert related.distractors(deep) == {}
    table = next(iter(related.index.tables.values()))
    assert len(table.select([UNKNOWN] * len(table.nodes))) == 0
    assert len(table.select([WILD] * len(table.nodes))) == len(table)


def test_sub_graphs_of_the_index_are_those_of_the_scene(related: RelatedImages) -> None:
    for place in range(0, 300, 7):
        scene = related.scenes[place]
        listed = related.subgraphs(place)
        assert listed == enumerate_subgraphs(scene, Limits()).subgraphs()
        assert all(canonical(graph) == graph for graph in listed)
        assert all(place in related.positives(graph) for graph in listed)
        assert instances(scene, listed[0]) == related.instances(place, listed[0])


def test_the_index_has_the_size_that_was_measured(noisy: tuple[Scenes, Scenes]) -> None:
    related = RelatedImages(make_world(300, seed=1)[0], EXCLUSION)
    mean = related.index.rows / 300
    assert 35 <= mean <= 90
    assert related.index.nbytes < 2_000_000
    graphs = [graph for place in range(0, 300, 5) for graph in related.subgraphs(place)]
    assert np.median([len(related.positives(graph)) for graph in graphs]) >= 1


def test_the_same_for_every_hash_seed() -> None:
    code = (
        "from hashlib import sha256\n"
        "from recombine.scenes.related.exclusion import OntologyExclusion\n"
        "from recombine.scenes.related.related_images import RelatedImages\n"
        "from recombine.scenes.related.truth_verifier import TruthVerifier\n"
        "from recombine.scenes.subgraphs.english import describe\n"
        "from recombine.scenes.synthetic.ontology import find_ontology\n"
        "from recombine.scenes.synthetic.world import make_world\n"
        "seen, truth = make_world(24, seed=2, noise=0.2)\n"
        "known = find_ontology()\n"
        "related = RelatedImages(seen, OntologyExclusion(known), verifier=TruthVerifier(truth, known))\n"
        "said = []\n"
        "for place in range(24):\n"
        "    for graph in related.subgraphs(place):\n"
        "        said.append((describe(graph), related.positives(graph).tolist(), related.relaxed(graph).tolist()))\n"
        "        kinds = related.distractors(graph, once=True)\n"
        "        said.append([(kind, [(at, other.to_json()) for at, other in each]) for kind, each in kinds.items()])\n"
        "print(sha256(repr((said, related.refused)).encode()).hexdigest())\n"
    )
    digests = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(ran.stdout)
    assert len(digests) == 1
