"""A small picture with two axes from 0 on: where values stand, a grid with its numbers, lines with dots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number
from recombine.pages.study.study_figures import COLOURS, dot_style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

WIDTH, TALL, TOP, LEFT = 430, 190, 48, 44
WIDE = WIDTH - LEFT - 14

Line = list[tuple[float, float]]


@dataclass(frozen=True)
class SmallPlot:
    """The scales of a picture."""

    widest: float
    """The value at the right end."""
    highest: float
    """The value at the upper end."""
    top: float = TOP
    """Room above for a legend and a heading."""

    @property
    def bottom(self) -> float:
        """Where the lower axis is."""
        return self.top + TALL

    @property
    def height(self) -> float:
        """The height of the picture, with the numbers below."""
        return self.bottom + 24

    def x(self, value: float) -> float:
        """The place of a value across."""
        return LEFT + WIDE * value / self.widest

    def y(self, value: float) -> float:
        """The place of a value upwards."""
        return self.bottom - TALL * value / self.highest

    def heading(self, text: str) -> Markup:
        """What the picture shows, above it."""
        return element("text", text, x=LEFT, y=self.top - 11, class_="faint")

    def rows(self, values: Sequence[int], unit: str = "") -> Iterator[Markup]:
        """Grid lines at these values, with their numbers."""
        for value in values:
            y = self.y(value)
            yield element("path", d=f"M{LEFT} {number(y)}h{number(WIDE)}", class_="grid")
            yield element("text", f"{value}{unit}", x=LEFT - 7, y=y + 4, class_="end faint")

    def columns(self, values: Sequence[float]) -> Iterator[Markup]:
        """Numbers below."""
        for value in values:
            yield element("text", f"{value:,}", x=self.x(value), y=self.bottom + 18, class_="middle faint")

    def path(self, line: Line, place: int, style: str = "") -> Iterator[Markup]:
        """The line through points, where there are two or more, in the colour of a place among others."""
        if len(line) > 1:
            places = "L".join(f"{number(self.x(x))} {number(self.y(y))}" for x, y in line)
            yield element("path", d=f"M{places}", class_=f"line m{place % COLOURS}{style}")

    def broken_path(self, line: Sequence[tuple[float, float | None]], place: int) -> Iterator[Markup]:
        """The line through points that have a height, dashed past those that have none."""
        run: Line = []
        gap = False
        for x, y in line:
            if y is None:
                gap = bool(run)
                continue
            if gap:
                yield from self.path(run, place)
                yield from self.path([run[-1], (x, y)], place, " dashed")
                run, gap = [], False
            run.append((x, y))
        yield from self.path(run, place)

    def dotted(self, line: Line, place: int) -> Iterator[Markup]:
        """The line through points, and a dot at each, a ring where the colour comes again."""
        yield from self.path(line, place)
        for x, y in line:
            tooltip = element("title", f"{x:.0f}: {y:.1f}")
            yield element("circle", tooltip, cx=self.x(x), cy=self.y(y), r=3, class_=dot_style(place))


def round_numbers(highest: float) -> list[int]:
    """Round numbers from 0 on, at most six of them.

    >>> round_numbers(48), round_numbers(4)
    ([0, 10, 20, 30, 40], [0, 1, 2, 3, 4])
    """
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if highest < 6 * step)
    return list(range(0, int(highest) + 1, step))
