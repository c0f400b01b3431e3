"""What nodes of a sub-graph mean, by hand and against the walk through scenes that questions are answered with."""

from __future__ import annotations

from itertools import product

from recombine.models.pictures.making.scene_match import SceneMatch, Widely
from recombine.scenes.related.exclusion import DoesNotExclude, OntologyExclusion
from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.instances import holds, instances
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import unflatten
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world

# Two boys pull a cart each, the second with a rope; a third boy and a third cart stand alone.
SCENE = Scene(
    "one",
    (
        SceneObject("a", "boy", None, ("running",), (Relation("pulling", "b"),)),
        SceneObject("b", "cart", None, ("red",)),
        SceneObject("c", "boy", None, (), (Relation("pulling", "d", (Modifier("with", "e"),)),)),
        SceneObject("d", "cart"),
        SceneObject("e", "rope"),
        SceneObject("f", "boy"),
        SceneObject("g", "cart"),
    ),
)


def test_by_hand() -> None:
    match = SceneMatch(SCENE)
    assert match.meant(Subgraph("boy")) == [0b0100101]
    assert match.meant(Subgraph("boy", None, (SubRelation("pulling", Subgraph("cart")),))) == [0b0000101, 0b0001010]
    red = Subgraph("boy", None, (SubRelation("pulling", Subgraph("cart", "red")),))
    assert match.meant(red) == [0b0000001, 0b0000010]
    rope = Subgraph("boy", None, (SubRelation("pulling", Subgraph("cart"), (SubModifier("with", Subgraph("rope")),)),))
    assert match.meant(rope) == [0b0000100, 0b0001000, 0b0010000]
    both = Subgraph("boy", "running", rope.relations)
    assert match.meant(both) == [0, 0, 0]  # the running boy has no rope


def test_as_questions_are_answered() -> None:
    for scene in make_world(6, seed=3)[0]:
        match = SceneMatch(scene)
        places = {each.id: place for place, each in enumerate(scene.objects)}
        for flat in list(enumerate_subgraphs(scene, Limits()).roots)[::7]:
            graph = unflatten(*flat)
            meant = match.meant(graph)
            assert meant[0] == sum(1 << places[each] for each in instances(scene, graph))
            assert all(meant)
            for relation in graph.relations[:1]:
                # the child: an object that, alone under its name, still leaves the whole holding
                child = sum(1 << places[end] for end in _ends(scene, graph, relation))
                assert meant[1] == child


def _ends(scene: Scene, graph: Subgraph, relation: SubRelation) -> set[str]:
    """The objects at the end of a relation of a root of the whole sub-graph, each tried by itself."""
    roots, ends = instances(scene, graph), instances(scene, relation.child)
    found = set()
    for root, end in product(roots, ends):
        edges = [each for each in scene.by_id[root].relations if (each.name, each.object) == (relation.name, end)]
        for edge in edges:
            own = [
                any(mod.name == asked.name and mod.object in instances(scene, asked.child) for mod in edge.mods)
                for asked in relation.mods
            ]
            if all(own):
                found.add(end)
    return found


def test_names_in_the_wide_sense() -> None:
    fits = DoesNotExclude(OntologyExclusion(find_ontology()))
    scenes, _ = make_world(5, seed=1, noise=0.4)
    asked = [unflatten(*flat) for scene in scenes for flat in list(enumerate_subgraphs(scene, Limits()).roots)[::9]]
    for scene in scenes:
        match = SceneMatch(scene, Widely(fits))
        assert [match.holds(graph) for graph in asked] == [holds(scene, graph, fits=fits) for graph in asked]
