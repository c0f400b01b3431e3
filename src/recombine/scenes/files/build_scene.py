"""Scenes built from what a file says, with every mistake named: the file, the scene, the object and what to do."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, InputWarning, RecordError
from recombine.scenes.scene import Box, Modifier, Relation, Scene, SceneObject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_NUMBERS = ("x", "y", "w", "h")


@dataclass(frozen=True)
class SceneBuilder:
    """Builds one scene of a file; with `cut_boxes`, what is partly outside its picture is cut to it."""

    path: Path | str
    scene: str
    width: int = 0
    height: int = 0
    cut_boxes: bool = False
    cut: Counter[str] = field(default_factory=Counter)
    """How many boxes were cut, by the scene; what reads a whole file gives one to all its builders."""

    def error(self, problem: str, remedy: str) -> RecordError:
        """The error of something in this scene."""
        return RecordError(self.path, f"scene {self.scene}", problem, remedy)

    def build(self, objects: Sequence[SceneObject]) -> Scene:
        """The scene of some objects, when every relation and modifier leads to one of them."""
        ids = {each.id for each in objects}
        if len(ids) != len(objects):
            twice = next(each.id for place, each in enumerate(objects) if each.id in {o.id for o in objects[:place]})
            raise self.error(f"two objects have the id {twice}", "give each its own")
        for each in objects:
            for relation in each.relations:
                self._check_target(each, f"the relation {relation.name!r}", relation.object, ids)
                for mod in relation.mods:
                    what = f"the modifier {mod.name!r} of {relation.name!r}"
                    self._check_target(each, what, mod.object, ids)
        return Scene(self.scene, tuple(objects), self.width, self.height)

    def _check_target(self, each: SceneObject, what: str, target: str, ids: set[str]) -> None:
        if target not in ids:
            raise self.error(
                f"{what} of object {each.id} ({each.name}) leads to object {target}, which is not there",
                "add the object, or take the relation out",
            )

    def name(self, value: Any, what: str) -> str:
        """A name, which is a text that is not empty."""
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{what} has no name", 'give it a "name"')
        return value

    def entries(self, value: Any, what: str) -> Sequence[Any]:
        """A list; none where nothing is said."""
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.error(f"the {what} are no list", "write [ … ]")
        return value

    def attributes(self, value: Any, owner: str) -> tuple[str, ...]:
        """The attributes of an object."""
        return tuple(
            self.name(each, f"an attribute of {owner}") for each in self.entries(value, f"attributes of {owner}")
        )

    def relations(self, value: Any, owner: str) -> tuple[Relation, ...]:
        """The relations of an object as GQA writes them, with `mods` as we do."""
        return tuple(
            Relation(
                *self._end(each, "relation", owner),
                tuple(
                    Modifier(*self._end(mod, "modifier", owner))
                    for mod in self.entries(each.get("mods"), f"modifiers of {owner}")
                ),
            )
            for each in self.entries(value, f"relations of {owner}")
        )

    def _end(self, value: Any, what: str, owner: str) -> tuple[str, str]:
        """The name of a relation or modifier, and the id it leads to."""
        if not isinstance(value, dict) or not isinstance(value.get("object"), str | int):
            raise self.error(f"a {what} of {owner} is not of the form {{name, object}}", "say its name and object")
        return self.name(value.get("name"), f"a {what} of {owner}"), str(value["object"])

    def box(self, value: Mapping[str, Any], owner: str) -> Box | None:
        """The box of an object; none where nothing is said of it."""
        said = [value.get(key) for key in _NUMBERS]
        if all(each is None for each in said):
            return None
        numbers: list[int] = []
        for each in said:
            if isinstance(each, bool) or not isinstance(each, int | float) or not float(each).is_integer():
                raise self.error(f"the box of {owner} is not four whole numbers", "say x, y, w and h in pixels")
            numbers.append(int(each))
        return self._inside(Box(*numbers), owner)

    def _inside(self, box: Box, owner: str) -> Box:
        cut = self._cut(box)
        if cut == box and box.area > 0:
            return box
        partly = box.area > 0 and cut.width > 0 and cut.height > 0
        if self.cut_boxes and partly:
            self.cut[self.scene] += 1
            return cut
        size = f"the picture of {self.width} × {self.height}" if self.width and self.height else "any picture"
        where = f"x {box.x}, y {box.y}, w {box.width}, h {box.height}"
        outside = "is empty" if box.width < 1 or box.height < 1 else f"is outside {size}"
        remedy = "mend the box, or have such boxes cut with --cut-boxes" if partly else "mend the box"
        raise self.error(f"the box of {owner} ({where}) {outside}", remedy)

    def _cut(self, box: Box) -> Box:
        """The part of a box that is in the picture, whose right and lower ends may not be known."""
        left, top = max(0, box.x), max(0, box.y)
        right, bottom = box.x + box.width, box.y + box.height
        right = min(right, self.width) if self.width else right
        bottom = min(bottom, self.height) if self.height else bottom
        return Box(left, top, right - left, bottom - top)

    def size(self, value: Mapping[str, Any]) -> tuple[int, int]:
        """The width and height of a picture; 0 where they are not said."""
        said = [value.get(key) or 0 for key in ("width", "height")]
        if any(isinstance(each, bool) or not isinstance(each, int) or each < 0 for each in said):
            raise self.error("width and height are not whole numbers", "say them in pixels")
        return said[0], said[1]


def say_cut(path: Path | str, number: int) -> None:
    """Warn of boxes that were cut, where there are some."""
    if number:
        many = f"{number:,} boxes were partly outside their pictures and are cut to them"
        note = f"{path}: {many if number > 1 else '1 box was partly outside its picture and is cut to it'}"
        warnings.warn(note, InputWarning, stacklevel=3)


def not_empty(path: Path | str, scenes: Sequence[Scene]) -> tuple[Scene, ...]:
    """The scenes, when there are some, and each has an object and an id of its own."""
    if not scenes:
        raise InputFileError(f"{path}: holds no scene", "give a file with at least one")
    known: set[str] = set()
    for scene in scenes:
        if not scene.objects:
            raise RecordError(path, f"scene {scene.id}", "has no object", "take the scene out, or add one")
        if scene.id in known:
            raise RecordError(path, f"scene {scene.id}", "stands there twice", "give each scene its own id")
        known.add(scene.id)
    return tuple(scenes)
