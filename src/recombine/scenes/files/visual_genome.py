"""Visual Genome's files: a list of pictures, each with its objects and its relationships.

Read are the layouts of version 1.4 (visualgenome.org): a folder with `objects.json` and, where they are there,
`attributes.json` (the same objects with `attributes`), `relationships.json` (`predicate`, and `subject` and `object`
written out) and `image_data.json` (`width`, `height`); or one file that has all of a picture together, as
`scene_graphs.json` of the Visual Genome driver: `[{"image_id", "objects": [{"object_id", "x", "y", "w", "h", "names",
"attributes"}], "relationships": [{"predicate", "subject_id", "object_id"}]}]`. A box is its upper left corner, width
and height in pixels; one that is partly outside its picture is cut to it, and the number of them is said. Names are put
in small letters. An id that was merged into another object's (`merged_object_ids`) stands for that object; an object
that only a relationship tells of is taken from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.scenes.files.build_scene import SceneBuilder, not_empty, say_cut
from recombine.scenes.files.read_json import read_json
from recombine.scenes.scene import Relation, Scene, SceneObject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OBJECTS, ATTRIBUTES, RELATIONSHIPS, IMAGES = "objects.json", "attributes.json", "relationships.json", "image_data.json"


def is_visual_genome(value: Any) -> bool:
    """Whether a value has the shape of a list of pictures."""
    return isinstance(value, list) and (
        not value or (isinstance(value[0], dict) and "objects" in value[0] and _number(value[0]) is not None)
    )


def is_visual_genome_folder(path: Path) -> bool:
    """Whether a folder has its files."""
    return (path / OBJECTS).is_file() and (path / RELATIONSHIPS).is_file()


def read_visual_genome_folder(path: Path) -> tuple[Scene, ...]:
    """The scenes of a folder of its files."""
    entries = _by_image(path / OBJECTS)
    if not entries:
        raise InputFileError(f"{path / OBJECTS}: holds no scene", "give a file with at least one")
    for name, key in ((ATTRIBUTES, "attributes"), (RELATIONSHIPS, "relationships"), (IMAGES, "width")):
        if (path / name).is_file():
            for image, said in _by_image(path / name).items():
                if image in entries:
                    more = {"height": said.get("height")} if key == "width" else {}
                    entries[image] = {**entries[image], key: said.get(key), **more}
    return visual_genome_scenes(list(entries.values()), path)


def _by_image(path: Path) -> dict[str, dict[str, Any]]:
    value = read_json(path)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputFileError(f"{path}: is no list of pictures", "give Visual Genome's files of version 1.4")
    entries: dict[str, dict[str, Any]] = {}
    for each in value:
        if entries.setdefault(str(_number(each)), each) is not each:
            raise InputFileError(f"{path}: the picture {_number(each)} stands there twice", "keep one of them")
    return entries


def visual_genome_scenes(value: Sequence[Any], path: Path | str) -> tuple[Scene, ...]:
    """The scenes of a list of pictures."""
    made = [_Picture.of(each, place, path) for place, each in enumerate(value)]
    say_cut(path, sum(each.builder.cut.total() for each in made))
    return not_empty(path, [each.scene for each in made])


def _number(value: Mapping[str, Any]) -> Any:
    return value.get("image_id", value.get("id"))


@dataclass
class _Picture:
    """The objects of one picture while it is read."""

    builder: SceneBuilder
    objects: dict[str, SceneObject] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: Any, place: int, path: Path | str) -> _Picture:
        number = _number(value) if isinstance(value, dict) else None
        builder = SceneBuilder(path, f"{number if number is not None else f'number {place + 1}'}", cut_boxes=True)
        if number is None:
            raise builder.error("has no image_id", "give Visual Genome's files of version 1.4")
        width, height = builder.size(value)
        picture = cls(replace(builder, width=width, height=height))
        for each in builder.entries(value.get("objects"), "objects"):
            picture.add(each)
        for each in builder.entries(value.get("attributes"), "attributes"):
            picture.add_attributes(each)
        for each in builder.entries(value.get("relationships"), "relationships"):
            picture.add_relationship(each)
        return picture

    @property
    def scene(self) -> Scene:
        """The scene, when all is told."""
        return self.builder.build(list(self.objects.values()))

    def add(self, value: Any) -> str:
        """Take an object that is written out; its id."""
        number = value.get("object_id", value.get("id")) if isinstance(value, dict) else None
        if not isinstance(number, int | str):
            raise self.builder.error("an object has no object_id", "give Visual Genome's files of version 1.4")
        names = value.get("names")
        said = names[0] if isinstance(names, list) and names else value.get("name")
        name = self.builder.name(said, f"object {number}").strip().lower()
        owner = f"object {number} ({name})"
        box = self.builder.box(value, owner)
        attributes = self._attributes(value.get("attributes"), owner)
        self.objects[str(number)] = SceneObject(str(number), name, box, attributes)
        for other in self.builder.entries(value.get("merged_object_ids"), "merged_object_ids"):
            self.merged[str(other)] = str(number)
        return str(number)

    def _attributes(self, value: Any, owner: str) -> tuple[str, ...]:
        said = (each.strip().lower() for each in self.builder.attributes(value, owner))
        return tuple(dict.fromkeys(said))

    def add_attributes(self, value: Any) -> None:
        """Take the attributes of an object that `attributes.json` tells of."""
        number = self._known(value)
        each = self.objects[number]
        more = self._attributes(value.get("attributes"), f"object {number} ({each.name})")
        self.objects[number] = replace(each, attributes=tuple(dict.fromkeys((*each.attributes, *more))))

    def add_relationship(self, value: Any) -> None:
        """Take a relationship, whose ends are written out or given by their ids."""
        if not isinstance(value, dict):
            raise self.builder.error("a relationship has no predicate", "give Visual Genome's files of version 1.4")
        name = self.builder.name(value.get("predicate"), "a relationship").strip().lower()
        subject, target = (self._end(value, key, name) for key in ("subject", "object"))
        each = self.objects[subject]
        self.objects[subject] = replace(each, relations=(*each.relations, Relation(name, target)))

    def _end(self, value: Mapping[str, Any], key: str, relation: str) -> str:
        if isinstance(value.get(key), dict):
            return self._known(value[key])
        number = str(value.get(f"{key}_id"))
        number = self.merged.get(number, number)
        if number not in self.objects:
            raise self.builder.error(
                f"the relation {relation!r} leads {'from' if key == 'subject' else 'to'} object {number}, "
                "which is not there",
                "add the object, or take the relation out",
            )
        return number

    def _known(self, value: Any) -> str:
        """The id of an object that is written out, which is taken where it is new."""
        number = str(value.get("object_id")) if isinstance(value, dict) else ""
        number = self.merged.get(number, number)
        return number if number in self.objects else self.add(value)
