"""Square pictures from 0 to 1 both ways: the curve whose area is the AUC, and splits by easiness and accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.number_texts import percent
from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from markupsafe import Markup

SIDE = 234
LEFT, TOP, RIGHT = 52, 24, 54
WIDTH, HEIGHT = LEFT + SIDE + RIGHT, TOP + SIDE + 42
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 2")


def roc_figure(curves: Mapping[str, Sequence[tuple[float, float]]], *, name: str) -> Markup:
    """Curves of one or several gold labels; they differ in their dashes, in the order of `DASHES`."""
    drawn = [*_frame("share of wrong examples at least so easy", "share of right ones", percent)]
    drawn.append(element("path", d=f"M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}", class_="axis", stroke_dasharray="3 3"))
    for place, (label, points) in enumerate(curves.items()):
        path = "L".join(f"{_x(x)} {_y(y)}" for x, y in points)
        dashes = {"stroke_dasharray": DASHES[place % len(DASHES)]} if place % len(DASHES) else {}
        drawn.append(element("path", element("title", label), d=f"M{path}", class_="train-line", **dashes))
    title = "Receiver operating characteristic of easiness"
    description = "Right examples are the easier ones where the curve runs above the diagonal. " + " ".join(
        f"{label}: {_reached(points)}." for label, points in curves.items()
    )
    return picture(name, title, description, WIDTH, HEIGHT, *drawn, class_="picture plot")


def scatter_figure(points: Sequence[tuple[str, float, float]], *, name: str) -> Markup:
    """Splits by their mean easiness and by accuracy."""
    drawn = [*_frame("mean easiness", "accuracy", _plain)]
    for label, easiness, accuracy in points:
        tooltip = f"{label}: mean easiness {easiness:.3f}, accuracy {accuracy:.3f}"
        drawn.append(
            element(
                "circle",
                element("title", tooltip),
                cx=LEFT + SIDE * easiness,
                cy=TOP + SIDE * (1 - accuracy),
                r=4.5,
                class_="dot",
            )
        )
    title = "Splits by easiness and accuracy"
    description = "; ".join(
        f"{label}: easiness {easiness:.2f}, accuracy {accuracy:.2f}" for label, easiness, accuracy in points
    )
    return picture(name, title, description + ".", WIDTH, HEIGHT, *drawn, class_="picture plot")


def _reached(points: Sequence[tuple[float, float]]) -> str:
    """The curve in one number: right examples that are easier than all but a tenth of the wrong ones."""
    reached = max(right for wrong, right in points if wrong <= 0.1)
    return f"with a tenth of the wrong examples go {percent(reached)} of the right ones"


def _x(value: float) -> str:
    return number(LEFT + SIDE * value)


def _y(value: float) -> str:
    return number(TOP + SIDE * (1 - value))


def _plain(value: float) -> str:
    return f"{value:g}"


def _frame(across: str, up: str, text: Callable[[float], str]) -> Iterator[Markup]:
    for tick in (0, 0.25, 0.5, 0.75, 1):
        yield element("path", d=f"M{_x(tick)} {TOP}v{SIDE}M{LEFT} {_y(tick)}h{SIDE}", class_="grid")
        yield element("text", text(tick), x=LEFT + SIDE * tick, y=TOP + SIDE + 16, class_="middle faint")
        yield element("text", text(tick), x=LEFT - 6, y=TOP + SIDE * (1 - tick) + 4, class_="end faint")
    yield element("text", across, x=LEFT + SIDE / 2, y=HEIGHT - 8, class_="middle faint")
    yield element("text", up, x=LEFT, y=15, class_="faint")
