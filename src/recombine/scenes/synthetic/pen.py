"""A pen that draws filled shapes with an outline into a picture of a palette, at any multiple of 128 pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image

Point = tuple[float, float]
PALETTE = {
    "outline": (28, 28, 32),
    "red": (214, 40, 40),
    "blue": (38, 84, 210),
    "green": (34, 150, 60),
    "yellow": (250, 210, 30),
    "white": (252, 252, 252),
    "black": (56, 56, 62),
    "brown": (128, 72, 32),
    "wooden": (214, 166, 104),
    "grain": (164, 112, 60),
    "metal": (176, 186, 196),
    "gleam": (236, 242, 248),
    "stone": (150, 146, 140),
    "joint": (104, 100, 96),
    "skin": (240, 196, 160),
    "dark hair": (70, 50, 40),
    "fair hair": (226, 170, 80),
    "shirt": (132, 146, 160),
    "trousers": (88, 96, 110),
    "dress": (168, 140, 164),
    "leaves": (80, 160, 80),
    "trunk": (116, 84, 60),
    "glass": (170, 210, 230),
    "beak": (240, 150, 40),
    "shadow": (150, 170, 140),
    "sky": (214, 234, 246),
    "meadow": (196, 222, 176),
    "sand": (238, 224, 190),
    "wall": (240, 232, 222),
    "floor": (220, 204, 184),
    "dusk": (226, 220, 240),
    "moor": (204, 206, 190),
}
_INDEX = {name: place for place, name in enumerate(PALETTE)}
_OUTLINE = _INDEX["outline"]
_STEP = {"striped": 4, "dotted": 4, "checkered": 5, "grain": 3, "gleam": 8, "joint": 5}


class Fill(NamedTuple):
    """A color, and what is drawn over it in another."""

    color: str
    pattern: str | None = None
    over: str = "outline"


class Pen:
    """Draws in the units of a picture of 128 pixels."""

    def __init__(self, image: Image, scale: int) -> None:
        from PIL import ImageDraw

        self._image, self._scale = image, scale
        self._draw = ImageDraw.Draw(image)

    def polygon(self, points: Sequence[Point], fill: Fill | str) -> None:
        """A polygon."""
        self._shape("polygon", [self._at(point) for point in points], fill)

    def ellipse(self, x: float, y: float, width: float, height: float, fill: Fill | str) -> None:
        """An ellipse in a box."""
        self._shape("ellipse", self._corners(x, y, width, height), fill)

    def rectangle(self, x: float, y: float, width: float, height: float, fill: Fill | str) -> None:
        """A rectangle."""
        self._shape("rectangle", self._corners(x, y, width, height), fill)

    def line(self, points: Sequence[Point], color: str, width: float = 1) -> None:
        """A line with no outline."""
        placed = [self._at(point) for point in points]
        self._draw.line(placed, fill=_INDEX[color], width=max(1, round(width * self._scale)), joint="curve")

    def limb(self, points: Sequence[Point], color: str, width: float) -> None:
        """A line with an outline."""
        self.line(points, "outline", width + 1)
        self.line(points, color, max(1, width - 0.5))

    def ring(self, x: float, y: float, width: float, height: float, color: str, thick: float = 1) -> None:
        """The line of an ellipse."""
        wide = max(1, round(thick * self._scale))
        self._draw.ellipse(self._corners(x, y, width, height), outline=_INDEX[color], width=wide)

    def dot(self, x: float, y: float, color: str = "outline") -> None:
        """A small dot."""
        self._draw.rectangle(self._corners(x, y, 1, 1), fill=_INDEX[color])

    def _at(self, point: Point) -> Point:
        return round(point[0] * self._scale), round(point[1] * self._scale)

    def _corners(self, x: float, y: float, width: float, height: float) -> list[Point]:
        """The first and the last pixel of a box."""
        left, top = self._at((x, y))
        right, bottom = self._at((x + width, y + height))
        return [(left, top), (max(left, right - 1), max(top, bottom - 1))]

    def _shape(self, kind: str, points: list[Point], fill: Fill | str) -> None:
        said = Fill(fill) if isinstance(fill, str) else fill
        draw: Any = getattr(self._draw, kind)
        thick = max(1, self._scale // 2)
        draw(points, fill=_INDEX[said.color], outline=_OUTLINE, width=thick)
        if said.pattern is not None:
            self._cover(kind, points, said.pattern, _INDEX[said.over])
            draw(points, outline=_OUTLINE, width=thick)

    def _cover(self, kind: str, points: list[Point], pattern: str, color: int) -> None:
        """Draw a pattern over a shape, and nowhere else."""
        from PIL import Image, ImageChops, ImageDraw

        left, top = (int(min(point[axis] for point in points)) for axis in (0, 1))
        right, bottom = (int(max(point[axis] for point in points)) + 1 for axis in (0, 1))
        mask = Image.new("1", (right - left, bottom - top))
        inner: Any = getattr(ImageDraw.Draw(mask), kind)
        inner([(x - left, y - top) for x, y in points], fill=1)
        tile = _pattern(pattern, self._scale).crop((0, 0, right - left, bottom - top))
        self._image.paste(color, (left, top), ImageChops.logical_and(mask, tile))


@lru_cache(maxsize=64)
def _pattern(name: str, scale: int) -> Image:
    """A pattern as large as the largest shape can be."""
    from PIL import Image, ImageDraw

    side, step = 64 * scale, _STEP[name] * scale
    image = Image.new("1", (side, side))
    draw = ImageDraw.Draw(image)
    for place, start in enumerate(range(0, side, step)):
        if name in ("striped", "gleam"):
            wide = step // 2 if name == "striped" else scale
            for column in range(wide):
                offset = start + column
                draw.line([(offset, 0), (offset, side)] if name == "striped" else [(offset, 0), (0, offset)], fill=1)
        elif name in ("grain", "joint"):
            draw.rectangle([(0, start + step - scale), (side, start + step - 1)], fill=1)
            shift = 0 if place % 2 else step
            for x in range(shift, side, 2 * step) if name == "joint" else ():
                draw.rectangle([(x, start), (x + scale - 1, start + step)], fill=1)
        else:
            for other, x in enumerate(range(0, side, step)):
                if name == "checkered" and (place + other) % 2:
                    draw.rectangle([(x, start), (x + step - 1, start + step - 1)], fill=1)
                elif name == "dotted":
                    wide = max(2, 2 * scale) - 1
                    shift = scale + (step // 2 if place % 2 else 0)
                    draw.rectangle([(x + shift, start + scale), (x + shift + wide, start + scale + wide)], fill=1)
    return image
