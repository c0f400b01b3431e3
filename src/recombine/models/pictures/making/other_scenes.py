"""Scenes that no question is about: what a detector and grounding learn from.

Scenes of the synthetic world are made with a seed of their own and get ids of their own. One whose boxes are all where
those of a question's scene are is no other scene, and is left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.scenes.synthetic.world import make_world

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.scenes.scene import Scene

PREFIX = "other-"
SEED = 24_000
"""Added to the seed, so that the usual seeds of questions make other worlds."""
_TELLING = 3
"""So many boxes tell a scene from others."""


def other_scenes(number: int, *, seed: int, than: Iterable[Scene]) -> list[Scene]:
    """So many scenes of the synthetic world that are none of those given; fewer where they are the same world."""
    known = {layout(scene) for scene in than}
    made, _ = make_world(number, seed=SEED + seed)
    kept = [replace(scene, id=f"{PREFIX}{scene.id}") for scene in made if layout(scene) not in known]
    if not kept:
        raise OptionError("all other scenes are those of questions", "give another other_seed")
    return kept


def check_apart(others: Sequence[Scene], scenes: Iterable[Scene]) -> None:
    """Refuse other scenes among which one is a question's, by its id or by where its objects are."""
    ids, layouts = {each.id for each in others}, {layout(each): each.id for each in others}
    for scene in scenes:
        if scene.id in ids:
            problem = f"scene {scene.id} is both among the other scenes and among those of questions"
            raise OptionError(problem, "give the other scenes ids of their own, or take it out of them")
        same = layouts.get(layout(scene))
        if same is not None:
            problem = f"scene {same} of the other scenes has the objects of scene {scene.id}, which questions are about"
            raise OptionError(problem, "take it out of the other scenes")


def layout(scene: Scene) -> tuple[object, ...]:
    """Where the objects of a scene are, whatever they are called; of a scene of one or two boxes its id as well."""
    boxes = tuple(sorted(tuple(each.box) for each in scene.objects if each.box is not None))
    return boxes if len(boxes) >= _TELLING else (scene.id, *boxes)
