"""A scene: objects with boxes, attributes and relations to each other, as a picture is annotated.

A relation leads from its object to another, and may have modifiers that lead to further ones: `pulling` a cart `with` a
rope. Names are texts in small letters, as people wrote them; ids are unique within a scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from pathlib import Path


class Box(NamedTuple):
    """Where an object is in its picture, in pixels from the upper left."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        """The number of pixels."""
        return self.width * self.height


class Modifier(NamedTuple):
    """What a relation is done with, into or from: its name and the id of an object."""

    name: str
    object: str


class Relation(NamedTuple):
    """A relation to the object of an id."""

    name: str
    object: str
    mods: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneObject:
    """An object; its box is none where the annotation has no picture."""

    id: str
    name: str
    box: Box | None = None
    attributes: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Objects in the order of their annotation, and the size of the picture, 0 where it is not known."""

    id: str
    objects: tuple[SceneObject, ...]
    width: int = 0
    height: int = 0

    @cached_property
    def by_id(self) -> Mapping[str, SceneObject]:
        """The objects by their ids."""
        return {each.id: each for each in self.objects}


@dataclass(frozen=True)
class Scenes(Sequence[Scene]):
    """A collection of scenes, the world of a data set; `attribute_types` says that red is a color."""

    scenes: tuple[Scene, ...]
    digest: str
    """The SHA-256 of what the file of the collection holds."""
    attribute_types: Mapping[str, str] = field(default_factory=dict)
    kind: str = "scenes"
    pictures: Path | None = field(default=None, compare=False)
    """The folder of their pictures; none where it is not known."""

    @cached_property
    def by_id(self) -> Mapping[str, Scene]:
        """The scenes by their ids."""
        return {each.id: each for each in self.scenes}

    @overload
    def __getitem__(self, place: int) -> Scene: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Scene, ...]: ...
    def __getitem__(self, place: int | slice) -> Scene | tuple[Scene, ...]:
        return self.scenes[place]

    def __len__(self) -> int:
        return len(self.scenes)

    def __iter__(self) -> Iterator[Scene]:
        return iter(self.scenes)
