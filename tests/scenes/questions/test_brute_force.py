"""Every image of 200 questions looked at by plain loops: what it holds, how far it is away, and by which names."""

from __future__ import annotations

from collections import Counter
from functools import cache

from plain_exclusion import excludes
from plain_loops import own_walk, walks

from recombine.scenes.questions.make_questions import make_questions
from recombine.scenes.related.exclusion import OntologyExclusion
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world

_excludes = cache(excludes)


def test_brute_force_agrees_on_containment_distance_kind_and_names() -> None:
    # names at all levels, so that many an image nearly holds what is asked
    scenes, _ = make_world(150, seed=6, noise=0.15)
    related = RelatedImages(scenes, OntologyExclusion(find_ontology()))
    made = list(make_questions(related, scenes, seed=2, sources=range(20)))
    asked = made[:: len(made) // 200]
    assert len(asked) >= 200
    assert len({each.template for each in asked}) == 15
    roles = Counter[int]()
    for each in asked:
        graph = each.subgraph.to_json()
        own = own_walk(graph)
        for image, role in zip(each.images, each.roles, strict=True):
            laid = list(walks(graph, scenes.by_id[image]))
            differing = [
                [(label, name, seen) for (label, name), (_, seen) in zip(own, walk, strict=True) if name != seen]
                for walk in laid
            ]
            where = (each.subgraph, image, role)
            assert (own in laid) == (role == "holds"), where
            if role == "holds":
                continue
            kind = role.split("+")
            roles[len(kind)] += 1
            assert 1 <= min(map(len, differing)) <= len(kind), where
            fitting = [some for some in differing if [label for label, _, _ in some] == kind]
            assert any(all(_excludes(*node) for node in some) for some in fitting), where
            # held by no other names either
            assert all(any(_excludes(*node) for node in some) for some in differing), where
    assert min(roles[1], roles[2]) > 50
