"""Figure 7 of the CFQ paper: accuracy against divergence with the name, train share and D_A of every kind of split.

One picture a model. Labels stand beside their points where there is room, else above or below with a line to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from recombine.studies.tables.split_points import SplitPoint

WIDTH, TALL = 860, 430
LEFT, RIGHT, TOP = 52, 12, 22
PLOT = WIDTH - LEFT - RIGHT
LETTER, LINE = 5.9, 13
"""The room that a letter takes in a row, and a row."""
GAP, DOT = 8, 4


@dataclass(frozen=True)
class Label:
    """Where a text stands: its left end and the middle of its row."""

    text: str
    x: float
    y: float

    def hits(self, other: Label) -> bool:
        """Whether it stands on another."""
        apart = self.x + _wide(self.text) <= other.x or other.x + _wide(other.text) <= self.x
        return not apart and abs(self.y - other.y) < LINE

    def covers(self, point: tuple[float, float]) -> bool:
        """Whether it stands on a point."""
        return self.x - DOT < point[0] < self.x + _wide(self.text) + DOT and abs(self.y - point[1]) < LINE / 2 + DOT - 1


def labelled_scatter(points: Sequence[SplitPoint], model: str, name: str, colour: int) -> Markup | None:
    """The picture of one model; none where no split has both an accuracy and a divergence."""
    shown = [
        (divergence, accuracy, point)
        for point in points
        if (accuracy := point.accuracy(model)) is not None and (divergence := point.compound_divergence) is not None
    ]
    if not shown:
        return None
    last = max(0.1, -(-max(divergence for divergence, _, _ in shown) * 10 // 1) / 10)
    places = [(LEFT + GAP + (PLOT - 2 * GAP) * d / last, _y(a)) for d, a, _ in shown]
    labels = place_labels(places, [point.label for _, _, point in shown])
    drawn: list[Markup] = [*_axes(last)]
    for place, label, (divergence, accuracy, point) in zip(places, labels, shown, strict=True):
        drawn += _drawn(place, label, f"{point.label}: D_C {divergence:.3f}, {accuracy:.1f} %", colour)
    title = f"Accuracy of {model} against compound divergence, with labels"
    description = f"{len(shown)} kinds of splits; in brackets the share of the data that is in train, and D_A."
    return picture(name, title, description, WIDTH, TOP + TALL + 40, *drawn, class_="picture wide")


def place_labels(points: Sequence[tuple[float, float]], texts: Sequence[str]) -> list[Label]:
    """A place for each text beside its point, so that none stands on another text, and on a point only in need.

    >>> [(label.x, label.y) for label in place_labels([(100, 50), (100, 50)], ["one", "two"])]
    [(108, 50.0), (74.3, 50.0)]
    """
    placed: list[Label] = []
    for point, text in zip(points, texts, strict=True):
        candidates = list(_candidates(point, text))
        free = [label for label in candidates if not any(map(label.hits, placed))]
        clear = [label for label in free if not any(map(label.covers, points))]
        placed.append((clear or free or candidates)[0])
    return placed


def _candidates(point: tuple[float, float], text: str) -> Iterator[Label]:
    """Places to the right and the left, first in the row of the point, then ever further above and below it."""
    x, y = point
    sides = [side for side in (x + GAP, x - GAP - _wide(text)) if side >= LEFT and side + _wide(text) <= WIDTH]
    rows = [0.0, *(sign * step * LINE / 2 for step in range(1, 4 * TALL // LINE) for sign in (1, -1))]
    for row in rows:
        if TOP <= y + row <= TOP + TALL:
            yield from (Label(text, side, y + row) for side in sides)
    yield Label(text, LEFT, y)


def _wide(text: str) -> float:
    return LETTER * len(text)


def _y(percent: float) -> float:
    return TOP + TALL * (1 - percent / 100)


def _axes(last: float) -> Iterator[Markup]:
    for tick in (0, 25, 50, 75, 100):
        yield element("path", d=f"M{LEFT} {number(_y(tick))}H{WIDTH - RIGHT}", class_="grid")
        yield element("text", f"{tick}%", x=LEFT - 7, y=_y(tick) + 4, class_="end faint")
    for tenth in range(round(last * 10) + 1):
        x = LEFT + GAP + (PLOT - 2 * GAP) * tenth / (last * 10)
        yield element("text", f"{tenth / 10:.1f}", x=x, y=TOP + TALL + 18, class_="middle faint")
    yield element("text", "compound divergence", x=WIDTH - RIGHT, y=TOP + TALL + 34, class_="end faint")


def _drawn(place: tuple[float, float], label: Label, tooltip: str, colour: int) -> Iterator[Markup]:
    """The point of a kind of splits, its label, and a line between them where they are apart."""
    x, y = place
    right = label.x > x
    if abs(label.y - y) > LINE / 2:
        end = label.x - 2 if right else label.x + _wide(label.text) + 2
        yield element("path", d=f"M{number(x)} {number(y)}L{number(end)} {number(label.y)}", class_="axis")
    dot = element("circle", cx=x, cy=y, r=DOT, class_=f"dot m{colour}")
    yield element("g", element("title", tooltip), dot)
    ends = {"x": label.x} if right else {"x": label.x + _wide(label.text), "class_": "end"}
    yield element("text", label.text, y=label.y + 4, **ends)
