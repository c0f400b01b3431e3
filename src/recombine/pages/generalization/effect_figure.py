"""Accuracy by the number of examples of what is held out in train, on a logarithmic axis: COVR's Figure 5."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from recombine.pages.generalization.generalization_data import Effect

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 620, 300, 46, 44, 262, 600
PERCENTS = (0, 25, 50, 75, 100)
COLOURS = 4
_NEAR = 0.09
"""Numbers below the axis that are nearer to each other, as a share of its width, are left out."""


def effect_figure(effects: Sequence[Effect]) -> Markup:
    """A line for each set-up, with whiskers of 95 % intervals."""
    sizes = sorted({m for each in effects for m, _ in each.points})
    low, high = log(sizes[0]), log(sizes[-1])

    def x(m: int) -> float:
        return LEFT + (RIGHT - LEFT) * ((log(m) - low) / (high - low) if high > low else 0.5)

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * share

    drawn = []
    for percent in PERCENTS:
        at = y(percent / 100)
        drawn.append(element("path", d=f"M{LEFT} {number(at)}H{RIGHT}", class_="grid"))
        drawn.append(element("text", f"{percent}%", x=LEFT - 7, y=at + 4, class_="end faint"))
    last = -float(WIDTH)
    for m in sizes:
        if x(m) - last >= _NEAR * (RIGHT - LEFT):
            drawn.append(element("text", f"{m:,}", x=x(m), y=BOTTOM + 18, class_="middle faint"))
            last = x(m)
    for place, each in enumerate(effects):
        colour = f"m{place % COLOURS}"
        drawn.append(element("circle", cx=LEFT + 6 + 200 * place, cy=16, r=4, class_=f"dot {colour}"))
        drawn.append(element("text", each.name, x=LEFT + 15 + 200 * place, y=20))
        if len(each.points) > 1:
            line = "L".join(f"{number(x(m))} {number(y(cell.accuracy))}" for m, cell in each.points)
            drawn.append(element("path", d=f"M{line}", class_=f"line {colour}"))
        for m, cell in each.points:
            bottom, top = (number(y(share)) for share in cell.interval)
            drawn.append(element("path", d=f"M{number(x(m))} {bottom}V{top}", class_="whisker"))
            dot = element("circle", cx=x(m), cy=y(cell.accuracy), r=3.5, class_=f"dot {colour}")
            told = element("title", f"{each.name}, M = {m:,}: {100 * cell.accuracy:.1f} % of {cell.n:,}")
            drawn.append(element("g", told, dot))
    texts = (
        f"{each.name}: {', '.join(f'{m} {100 * cell.accuracy:.1f} %' for m, cell in each.points)}" for each in effects
    )
    title = "Accuracy by the number of examples of what is held out in train"
    return picture("effect", title, "; ".join(texts), WIDTH, HEIGHT, *drawn, class_="picture effect")
