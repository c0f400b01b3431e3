"""Pictures of scenes of the synthetic world, drawn from their graphs: what is not in the graph is not in the picture.

Objects are drawn in their order, so that later ones cover earlier ones. Of a noisy annotation there is no picture: draw
the scene as it is.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING
from zlib import crc32

from recombine.errors import OptionError, RecombineError
from recombine.scenes.synthetic.body import hand_of
from recombine.scenes.synthetic.figures import Look, draw_figure
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.pen import PALETTE, Pen

if TYPE_CHECKING:
    from PIL.Image import Image

    from recombine.scenes.scene import Box, Scene, SceneObject

UNIT = 128
LARGEST = 32 * UNIT
_GROUNDS = (("sky", "meadow"), ("sky", "sand"), ("wall", "floor"), ("dusk", "moor"))
_HORIZON = 44
_COLORS = [part for color in PALETTE.values() for part in color]
_INDEX = {name: place for place, name in enumerate(PALETTE)}


def picture_bytes(scene: Scene, *, size: int = UNIT) -> bytes:
    """The picture of a scene as a PNG file."""
    stream = BytesIO()
    draw_scene(scene, size=size).save(stream, "PNG", compress_level=6)
    return stream.getvalue()


def draw_scene(scene: Scene, *, size: int = UNIT) -> Image:
    """The picture of a scene, whose side is 128 pixels or a multiple."""
    scale = _check_size(size)
    image, pen = _canvas(scene, scale)
    for look in looks(scene):
        if "jumping" in look.attributes:
            x, y, width, height = look.box
            pen.ellipse(x + 2, y + height + 2, width - 4, 3, "shadow")
    for look in looks(scene):
        draw_figure(pen, look)
    return image


def looks(scene: Scene) -> list[Look]:
    """What each object of a scene looks like, in the order in which they are drawn."""
    ends: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {}
    handles: dict[str, tuple[int, int]] = {}
    for each in scene.objects:
        for relation in each.relations:
            target = _box(scene, scene.by_id[relation.object])
            side = _side(_box(scene, each), target)
            if relation.name == "holding":
                ends[relation.object] = (_middle(target), hand_of(_box(scene, each), side or 1))
            if relation.name == "pulling" and not relation.mods:
                handles[relation.object] = hand_of(_box(scene, each), side or 1)
            for mod in relation.mods:
                ends[mod.object] = (_middle(target), hand_of(_box(scene, each), side or 1))
    return [replace(_look(scene, each, ends.get(each.id)), handle=handles.get(each.id)) for each in scene.objects]


def _look(scene: Scene, each: SceneObject, ends: tuple[tuple[int, int], tuple[int, int]] | None) -> Look:
    ontology, box = find_ontology(), _box(scene, each)
    sides: dict[str, int] = {}
    for relation in each.relations:
        target = scene.by_id[relation.object]
        side = _side(box, _box(scene, target))
        sides[relation.name] = side
        if relation.name == "wearing" and target.name in ontology.nouns:
            sides[ontology.nouns[target.name].sort] = side
    noun = ontology.nouns.get(each.name)
    if noun is None or noun.size is None:
        raise RecombineError(
            f"scene {scene.id}: object {each.id} ({each.name}) is none that is drawn",
            "give the scene as it is, not noisy",
        )
    start, end = ends or (None, None)
    return Look(each.name, box, each.attributes, sides, start, end)


def _box(scene: Scene, each: SceneObject) -> Box:
    if each.box is None:
        raise RecombineError(f"scene {scene.id}: object {each.id} ({each.name}) has no box", "give scenes with boxes")
    return each.box


def _middle(box: Box) -> tuple[int, int]:
    return box.x + box.width // 2, box.y + box.height // 2


def _side(box: Box, other: Box) -> int:
    """The side on which another box is: 0 where its middle is in the middle part of the first."""
    away = (2 * other.x + other.width) - (2 * box.x + box.width)
    return 0 if abs(away) <= 2 else (1 if away > 0 else -1)


def _canvas(scene: Scene, scale: int) -> tuple[Image, Pen]:
    try:
        from PIL import Image
    except ImportError as error:
        raise OptionError("pictures need Pillow, which is not installed", "install recombine[pictures]") from error
    above, below = _GROUNDS[crc32(scene.id.encode()) % len(_GROUNDS)]
    image = Image.new("P", (UNIT * scale, UNIT * scale), _INDEX[above])
    image.putpalette(_COLORS)
    image.paste(_INDEX[below], (0, _HORIZON * scale, UNIT * scale, UNIT * scale))
    return image, Pen(image, scale)


def _check_size(size: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int) or size % UNIT or not UNIT <= size <= LARGEST:
        raise OptionError(f"the size of pictures is {size}", f"give a multiple of {UNIT}, up to {LARGEST}")
    return size // UNIT
