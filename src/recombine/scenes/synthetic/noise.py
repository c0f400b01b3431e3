"""Noise: a scene as people annotate it, with wider or other names, and with less than there is to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.synthetic.draws import Draws
    from recombine.scenes.synthetic.ontology import Ontology

OBJECTS_LEFT_OUT = 1 / 3
"""How much rarer than an attribute a whole object is left out."""


def annotate(scene: Scene, ontology: Ontology, noise: float, draws: Draws) -> Scene:
    """The scene with a share `noise` of names at another level, and of attributes, relations and modifiers left out.

    A third of that share of objects is left out, with all relations to them; at least one object stays.
    """
    kept = [each for each in scene.objects if not draws.chance(noise * OBJECTS_LEFT_OUT)] or [scene.objects[0]]
    ids = {each.id for each in kept}
    objects = []
    for each in kept:
        relations = [relation for relation in each.relations if not draws.chance(noise) and relation.object in ids]
        objects.append(
            SceneObject(
                each.id,
                _name(each.name, ontology.noun_names(each.name), noise, draws),
                each.box,
                tuple(name for name in each.attributes if not draws.chance(noise)),
                tuple(_relation(relation, ids, ontology, noise, draws) for relation in relations),
            )
        )
    return Scene(scene.id, tuple(objects), scene.width, scene.height)


def _relation(relation: Relation, ids: set[str], ontology: Ontology, noise: float, draws: Draws) -> Relation:
    mods: tuple[Modifier, ...] = tuple(mod for mod in relation.mods if not draws.chance(noise) and mod.object in ids)
    return Relation(_name(relation.name, ontology.relation_names(relation.name), noise, draws), relation.object, mods)


def _name(name: str, fitting: Sequence[str], noise: float, draws: Draws) -> str:
    """Mostly the name itself, now and then another that fits."""
    others = [each for each in fitting if each != name]
    return draws.one_of(others) if others and draws.chance(noise) else name
