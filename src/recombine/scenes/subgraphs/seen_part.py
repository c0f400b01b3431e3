"""The part of a scene that sub-graphs are about: without the nouns and relations that the limits leave out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.scenes.scene import Scene

if TYPE_CHECKING:
    from recombine.scenes.scene import Relation
    from recombine.scenes.subgraphs.limits import Limits


def seen_part(scene: Scene, limits: Limits) -> Scene:
    """The scene without what is left out; small objects stay, as they are there though they are not asked about."""
    if not limits.nouns_left_out and not limits.relations_left_out:
        return scene
    kept = [each for each in scene.objects if each.name not in limits.nouns_left_out]
    ids = {each.id for each in kept}
    objects = []
    for each in kept:
        relations = tuple(
            _relation(relation, ids)
            for relation in each.relations
            if relation.name not in limits.relations_left_out and relation.object in ids
        )
        objects.append(each if relations == each.relations else replace(each, relations=relations))
    return Scene(scene.id, tuple(objects), scene.width, scene.height)


def _relation(relation: Relation, ids: set[str]) -> Relation:
    mods = tuple(mod for mod in relation.mods if mod.object in ids)
    return relation if mods == relation.mods else relation._replace(mods=mods)
