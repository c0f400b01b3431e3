"""Figures: how an object of each noun is drawn into its box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.scenes.synthetic.body import HANDLE, PERSONS, hand_of, head_of
from recombine.scenes.synthetic.pen import Fill

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.scenes.scene import Box
    from recombine.scenes.synthetic.pen import Pen

_LIGHT = ("white", "yellow")
_MATERIALS = {
    "wooden": Fill("wooden", "grain", "grain"),
    "metal": Fill("metal", "gleam", "gleam"),
    "stone": Fill("stone", "joint", "joint"),
}
_PATTERNS = ("striped", "dotted", "checkered")
_COLORS = ("red", "blue", "green", "yellow", "white", "black", "brown")


@dataclass(frozen=True)
class Look:
    """What an object looks like: where it is, what it is made of, and what it does to which side."""

    noun: str
    box: Box
    attributes: tuple[str, ...] = ()
    sides: Mapping[str, int] | None = None
    """For each relation of it, the side on which its object is: 1 (right), −1, or 0 (above or below)."""
    from_end: tuple[int, int] | None = None
    to_end: tuple[int, int] | None = None
    """Of what leads from one object to another, where it begins and ends; of what is held, where the hand is."""
    handle: tuple[int, int] | None = None
    """Of what is pulled with no rope, where the hand is."""

    @property
    def fill(self) -> Fill:
        """The color, material or pattern of most of it."""
        for each in self.attributes:
            if each in _MATERIALS:
                return _MATERIALS[each]
        color = next((each for each in self.attributes if each in _COLORS), None)
        pattern = next((each for each in self.attributes if each in _PATTERNS), None)
        if pattern is None:
            return Fill(color or "stone")
        if color is None:
            return Fill("white", pattern, "trousers")
        return Fill(color, pattern, "outline" if color in _LIGHT else "white")

    @property
    def facing(self) -> int:
        """The side that it looks to: away from what is pulled or on the back, else to what it does something to."""
        sides = self.sides or {}
        for name in ("pulling", "back"):
            if sides.get(name):
                return -sides[name]
        for name in ("kicking", "pushing", "hitting", "holding", "head", "neck"):
            if sides.get(name):
                return sides[name]
        return 1

    def does(self, *relations: str) -> bool:
        """Whether it does one of some things."""
        return any(name in (self.sides or {}) for name in relations)


def draw_figure(pen: Pen, look: Look) -> None:
    """Draw an object, and the handle that it is pulled by."""
    if look.handle is not None:
        look = _with_handle(pen, look, look.handle)
    _FIGURES[look.noun](pen, look)


def _with_handle(pen: Pen, look: Look, hand: tuple[int, int]) -> Look:
    """Draw a handle on the side of the hand; the rest of the box is left for the object."""
    box = look.box
    right = hand[0] > box.x + box.width / 2
    grip = min(max(hand[1], box.y + 1), box.y + box.height - 2)
    start, end = (box.x + box.width - HANDLE - 1, box.x + box.width - 1) if right else (box.x + HANDLE, box.x)
    pen.line([(start, box.y + box.height * 0.6), (end, grip)], "outline", 1.4)
    left = box.x if right else box.x + HANDLE
    return replace(look, box=box._replace(x=left, width=box.width - HANDLE), handle=None)


@dataclass(frozen=True)
class _Frame:
    """Places in a box as parts of its width and height, from the back to the front of what looks to a side."""

    box: Box
    facing: int

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point."""
        along = x if self.facing > 0 else 1 - x
        return self.box.x + along * self.box.width, self.box.y + y * self.box.height

    def many(self, *points: tuple[float, float]) -> list[tuple[float, float]]:
        """Points."""
        return [self.at(*point) for point in points]

    def span(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """A box within the box."""
        left = x if self.facing > 0 else 1 - x - width
        box = self.box
        return box.x + left * box.width, box.y + y * box.height, width * box.width, height * box.height


def _person(pen: Pen, look: Look) -> None:
    box, frame = look.box, _Frame(look.box, look.facing)
    head = head_of(look.noun, box, look.facing)
    neck = (head.y + head.height - 1 - box.y) / box.height
    seated = "sitting" in look.attributes
    hip = 0.7 if seated else 0.64
    _legs(pen, look, frame, hip)
    _torso(pen, look, frame, neck, hip)
    _arms(pen, look, frame, neck)
    _head(pen, look, head)


def _legs(pen: Pen, look: Look, frame: _Frame, hip: float) -> None:
    color = "trousers" if look.noun == "man" else "skin"
    if "sitting" in look.attributes:
        for knee in (0.84, 0.94):
            way = [(0.45, hip + 0.06), (knee, hip + 0.1), (knee - 0.04, 0.97)]
            pen.limb(frame.many(*way), color, 2.4)
            if look.noun == "boy":
                pen.limb(frame.many(*_first_half(way)), "trousers", 3.2)
        return
    ways: list[list[tuple[float, float]]]
    if "running" in look.attributes:
        ways = [[(0.5, hip), (0.8, 0.8), (0.7, 0.97)], [(0.5, hip), (0.36, 0.84), (0.06, 0.9)]]
    elif "jumping" in look.attributes:
        ways = [[(0.5, hip), (0.86, 0.78), (0.66, 0.97)], [(0.5, hip), (0.14, 0.78), (0.34, 0.97)]]
    else:
        ways = [[(0.6, hip), (0.62, 0.97)], [(0.4, hip), (0.38, 0.97)]]
    if look.does("kicking"):
        ways[0] = [(0.55, hip), (0.76, 0.82), (0.88, 0.92)]
    for way in reversed(ways):
        pen.limb(frame.many(*way), color, 2.4)
        if look.noun == "boy":
            pen.limb(frame.many(*_first_half(way)), "trousers", 3.2)


def _first_half(way: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The way to the knee, or half of a straight one."""
    return way[:2] if len(way) > 2 else [way[0], ((way[0][0] + way[1][0]) / 2, (way[0][1] + way[1][1]) / 2)]


def _torso(pen: Pen, look: Look, frame: _Frame, neck: float, hip: float) -> None:
    if look.noun in ("man", "boy"):
        pen.polygon(frame.many((0.32, neck), (0.68, neck), (0.66, hip + 0.05), (0.34, hip + 0.05)), "shirt")
    else:
        low = hip + (0.12 if "sitting" in look.attributes else 0.16)
        pen.polygon(frame.many((0.4, neck), (0.6, neck), (0.82, low), (0.18, low)), "dress")


def _arms(pen: Pen, look: Look, frame: _Frame, neck: float) -> None:
    shoulder = neck + 0.06
    if look.does("carrying"):
        for side in (0.08, 0.92):
            pen.limb(frame.many((0.5, shoulder + 0.02), (side, shoulder - 0.04), (side, 0.03)), "skin", 1.8)
        return
    busy = [side for name, side in (look.sides or {}).items() if name in _BY_HAND and side]
    for side in (1, -1):
        if side in busy:
            x, y = hand_of(look.box, side)
            start = look.box.x + look.box.width / 2
            pen.limb([(start, look.box.y + shoulder * look.box.height), (x - side, y)], "skin", 1.8)
            if look.does("pushing"):
                pen.limb([(start, look.box.y + (shoulder + 0.12) * look.box.height), (x - side, y + 2)], "skin", 1.8)
        else:
            edge = 0.5 + side * (0.42 if "jumping" in look.attributes else 0.36)
            low = shoulder - 0.02 if "jumping" in look.attributes else shoulder + 0.24
            pen.limb(_Frame(look.box, 1).many((0.5 + side * 0.14, shoulder), (edge, low)), "skin", 1.8)


def _head(pen: Pen, look: Look, head: Box) -> None:
    x, y, side = head.x, head.y, head.width
    if look.noun == "woman":
        # to the shoulders on both sides, and nothing under the chin, where a man has his beard
        for left in (x - 1, x + side - 2):
            pen.rectangle(left, y + 2, 3, side + 2, "dark hair")
    if look.noun == "girl":
        for left in (x - 2, x + side - 2):
            pen.ellipse(left, y + 2, 4, 6, "fair hair")
    pen.ellipse(x, y, side, side, "skin")
    hair = "fair hair" if look.noun in ("girl", "boy") else "dark hair"
    pen.polygon([(x + 1, y + 3.5), (x + 2, y + 0.5), (x + side - 2, y + 0.5), (x + side - 1, y + 3.5)], hair)
    eye = y + side * 0.5
    shift = look.facing * 1.0
    middle = x + side / 2 - 0.5 + shift
    pen.dot(middle - 2, eye)
    pen.dot(middle + 2, eye)
    if look.noun == "man":
        low, cheek = y + side - 0.5, eye + 1.5
        upper = [(x + 0.5, cheek), (x + side * 0.3, cheek + 1), (x + side * 0.7, cheek + 1), (x + side - 1, cheek)]
        pen.polygon([*upper, (x + side * 0.75, low), (x + side * 0.25, low)], "dark hair")


_BY_HAND = ("holding", "hitting", "pulling", "pushing")


def _puppy(pen: Pen, look: Look) -> None:
    frame, fill = _Frame(look.box, look.facing), look.fill
    pen.limb(frame.many((0.14, 0.5), (0.04, 0.2)), fill.color, 1.6)
    for x in (0.16, 0.3, 0.56, 0.7):
        pen.limb(frame.many((x, 0.7), (x, 0.97)), fill.color, 1.8)
    pen.ellipse(*frame.span(0.06, 0.38, 0.7, 0.42), fill)
    pen.ellipse(*frame.span(0.54, 0.04, 0.4, 0.56), fill)
    pen.ellipse(*frame.span(0.8, 0.28, 0.2, 0.26), fill)
    pen.ellipse(*frame.span(0.5, 0.08, 0.16, 0.46), "brown" if fill.color != "brown" else "black")
    pen.dot(*frame.at(0.74, 0.22))
    pen.dot(*frame.at(0.93, 0.32))


def _kitten(pen: Pen, look: Look) -> None:
    frame, fill = _Frame(look.box, look.facing), look.fill
    pen.limb(frame.many((0.14, 0.64), (0.02, 0.4), (0.1, 0.08), (0.2, 0.06)), fill.color, 1.4)
    for x in (0.18, 0.32, 0.56, 0.7):
        pen.limb(frame.many((x, 0.7), (x, 0.97)), fill.color, 1.5)
    pen.ellipse(*frame.span(0.08, 0.46, 0.68, 0.36), fill)
    pen.polygon(frame.many((0.52, 0.3), (0.52, 0.0), (0.7, 0.16)), fill)
    pen.polygon(frame.many((0.96, 0.3), (0.96, 0.0), (0.8, 0.16)), fill)
    pen.ellipse(*frame.span(0.5, 0.12, 0.5, 0.52), fill)
    eye = "yellow" if fill.color == "black" else "outline"
    pen.dot(*frame.at(0.66, 0.3), eye)
    pen.dot(*frame.at(0.84, 0.3), eye)
    for y in (0.44, 0.52):
        pen.line(frame.many((0.62, y), (0.98, y)), "joint", 0.5)


def _horse(pen: Pen, look: Look) -> None:
    frame, fill = _Frame(look.box, look.facing), look.fill
    mane = "dark hair" if fill.color != "black" else "stone"
    pen.limb(frame.many((0.1, 0.42), (0.03, 0.7)), mane, 2.2)
    for x in (0.16, 0.26, 0.56, 0.66):
        pen.limb(frame.many((x, 0.6), (x, 0.98)), fill.color, 2.2)
    pen.polygon(frame.many((0.52, 0.44), (0.72, 0.08), (0.88, 0.14), (0.74, 0.6)), fill)
    pen.ellipse(*frame.span(0.06, 0.34, 0.7, 0.36), fill)
    pen.polygon(frame.many((0.7, 0.1), (0.84, 0.06), (1.0, 0.26), (0.95, 0.36), (0.78, 0.26)), fill)
    pen.polygon(frame.many((0.74, 0.12), (0.76, 0.0), (0.82, 0.08)), fill)
    pen.limb(frame.many((0.69, 0.1), (0.56, 0.4)), mane, 1.8)
    pen.dot(*frame.at(0.83, 0.13))


def _bird(pen: Pen, look: Look) -> None:
    frame, fill = _Frame(look.box, look.facing), look.fill
    for x in (0.42, 0.58):
        pen.line(frame.many((x, 0.75), (x, 0.97)), "beak", 1)
    pen.polygon(frame.many((0.24, 0.5), (0.0, 0.3), (0.06, 0.64)), fill)
    pen.ellipse(*frame.span(0.12, 0.32, 0.66, 0.5), fill)
    pen.polygon(frame.many((0.84, 0.16), (1.0, 0.3), (0.84, 0.4)), "beak")
    pen.ellipse(*frame.span(0.52, 0.02, 0.38, 0.48), fill)
    pen.polygon(frame.many((0.22, 0.46), (0.56, 0.46), (0.3, 0.7)), "gleam" if fill.color != "white" else "metal")
    pen.dot(*frame.at(0.72, 0.16), "outline" if fill.color != "black" else "white")


def _ball(pen: Pen, look: Look) -> None:
    pen.ellipse(*look.box, look.fill)
    if look.fill.pattern is None:
        x, y, width, height = look.box
        pen.line([(x + width * 0.3, y + height * 0.35), (x + width * 0.45, y + height * 0.22)], "gleam", 1)


def _string_end(look: Look) -> tuple[float, float]:
    """Where the string of what flies ends: at the hand that holds it, or below."""
    box = look.box
    if look.to_end is None:
        return box.x + box.width / 2, box.y + box.height - 1
    x = min(max(look.to_end[0], box.x), box.x + box.width - 1)
    return x, box.y + box.height - 1


def _kite(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    middle, low = x + width / 2, y + height * 0.62
    pen.line([(middle, low), _string_end(look)], "outline", 0.8)
    pen.polygon([(middle, y), (x + width - 1, y + height * 0.25), (middle, low), (x, y + height * 0.25)], look.fill)
    pen.line([(middle, y + 1), (middle, low - 1)], "outline", 0.6)
    pen.line([(x + 1, y + height * 0.25), (x + width - 2, y + height * 0.25)], "outline", 0.6)


def _balloon(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    low = y + height * 0.55
    pen.line([(x + width / 2, low), _string_end(look)], "outline", 0.8)
    pen.polygon([(x + width / 2 - 1, low + 2), (x + width / 2 + 1, low + 2), (x + width / 2, low - 1)], look.fill.color)
    pen.ellipse(x, y, width, height * 0.55, look.fill)
    pen.line([(x + width * 0.3, y + 4), (x + width * 0.42, y + 2)], "gleam", 1)


def _umbrella(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    middle, rim = x + width / 2, y + height * 0.42
    pen.limb([(middle, y + 1), (middle, y + height - 3)], "brown", 1)
    pen.line([(middle, y + height - 3), (middle + 1, y + height - 1), (middle + 3, y + height - 2)], "brown", 1)
    points = [(x + width * part, y + height * up) for part, up in _DOME]
    pen.polygon([*points, (x + width * 0.72, rim - 2), (middle, rim), (x + width * 0.28, rim - 2)], look.fill)


_DOME = ((0.0, 0.42), (0.06, 0.24), (0.22, 0.08), (0.5, 0.0), (0.78, 0.08), (0.94, 0.24), (0.97, 0.42))


def _cup(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.ring(x + width * 0.6, y + height * 0.2, width * 0.4, height * 0.5, "outline", 1.4)
    pen.polygon(
        [(x, y), (x + width * 0.72, y), (x + width * 0.62, y + height - 1), (x + width * 0.1, y + height - 1)],
        look.fill,
    )


def _book(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.rectangle(x + 1, y + 1, width - 1, height - 1, "white")
    pen.rectangle(x, y, width - 1.5, height - 1.5, look.fill)
    pen.line([(x + 2.5, y + 0.5), (x + 2.5, y + height - 2.5)], "outline", 0.8)
    pen.line([(x + 4.5, y + 2.5), (x + width - 4, y + 2.5)], "outline" if look.fill.color in _LIGHT else "white", 1)


def _box(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.rectangle(x, y, width, height, look.fill)
    pen.rectangle(x, y, width, height * 0.32, look.fill)
    pen.rectangle(x + width * 0.4, y, width * 0.22, height * 0.5, "wooden" if look.fill.color != "wooden" else "white")


def _flower(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    middle = x + width / 2
    pen.limb([(middle, y + height * 0.4), (middle, y + height - 1)], "green", 1)
    pen.polygon([(middle, y + height * 0.8), (x + width - 1, y + height * 0.6), (middle, y + height * 0.64)], "green")
    half = width * 0.5
    for left, top in ((0.25, 0.0), (0.0, 0.2), (0.5, 0.2), (0.1, 0.5), (0.4, 0.5)):
        pen.ellipse(x + left * width, y + top * width, half, half, look.fill)
    middle_color = "beak" if look.fill.color == "yellow" else "yellow"
    pen.ellipse(x + width * 0.3, y + width * 0.3, width * 0.42, width * 0.42, middle_color)


def _table(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    for left in (x + 1, x + width - 4):
        pen.rectangle(left, y + 2, 3, height - 2, look.fill)
    pen.rectangle(x, y, width, 4, look.fill)


def _bench(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    for left in (x + 2, x + width - 5):
        pen.rectangle(left, y, 2.5, height, look.fill)
    pen.rectangle(x, y + 1, width, height * 0.26, look.fill)
    pen.rectangle(x, y + height * 0.45, width, height * 0.22, look.fill)


def _chair(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.rectangle(x, y, width * 0.28, height, look.fill)
    pen.rectangle(x + width - 3, y + height * 0.5, 3, height * 0.5, look.fill)
    pen.rectangle(x, y + height * 0.5, width, height * 0.18, look.fill)


def _tree(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.polygon(frame.many((0.43, 1.0), (0.46, 0.4), (0.54, 0.4), (0.58, 1.0)), "trunk")
    if "bare" in look.attributes:
        for way in _BRANCHES:
            pen.limb(frame.many(*way), "trunk", 1.2)
        return
    for left, top, width, height in _CROWN:
        pen.ellipse(*frame.span(left, top, width, height), "leaves")
    pen.ellipse(*frame.span(0.2, 0.12, 0.6, 0.4), Fill("leaves"))
    for x, y in ((0.3, 0.2), (0.6, 0.16), (0.5, 0.34), (0.22, 0.42), (0.72, 0.4)):
        pen.line(frame.many((x, y), (x + 0.08, y + 0.02)), "green", 1)


_CROWN = ((0.0, 0.22, 0.52, 0.34), (0.48, 0.22, 0.52, 0.34), (0.18, 0.0, 0.64, 0.36))
_BRANCHES = (
    ((0.5, 0.5), (0.5, 0.02)),
    ((0.5, 0.52), (0.14, 0.26), (0.03, 0.28)),
    ((0.5, 0.46), (0.84, 0.2), (0.97, 0.22)),
    ((0.3, 0.37), (0.24, 0.12)),
    ((0.7, 0.3), (0.74, 0.06)),
)


def _house(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.rectangle(*frame.span(0.08, 0.4, 0.84, 0.6), look.fill)
    pen.polygon(frame.many((0.0, 0.42), (0.5, 0.0), (0.99, 0.42)), "joint")
    pen.rectangle(*frame.span(0.18, 0.66, 0.22, 0.34), "trunk")
    pen.rectangle(*frame.span(0.56, 0.54, 0.26, 0.22), "glass")
    pen.line(frame.many((0.69, 0.54), (0.69, 0.75)), "outline", 1)


def _tent(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.polygon(frame.many((0.0, 0.98), (0.5, 0.02), (0.99, 0.98)), look.fill)
    pen.polygon(frame.many((0.36, 0.98), (0.5, 0.36), (0.64, 0.98)), "trousers")


def _bicycle(pen: Pen, look: Look) -> None:
    frame, color = _Frame(look.box, look.facing), look.fill.color
    side = look.box.height * 0.62 / look.box.width
    for left in (0.0, 1 - side):
        pen.ring(*frame.span(left, 0.38, side, 0.62), "outline", 1.6)
    hub, other = (side / 2, 0.69), (1 - side / 2, 0.69)
    seat, bar, crank = (0.34, 0.24), (0.72, 0.2), (0.48, 0.7)
    for way in ((hub, seat, crank, hub), (seat, bar, crank), (bar, other)):
        pen.line(frame.many(*way), "outline", 2.2)
    for way in ((hub, seat, crank, hub), (seat, bar, crank), (bar, other)):
        pen.line(frame.many(*way), color, 1.4)
    pen.line(frame.many((0.26, 0.16), (0.42, 0.16)), "outline", 2)
    pen.line(frame.many((0.72, 0.2), (0.68, 0.03), (0.8, 0.03)), "outline", 1.4)


def _skateboard(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    for left in (x + 3, x + width - 6):
        pen.ellipse(left, y + height - 3.5, 3.5, 3.5, "outline")
    pen.polygon(
        [(x, y), (x + 3, y + 1), (x + width - 4, y + 1), (x + width - 1, y), (x + width - 3, y + 3), (x + 2, y + 3)],
        look.fill,
    )


def _cart(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.polygon([(x, y), (x + width - 1, y), (x + width - 3, y + height * 0.65), (x + 2, y + height * 0.65)], look.fill)
    side = height * 0.46
    for left in (x + 2.5, x + width - 2.5 - side):
        pen.ellipse(left, y + height - side, side, side, "joint")
        pen.dot(left + side / 2 - 0.5, y + height - side / 2 - 0.5, "gleam")


def _sled(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, look.facing)
    for x in (0.24, 0.68):
        pen.line(frame.many((x, 0.4), (x, 0.9)), "outline", 1.4)
    pen.line(frame.many((0.02, 0.92), (0.86, 0.92), (0.97, 0.6), (0.93, 0.1)), "outline", 1.4)
    pen.rectangle(*frame.span(0.04, 0.1, 0.82, 0.46), look.fill)


def _line_ends(look: Look) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a rope or stick begins and ends: between two objects, or across its box."""
    x, y, width, height = look.box
    if look.from_end is None or look.to_end is None:
        return (x + 1, y + height / 2), (x + width - 2, y + height / 2)
    start, end = sorted((look.from_end, look.to_end))
    rising = start[1] > end[1]
    high, low = y + 1, y + height - 2
    return (x, low if rising else high), (x + width - 1, high if rising else low)


def _rope(pen: Pen, look: Look) -> None:
    start, end = _line_ends(look)
    middle = ((start[0] + end[0]) / 2, max((start[1] + end[1]) / 2, min(start[1], end[1]) + 1))
    pen.limb([start, middle, end], look.fill.color, 1.4)
    for part in (0.2, 0.4, 0.6, 0.8):
        pen.dot(start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))


def _stick(pen: Pen, look: Look) -> None:
    start, end = _line_ends(look)
    pen.limb([start, end], look.fill.color, 2)


def _bat(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    middle = x + width / 2
    pen.polygon(
        [
            (middle - 1, y + height - 1),
            (x, y + 2),
            (x + 1, y),
            (x + width - 2, y),
            (x + width - 1, y + 2),
            (middle + 1, y + height - 1),
        ],
        look.fill,
    )


def _racket(pen: Pen, look: Look) -> None:
    x, y, width, height = look.box
    pen.limb([(x + width / 2, y + height * 0.6), (x + width / 2, y + height - 1)], look.fill.color, 1.6)
    pen.ellipse(x, y, width, height * 0.66, look.fill)
    pen.ellipse(x + 1.6, y + 1.6, width - 3.2, height * 0.66 - 3.2, Fill("white", "checkered", "metal"))


def _hat(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.polygon(frame.many((0.24, 0.8), (0.28, 0.0), (0.7, 0.0), (0.74, 0.8)), look.fill)
    pen.rectangle(*frame.span(0.0, 0.64, 1.0, 0.36), look.fill)


def _helmet(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, look.facing)
    pen.polygon(
        frame.many((0.04, 0.96), (0.04, 0.45), (0.22, 0.1), (0.5, 0.0), (0.76, 0.1), (0.9, 0.45), (0.9, 0.96)),
        look.fill,
    )
    pen.rectangle(*frame.span(0.0, 0.7, 1.0, 0.3), "joint")


def _scarf(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.rectangle(*frame.span(0.5, 0.2, 0.32, 0.8), look.fill)
    pen.rectangle(*frame.span(0.0, 0.0, 1.0, 0.46), look.fill)


def _backpack(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.rectangle(*frame.span(0.0, 0.0, 1.0, 1.0), look.fill)
    # a flap, not a pocket of one color, so that most of a pattern is seen
    pen.line(frame.many((0.1, 0.34), (0.84, 0.34)), "outline", 0.8)


def _coat(pen: Pen, look: Look) -> None:
    frame = _Frame(look.box, 1)
    pen.polygon(frame.many((0.2, 0.0), (0.78, 0.0), (0.98, 0.98), (0.0, 0.98)), look.fill)
    pen.line(frame.many((0.49, 0.04), (0.49, 0.94)), "outline", 0.8)
    for y in (0.3, 0.52, 0.74):
        pen.dot(*frame.at(0.58, y), "outline" if look.fill.color != "black" else "white")


_FIGURES: dict[str, Callable[[Pen, Look], None]] = {
    **dict.fromkeys(PERSONS, _person),
    "puppy": _puppy,
    "kitten": _kitten,
    "horse": _horse,
    "bird": _bird,
    "ball": _ball,
    "kite": _kite,
    "balloon": _balloon,
    "umbrella": _umbrella,
    "cup": _cup,
    "box": _box,
    "book": _book,
    "flower": _flower,
    "table": _table,
    "bench": _bench,
    "chair": _chair,
    "tree": _tree,
    "house": _house,
    "tent": _tent,
    "bicycle": _bicycle,
    "skateboard": _skateboard,
    "cart": _cart,
    "sled": _sled,
    "rope": _rope,
    "stick": _stick,
    "bat": _bat,
    "racket": _racket,
    "hat": _hat,
    "helmet": _helmet,
    "scarf": _scarf,
    "backpack": _backpack,
    "coat": _coat,
}
