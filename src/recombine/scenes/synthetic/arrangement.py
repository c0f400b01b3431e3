"""Arrangement: where the objects of a recipe are, so that each relation can be seen.

A group is arranged on a ground line at 0, to the right of its agent; half of the groups are then mirrored. What is
drawn later covers what is drawn before: `depth` says in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.scenes.scene import Box
from recombine.scenes.synthetic.body import HANDLE, PERSONS, SEATED, hand_of, head_of
from recombine.scenes.synthetic.recipe import PLACES, Link, Part

if TYPE_CHECKING:
    from recombine.scenes.synthetic.ontology import Ontology

Dress = Callable[[str, Sequence[str]], tuple[str, ...]]
"""The attributes of an object of a noun, given the poses that are possible."""
_UP = 6
"""How much higher stands what is behind."""
_OUT = 4
"""How far someone in front stands out beside what is behind."""
_JUMP = 4
_BESIDE = 2
_RIDING_POSES: dict[str, tuple[str, ...]] = {"board": ("standing",)}
_SADDLE = {"mount": 18, "saddle": 11, "board": 1, "sled": 3}
"""How far below the upper side of what is ridden a rider's box ends."""


@dataclass(eq=False)
class Placed:
    """An object with its place; relations lead to other placed ones."""

    noun: str
    attributes: tuple[str, ...]
    box: Box
    depth: int
    relations: list[tuple[str, Placed, Placed | None]] = field(default_factory=list)

    def move(self, x: int, y: int) -> None:
        """Shift it."""
        self.box = self.box._replace(x=self.box.x + x, y=self.box.y + y)

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.box.x + self.box.width

    @property
    def bottom(self) -> int:
        """Where it stands."""
        return self.box.y + self.box.height


class Arrangement:
    """Arranges the parts of recipes."""

    def __init__(self, ontology: Ontology, dress: Dress) -> None:
        self._ontology, self._dress = ontology, dress

    def arrange(self, part: Part, *, mirrored: bool) -> list[Placed]:
        """The objects of a group in the order in which they are drawn; the first column is 0 and the ground is 0."""
        placed = self._group(part)
        if mirrored:
            for each in placed:
                each.box = each.box._replace(x=-each.right)
        left = min(each.box.x for each in placed)
        for each in placed:
            each.move(-left, 0)
        placed.sort(key=lambda each: each.depth)
        return placed

    def _group(self, part: Part, depth: int = 0, *, does: str = "") -> list[Placed]:
        """A part with all that hangs on it, the part itself first; `does` is a relation of it to the part above."""
        placed = self._single(part, depth, does)
        for link in part.links:
            if link.relation == "wearing":
                placed.append(self._worn(placed[0], link))
        for link in part.links:
            if link.relation in _WAYS and not link.reversed:
                placed += _WAYS[link.relation](self, placed, link)
        for link in part.links:
            if link.reversed and link.relation in ("on", "under"):
                placed += self._at_furniture(placed, link)
        for link in part.links:
            if link.relation in _SIDES:
                placed = self._beside(placed, link)
        return placed

    def _single(self, part: Part, depth: int, does: str) -> list[Placed]:
        noun = self._ontology.nouns[part.noun]
        width, height = noun.size or (0, 0)
        attributes = self._dress(part.noun, self._poses(part, does))
        if "sitting" in attributes and part.noun in PERSONS:
            height = round(height * SEATED)
        up = _JUMP if "jumping" in attributes else 0
        return [Placed(part.noun, attributes, Box(0, -height - up, width, height), depth)]

    def _poses(self, part: Part, does: str) -> tuple[str, ...]:
        """The poses that all of what someone does allows."""
        poses = self._ontology.values["pose"]
        if does:
            poses = self._ontology.relations[does].poses or poses
        for link in part.links:
            if link.reversed:
                continue
            allowed = self._ontology.relations[link.relation].poses or poses
            if link.relation == "riding":
                allowed = _RIDING_POSES.get(self._ontology.nouns[link.part.noun].sort, ("sitting",))
            poses = tuple(each for each in poses if each in allowed)
        return poses

    def _worn(self, wearer: Placed, link: Link) -> Placed:
        garment = self._group(link.part, wearer.depth + 1)[0]
        head = head_of(wearer.noun, wearer.box, 1)
        width, height = garment.box.width, garment.box.height
        sort = self._ontology.nouns[garment.noun].sort
        if wearer.noun not in PERSONS:
            width = round(width * 0.85)  # no lower, or its color could not be seen
        middle, neck = head.x + (head.width - width) // 2, head.y + head.height
        if sort == "head":
            corner = (middle, head.y - height // 2)
        elif sort == "neck":
            corner = (middle if wearer.noun in PERSONS else head.x - 2, neck - 2)
            garment.depth = wearer.depth + 2  # over a coat
        elif sort == "back":
            corner, garment.depth = (wearer.box.x - 2, neck), wearer.depth - 1
        else:
            height = min(height, (wearer.bottom - neck) * 3 // 4)
            corner = (middle, neck - 1)
        garment.box = Box(*corner, width, height)
        wearer.relations.append(("wearing", garment, None))
        return garment

    def _held(self, placed: list[Placed], link: Link) -> list[Placed]:
        holder, things = placed[0], self._group(link.part, placed[0].depth + 3)
        thing = things[0]
        x, y = hand_of(holder.box, 1)
        sort = self._ontology.nouns[thing.noun].sort
        if sort in ("aloft", "shade") or thing.noun == "flower":
            left = x - thing.box.width // 2 if sort == "shade" else x - 1
            _move_all(things, left - thing.box.x, y + 2 - thing.bottom)
        else:
            _move_all(things, x - 1 - thing.box.x, y + thing.box.height // 2 - thing.bottom)
        return self._related(holder, "holding", things)

    def _carried(self, placed: list[Placed], link: Link) -> list[Placed]:
        holder, things = placed[0], self._group(link.part, placed[0].depth + 3)
        top = min(each.box.y for each in placed)
        x = holder.box.x + (holder.box.width - things[0].box.width) // 2
        _move_all(things, x - things[0].box.x, top + 1 - things[0].bottom)
        return self._related(holder, "carrying", things)

    def _kicked(self, placed: list[Placed], link: Link) -> list[Placed]:
        things = self._group(link.part, placed[0].depth + 3)
        _move_all(things, placed[0].right - things[0].box.x, placed[0].bottom - things[0].bottom)
        return self._related(placed[0], "kicking", things)

    def _hit(self, placed: list[Placed], link: Link) -> list[Placed]:
        hitter = placed[0]
        tool = self._group(Part(link.tool or "stick"), hitter.depth + 2)[0]
        x, y = hand_of(hitter.box, 1)
        tool.move(x - 1 - tool.box.x, y + 1 - tool.bottom)
        things = self._group(link.part, hitter.depth + 3)
        _move_all(things, tool.right - things[0].box.x, tool.box.y - things[0].box.y - 2)
        return [tool, *self._related(hitter, "hitting", things, tool)]

    def _ridden(self, placed: list[Placed], link: Link) -> list[Placed]:
        rider, things = placed[0], self._group(link.part, placed[0].depth - 4)
        ridden = things[0]
        sort = self._ontology.nouns[ridden.noun].sort
        x = rider.box.x + (rider.box.width - ridden.box.width) // 2
        _move_all(things, x - ridden.box.x - (3 if sort == "mount" else 0), 0)
        bottom = ridden.box.y + (_SADDLE[sort] if rider.noun in PERSONS else min(_SADDLE[sort], 3))
        _move_all(placed, 0, bottom - rider.bottom)
        return self._related(rider, "riding", things)

    def _pulled(self, placed: list[Placed], link: Link) -> list[Placed]:
        puller, things = placed[0], self._group(link.part, placed[0].depth - 6)
        load = things[0]
        tool = None if link.tool is None else self._group(Part(link.tool), puller.depth + 2)[0]
        if tool is None:
            load.box = load.box._replace(width=load.box.width + HANDLE)
        gap = 0 if tool is None else tool.box.width - 4
        _move_all(things, puller.box.x - gap - load.right, 0)
        if tool is not None:
            tool.box = _between((load.right - 3, load.box.y + load.box.height // 2), hand_of(puller.box, -1))
        return ([] if tool is None else [tool]) + self._related(puller, "pulling", things, tool)

    def _pushed(self, placed: list[Placed], link: Link) -> list[Placed]:
        pusher, things = placed[0], self._group(link.part, placed[0].depth + 3)
        load = things[0]
        tool = None if link.tool is None else self._group(Part(link.tool), pusher.depth + 2)[0]
        gap = -1 if tool is None else tool.box.width - 4
        _move_all(things, pusher.right + gap - load.box.x, 0)
        if tool is not None:
            tool.box = _between(hand_of(pusher.box, 1), (load.box.x + 3, load.box.y + load.box.height // 2))
        return ([] if tool is None else [tool]) + self._related(pusher, "pushing", things, tool)

    def _stood_on(self, placed: list[Placed], link: Link) -> list[Placed]:
        things = self._group(link.part, placed[0].depth - 6)
        below = things[0]
        x = placed[0].box.x + (placed[0].box.width - below.box.width) // 2
        _move_all(things, x - below.box.x, 0)
        _move_all(placed, 0, self._surface(below) - placed[0].bottom)
        return self._related(placed[0], "standing on", things)

    def _surface(self, below: Placed) -> int:
        """Where the upper side of something is, one pixel in, so that what stands on it touches it."""
        return below.bottom - round(below.box.height * self._ontology.nouns[below.noun].surface) + 1

    def _sheltered(self, placed: list[Placed], link: Link) -> list[Placed]:
        """What stands over placed ones: a table around them, or a tree whose trunk is beside them."""
        things = self._group(link.part, placed[0].depth - 6)
        self._put_under(placed, things[0], things)
        return self._related(placed[0], "under", things)

    def _put_under(self, below: list[Placed], above: Placed, moved: list[Placed]) -> None:
        """Move what is above so that the others are under it, clear of a trunk."""
        if above.noun == "tree":
            x = below[0].box.x - above.box.width // 2 - 3
        else:
            x = below[0].box.x + (below[0].box.width - above.box.width) // 2
        _move_all(moved, x - above.box.x, 0)

    def _at_furniture(self, placed: list[Placed], link: Link) -> list[Placed]:
        """A thing on or under furniture, at the first free column."""
        furniture = placed[0]
        on = link.relation == "on"
        things = self._group(link.part, furniture.depth + (1 if on else -1))
        taken = [each for each in placed[1:] if any(name == link.relation for name, _, _ in each.relations)]
        start = max((each.right + 1 for each in taken), default=furniture.box.x + (2 if on else 4))
        bottom = self._surface(furniture) if on else furniture.bottom
        _move_all(things, start - things[0].box.x, bottom - things[0].bottom)
        things[0].relations.append((link.relation, furniture, None))
        return things

    def _beside(self, placed: list[Placed], link: Link) -> list[Placed]:
        """Two groups next to each other, or one behind the other and partly covered."""
        others = self._group(link.part, does=link.relation if link.reversed else "")
        one, other = placed[0], others[0]
        subject, target = (other, one) if link.reversed else (one, other)
        hidden, shown = (placed, others) if (link.relation == "behind") != link.reversed else (others, placed)
        if link.relation == "next to":
            _move_all(others, _beside_of(one, placed, others), 0)
        else:
            _put_behind(hidden, shown)
            for each in hidden:
                each.depth -= 40
        inverse = self._ontology.relations[link.relation].inverse or link.relation
        for each in (subject, *self._mounts(subject)):
            each.relations.append((link.relation, target, None))
            target.relations.append((inverse, each, None))
        return [*placed, *others]

    def _mounts(self, rider: Placed) -> list[Placed]:
        """The animal that someone rides, which is where its rider is."""
        ridden = (other for name, other, _ in rider.relations if name == "riding")
        return [each for each in ridden if self._ontology.nouns[each.noun].sort == "mount"]

    def _related(
        self, subject: Placed, relation: str, things: list[Placed], tool: Placed | None = None
    ) -> list[Placed]:
        subject.relations.append((relation, things[0], tool))
        return things


_WAYS: dict[str, Callable[[Arrangement, list[Placed], Link], list[Placed]]] = {
    "holding": Arrangement._held,
    "carrying": Arrangement._carried,
    "kicking": Arrangement._kicked,
    "hitting": Arrangement._hit,
    "riding": Arrangement._ridden,
    "pulling": Arrangement._pulled,
    "pushing": Arrangement._pushed,
    "standing on": Arrangement._stood_on,
    "under": Arrangement._sheltered,
}
_SIDES = tuple(name for name in PLACES if name not in _WAYS)


def _move_all(placed: Iterable[Placed], x: int, y: int) -> None:
    for each in placed:
        each.move(x, y)


def _beside_of(one: Placed, placed: Sequence[Placed], others: Sequence[Placed]) -> int:
    """How far others move to be next to one of placed ones: on the side where nothing is between."""
    left, right = min(each.box.x for each in placed), max(each.right for each in placed)
    if right - one.right <= one.box.x - left:
        return right + _BESIDE - min(each.box.x for each in others)
    return left - _BESIDE - max(each.right for each in others)


def _between(first: tuple[int, int], second: tuple[int, int]) -> Box:
    """The box of what leads from one point to another, at least three pixels high."""
    left, right = sorted((first[0], second[0]))
    top, bottom = sorted((first[1], second[1]))
    if bottom - top < 3:
        top, bottom = top - 1, top + 2
    return Box(left, top, max(1, right - left), bottom - top)


def _put_behind(hidden: Sequence[Placed], shown: Sequence[Placed]) -> None:
    """Move a group behind another so that enough of it can be seen.

    What is higher stands in the middle, but for a table, which would be over what is before it. What is wider sticks
    out on the side where less is, with what is on it. Else half of it is covered, and so is someone behind what hides
    the legs, by which one sees who runs.
    """
    back, front = hidden[0], shown[0]
    someone = back.noun in PERSONS and front.noun != "table"
    if back.box.height > front.box.height + 4 and back.noun != "table" and not someone:
        x = front.box.x + (front.box.width - back.box.width) // 2
    elif someone or back.box.width <= front.box.width:
        x = front.right - back.box.width // 2
    elif front.box.x - min(each.box.x for each in shown) <= max(each.right for each in shown) - front.right:
        x = front.right - _OUT - back.box.width
    else:
        x = front.box.x + _OUT
        things = [each for each in hidden if any(name == "on" for name, _, _ in each.relations)]
        _move_all(things, back.right - 2 - max((each.right for each in things), default=0), 0)
    _move_all(hidden, x - back.box.x, -_UP)
