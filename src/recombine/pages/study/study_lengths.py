"""Pictures of lengths: accuracy, and the lengths of wrong outputs, by the length of the gold program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture
from recombine.pages.study.study_figures import COLOURS, legend

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from recombine.evaluation.errors.lengths import Lengths
    from recombine.studies.tables.length_table import LengthTable

WIDTH, TALL, TOP, LEFT = 430, 190, 48, 44
PLOT = WIDTH - LEFT - 14
BOTTOM = TOP + TALL

Line = list[tuple[float, float]]


def length_figures(table: LengthTable, models: Sequence[str], name: str) -> list[Markup]:
    """Two pictures over one scale of gold lengths: what is right, and how long wrong outputs are, if there are any.

    >>> from recombine.evaluation.errors.lengths import lengths
    >>> from recombine.studies.tables.length_table import LengthTable
    >>> table = LengthTable("mcd", {"m": lengths([("a b", "a b", True), ("a b c", "a", False)])})
    >>> len(length_figures(table, ["m"], "lengths-1"))
    2
    """
    longest = max(lengths.whole.longest for lengths in table.models.values())
    shown = {model: models.index(model) % COLOURS for model in models if model in table.models}
    right = {model: _right(table.models[model]) for model in shown}
    wrong = {model: _wrong(table.models[model]) for model in shown}
    drawn = [*legend(list(shown), list(shown.values()), left=LEFT), *_frame("right, by symbols of the gold program")]
    drawn += [*_rows([0, 25, 50, 75, 100], 100, "%"), *_columns(longest)]
    for model, colour in shown.items():
        drawn += _line(right[model], longest, 100, colour)
    description = "; ".join(f"{model}: {100 * table.models[model].whole.accuracy:.1f} % right" for model in shown)
    title = f"Accuracy by gold length, {table.split}"
    pictures = [picture(f"{name}-right", title, description, WIDTH, BOTTOM + 24, *drawn, class_="picture small")]
    if any(wrong.values()):
        pictures.append(_lengths_picture(table.split, wrong, shown, longest, name))
    return pictures


def _right(lengths: Lengths) -> Line:
    return [((group.shortest + group.longest) / 2, 100 * group.accuracy) for group in lengths.groups]


def _wrong(lengths: Lengths) -> Line:
    pairs = [(group.gold_of_wrong, group.wrong_output) for group in lengths.groups]
    return [(gold, output) for gold, output in pairs if gold is not None and output is not None]


def _lengths_picture(split: str, wrong: dict[str, Line], shown: dict[str, int], longest: int, name: str) -> Markup:
    highest = max(longest, *(output for line in wrong.values() for _, output in line))
    drawn = [*_frame("symbols of wrong outputs, by those of their gold programs")]
    drawn += [*_rows(_ticks(highest), highest), *_columns(longest)]
    diagonal = f"M{LEFT} {BOTTOM}L{number(_x(longest, longest))} {number(_y(longest, highest))}"
    drawn.append(element("path", element("title", "as long as gold"), d=diagonal, class_="axis dashed"))
    for model, line in wrong.items():
        drawn += _line(line, longest, highest, shown[model])
    title = f"Lengths of wrong outputs by gold length, {split}"
    description = "on the dashed line, outputs are as long as gold"
    return picture(f"{name}-wrong", title, description, WIDTH, BOTTOM + 24, *drawn, class_="picture small")


def _x(length: float, longest: float) -> float:
    return LEFT + PLOT * length / longest


def _y(value: float, highest: float) -> float:
    return BOTTOM - TALL * value / highest


def _frame(heading: str) -> Iterator[Markup]:
    yield element("text", heading, x=LEFT, y=TOP - 11, class_="faint")


def _rows(ticks: Sequence[int], highest: float, unit: str = "") -> Iterator[Markup]:
    for tick in ticks:
        y = _y(tick, highest)
        yield element("path", d=f"M{LEFT} {number(y)}h{number(PLOT)}", class_="grid")
        yield element("text", f"{tick}{unit}", x=LEFT - 7, y=y + 4, class_="end faint")


def _columns(longest: int) -> Iterator[Markup]:
    for tick in _ticks(longest):
        yield element("text", str(tick), x=_x(tick, longest), y=BOTTOM + 18, class_="middle faint")


def _ticks(highest: float) -> list[int]:
    """Round numbers from 0 on, at most six of them.

    >>> _ticks(48), _ticks(4)
    ([0, 10, 20, 30, 40], [0, 1, 2, 3, 4])
    """
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if highest < 6 * step)
    return list(range(0, int(highest) + 1, step))


def _line(line: Line, longest: float, highest: float, colour: int) -> Iterator[Markup]:
    places = [(_x(x, longest), _y(y, highest)) for x, y in line]
    if len(places) > 1:
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
        yield element("path", d=path, class_=f"line m{colour}")
    for (x, y), (length, value) in zip(places, line, strict=True):
        tooltip = element("title", f"{length:.0f}: {value:.1f}")
        yield element("circle", tooltip, cx=x, cy=y, r=3, class_=f"dot m{colour}")
