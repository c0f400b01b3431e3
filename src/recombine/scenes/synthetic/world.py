"""The synthetic world: scenes of themes, drawn from a seed, each as it is and as people annotate it.

A scene repeats one group of objects two or three times with small changes, so that there is something to count, and
adds others. Groups stand in two rows with room between them: what is not related is not close.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.scenes.files.write_scenes import collection
from recombine.scenes.scene import Box, Modifier, Relation, Scene, SceneObject, Scenes
from recombine.scenes.synthetic.arrangement import Arrangement, Placed
from recombine.scenes.synthetic.draws import Draws, scene_draws
from recombine.scenes.synthetic.noise import annotate
from recombine.scenes.synthetic.ontology import Ontology, Theme, find_ontology
from recombine.scenes.synthetic.recipe import Recipes
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDE = 128
"""The width and height of a picture, in which all boxes are."""
MOST_SCENES = 1_000_000
_ROWS = (64, 124)
"""Where the ground of each row is."""
_ROW_HEIGHT, _MARGIN, _GAP = 58, 2, 10
_MOST_OBJECTS = 12
_FAVOURED = 0.65
"""How often an attribute is one of the two of its type that the scene favours."""
_SECOND_ATTRIBUTE = 0.12
_SCENE, _NOISE = 0, 1


def make_world(n: int, *, seed: int, noise: float = 0.0) -> tuple[Scenes, Scenes]:
    """So many scenes as they are annotated, and as they are; without noise the two are equal."""
    check_seed(seed)
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST_SCENES:
        raise OptionError(f"the number of scenes is {n}", f"give a whole number from 1 to {MOST_SCENES:,}")
    if isinstance(noise, bool) or not 0 <= noise < 1:
        raise OptionError(f"the noise is {noise}", "give a number from 0 to below 1")
    ontology = find_ontology()
    scenes = [_make_scene(ontology, place, scene_draws(seed, place, _SCENE)) for place in range(n)]
    truth = collection(scenes, ontology.attributes)
    if noise == 0:
        return truth, truth
    noisy = [annotate(each, ontology, noise, scene_draws(seed, place, _NOISE)) for place, each in enumerate(scenes)]
    return collection(noisy, ontology.attributes), truth


@dataclass
class _Wardrobe:
    """The attributes that objects of one scene get."""

    ontology: Ontology
    draws: Draws

    def __post_init__(self) -> None:
        self._favoured = {
            kind: (self.draws.one_of(values), self.draws.one_of(values))
            for kind, values in self.ontology.values.items()
        }

    def dress(self, name: str, poses: Sequence[str]) -> tuple[str, ...]:
        """One attribute of a type that the noun has; now and then a second one of another type."""
        noun = self.ontology.nouns[name]
        first = self.draws.by_share(noun.has)
        kinds = [first]
        if set(noun.has) == {"color", "pattern"} and self.draws.chance(_SECOND_ATTRIBUTE):
            kinds = ["color", "pattern"]
        return tuple(self._value(kind, noun.only, poses) for kind in kinds)

    def _value(self, kind: str, only: Sequence[str], poses: Sequence[str]) -> str:
        values = self.ontology.values[kind]
        limited = poses if kind == "pose" else [each for each in only if each in values]
        values = tuple(limited) or values
        if self.draws.chance(_FAVOURED):
            favoured = self.draws.one_of(self._favoured[kind])
            if favoured in values:
                return favoured
        return self.draws.one_of(values)


def _make_scene(ontology: Ontology, place: int, draws: Draws) -> Scene:
    theme: Theme = ontology.themes[draws.by_share({at: each.share for at, each in enumerate(ontology.themes)})]
    recipes = Recipes(ontology, theme, draws)
    arrangement = Arrangement(ontology, _Wardrobe(ontology, draws).dress)
    rows = _Rows(draws)
    wanted = draws.whole(7, 11)
    leading = recipes.draw()
    rows.add(arrangement.arrange(leading, mirrored=draws.chance(0.5)))
    for _ in range(draws.whole(1, 2)):
        rows.add(arrangement.arrange(recipes.changed(leading), mirrored=draws.chance(0.5)))
    for _ in range(12):
        if rows.objects >= wanted:
            break
        rows.add(arrangement.arrange(recipes.draw(), mirrored=draws.chance(0.5)))
    return _scene(f"s{place:06d}", rows.finish())


class _Rows:
    """Groups in two rows, side by side."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._rows: list[list[list[Placed]]] = [[] for _ in _ROWS]
        self.objects = 0

    def add(self, group: list[Placed]) -> None:
        """Take a group where there is room for it; else it is left out."""
        if self.objects and self.objects + len(group) > _MOST_OBJECTS:
            return
        if -min(each.box.y for each in group) > _ROW_HEIGHT or max(each.bottom for each in group) > 0:
            return
        rooms = [SIDE - 2 * _MARGIN - _width(row) for row in self._rows]
        fitting = [at for at, room in enumerate(rooms) if room >= _width([group]) + (_GAP if self._rows[at] else 0)]
        if fitting:
            self._rows[self._draws.one_of(fitting)].append(group)
            self.objects += len(group)

    def finish(self) -> list[Placed]:
        """All objects at their places, in the order in which they are drawn; the room left over is shared out."""
        for row, ground in zip(self._rows, _ROWS, strict=True):
            spare, left = SIDE - 2 * _MARGIN - _width(row), _MARGIN
            for group in row:
                share = self._draws.whole(0, spare)
                start, spare = left + share, spare - share
                left = start + _width([group]) + _GAP
                for each in group:
                    each.move(start, ground)
        return [each for row in self._rows for group in row for each in group]


def _width(row: Sequence[Sequence[Placed]]) -> int:
    """The width of groups with a gap between each two."""
    return sum(max(each.right for each in group) for group in row) + _GAP * max(0, len(row) - 1)


def _scene(name: str, placed: Sequence[Placed]) -> Scene:
    ids = {id(each): str(number) for number, each in enumerate(placed)}
    objects = []
    for each in placed:
        relations = tuple(
            Relation(relation, ids[id(target)], () if tool is None else (Modifier("with", ids[id(tool)]),))
            for relation, target, tool in each.relations
        )
        objects.append(SceneObject(ids[id(each)], each.noun, Box(*each.box), each.attributes, relations))
    return Scene(name, tuple(objects), SIDE, SIDE)
