"""Scenes and their pictures as arrays.

Of a scene that questions are about only the boxes are taken. With `labelled`, names and attributes are taken too: that
is for other scenes, which a detector learns from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import RecordError
from recombine.models.pictures.arrays.picture_arrays import BACKGROUND, PictureArrays
from recombine.models.pictures.making.read_pixels import SIDE, read_pixels
from recombine.models.pictures.making.region_boxes import RegionSettings, make_regions
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.pictures.making.region_boxes import Regions
    from recombine.scenes.scene import Scene

    Look = Callable[[Scene], tuple[NDArray[np.uint8], tuple[int, int]]]
    """The pixels of a scene, and the width and height of its picture."""


@dataclass
class ScenePictures:
    """Arrays of some scenes, and what was met on the way."""

    arrays: PictureArrays
    region_of: list[NDArray[np.int64]] = field(default_factory=list)
    """By scene, by place of an object: its region, or -1 where it has none."""
    left_out: int = 0
    """How many objects have no region because their pictures have too many."""
    without_box: int = 0
    """How many objects have no box."""


def looking_in(pictures: Mapping[str, Path], side: int = SIDE) -> Look:
    """A look at files by the ids of scenes."""
    return lambda scene: read_pixels(pictures[scene.id], side)


def drawn(side: int = SIDE) -> Look:
    """A look at pictures that are drawn from scenes of the synthetic world."""

    def look(scene: Scene) -> tuple[NDArray[np.uint8], tuple[int, int]]:
        from PIL import Image

        from recombine.scenes.synthetic.picture import draw_scene

        image = draw_scene(scene).convert("RGB")
        if image.size != (side, side):
            image = image.resize((side, side), Image.Resampling.BILINEAR)
        return np.asarray(image, dtype=np.uint8), (scene.width, scene.height)

    return look


def scene_pictures(
    scenes: Sequence[Scene],
    look: Look,
    *,
    seed: int,
    settings: RegionSettings | None = None,
    labelled: bool = False,
    side: int = SIDE,
    where: Path | str = "the scenes",
) -> ScenePictures:
    """The pictures of scenes as arrays; what is drawn depends on the seed and the id of a scene alone."""
    settings = settings or RegionSettings()
    pixels = np.zeros((len(scenes), side, side, 3), dtype=np.uint8)
    regions: list[Regions] = []
    made = ScenePictures(PictureArrays([each.id for each in scenes], pixels, _NONE, np.zeros(0, dtype=np.int16)))
    for place, scene in enumerate(tracked(scenes, "looking at pictures", total=len(scenes))):
        pixels[place], size = look(scene)
        boxes, objects = scene_boxes(scene, size, where)
        made.without_box += len(scene.objects) - len(objects)
        found = make_regions(boxes, scene.id, seed, settings)
        regions.append(found)
        made.left_out += found.left_out
        if labelled:
            made.region_of.append(_region_of(found, objects, len(scene.objects)))
    _fill(made.arrays, regions)
    if labelled:
        _label(made.arrays, scenes, made.region_of)
    return made


def scene_boxes(
    scene: Scene, size: tuple[int, int], where: Path | str = "the scenes"
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The boxes of objects in parts of the picture, as left, top, right and bottom, and the places of those objects."""
    width, height = scene.width or size[0], scene.height or size[1]
    boxes, objects = [], []
    for place, each in enumerate(scene.objects):
        if each.box is None:
            continue
        x, y, w, h = each.box
        if x < 0 or y < 0 or w < 1 or h < 1 or x + w > width or y + h > height:
            said = (
                f"the box of object {each.id} (x {x}, y {y}, w {w}, h {h}) is outside its picture of {width} × {height}"
            )
            raise RecordError(where, f"scene {scene.id}", said, "mend the box, or the size that the scene says")
        boxes.append((x / width, y / height, (x + w) / width, (y + h) / height))
        objects.append(place)
    return np.array(boxes, dtype=np.float64).reshape(-1, 4), np.array(objects, dtype=np.int64)


_NONE = np.zeros((0, 1, 4), dtype=np.float32)


def _fill(arrays: PictureArrays, regions: Sequence[Regions]) -> None:
    most = max((len(each.boxes) for each in regions), default=1)
    arrays.boxes = np.zeros((len(regions), max(1, most), 4), dtype=np.float32)
    arrays.regions = np.array([len(each.boxes) for each in regions], dtype=np.int16)
    for place, each in enumerate(regions):
        arrays.boxes[place, : len(each.boxes)] = each.boxes


def _region_of(regions: Regions, objects: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """By the place of an object, its region."""
    table = np.full(number, -1, dtype=np.int64)
    own = regions.objects >= 0
    table[objects[regions.objects[own]]] = np.flatnonzero(own)
    return table


def _label(arrays: PictureArrays, scenes: Sequence[Scene], region_of: Sequence[NDArray[np.int64]]) -> None:
    """Add names and attributes."""
    arrays.name_list = sorted({each.name for scene in scenes for each in scene.objects})
    arrays.attribute_list = sorted({name for scene in scenes for each in scene.objects for name in each.attributes})
    names = {name: place for place, name in enumerate(arrays.name_list)}
    attributes = {name: place for place, name in enumerate(arrays.attribute_list)}
    shape = arrays.boxes.shape[:2]
    arrays.names = np.full(shape, BACKGROUND, dtype=np.int16)
    arrays.attributes = np.zeros((*shape, len(attributes)), dtype=bool)
    for place, (scene, table) in enumerate(zip(scenes, region_of, strict=True)):
        for each, region in zip(scene.objects, table.tolist(), strict=True):
            if region >= 0:
                arrays.names[place, region] = names[each.name]
                arrays.attributes[place, region, [attributes[name] for name in each.attributes]] = True
