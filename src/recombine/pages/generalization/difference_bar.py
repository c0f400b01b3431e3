"""A difference with its interval as a bar around a middle line: to the left a loss, to the right a gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element

if TYPE_CHECKING:
    from markupsafe import Markup

    from recombine.evaluation.groups.property_differences import PropertyDifference

WIDTH, HEIGHT, HALF = 360, 24, 176
_BAR = 8


def difference_bar(row: PropertyDifference, rest: PropertyDifference | None = None) -> Markup:
    """The bar of a property, and below it an open one: the same outside of the property of the greatest loss."""
    children = [
        element("line", x1=WIDTH / 2, x2=WIDTH / 2, y1=0, y2=HEIGHT, class_="axis"),
        *(element("line", x1=_x(at), x2=_x(at), y1=0, y2=HEIGHT, class_="grid") for at in (-1, -0.5, 0.5, 1)),
        _bar(row, 3, "loss" if row.interval[1] < 0 else "gain" if row.interval[0] > 0 else "unsure"),
    ]
    if rest is not None:
        children.append(_bar(rest, 14, "rest"))
    return element("svg", *children, viewBox=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, height=HEIGHT, aria_hidden="true")


def _x(value: float) -> float:
    return WIDTH / 2 + HALF * value


def _bar(row: PropertyDifference, top: float, look: str) -> Markup:
    start, end = sorted((_x(0), _x(row.difference)))
    low, high = (_x(max(-1.0, min(1.0, each))) for each in row.interval)
    middle = top + _BAR / 2
    return element(
        "g",
        element("rect", x=start, y=top, width=max(end - start, 0.5), height=_BAR),
        element("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"),
        element("line", x1=low, x2=low, y1=middle - 3, y2=middle + 3, class_="whisker"),
        element("line", x1=high, x2=high, y1=middle - 3, y2=middle + 3, class_="whisker"),
        class_=f"difference {look}",
    )
