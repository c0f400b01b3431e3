"""Pictures of lengths: accuracy, and the lengths of wrong outputs, by the length of the gold program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture
from recombine.pages.study.small_plot import LEFT, TOP, WIDTH, SmallPlot, round_numbers
from recombine.pages.study.study_figures import legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from recombine.evaluation.errors.lengths import Lengths
    from recombine.pages.study.small_plot import Line
    from recombine.studies.tables.length_table import LengthTable


def length_figures(table: LengthTable, models: Sequence[str], name: str) -> list[Markup]:
    """Two pictures over one scale of gold lengths: what is right, and how long wrong outputs are, if there are any.

    >>> from recombine.evaluation.errors.lengths import lengths
    >>> from recombine.studies.tables.length_table import LengthTable
    >>> table = LengthTable("mcd", {"m": lengths([("a b", "a b", True), ("a b c", "a", False)])})
    >>> len(length_figures(table, ["m"], "lengths-1"))
    2
    """
    longest = max(lengths.whole.longest for lengths in table.models.values())
    shown = {model: models.index(model) for model in models if model in table.models}
    right = {model: _right(table.models[model]) for model in shown}
    wrong = {model: _wrong(table.models[model]) for model in shown}
    drawn, lower = legend(list(shown), list(shown.values()), left=LEFT, width=WIDTH)
    plot = SmallPlot(longest, 100, TOP + lower)
    drawn += [plot.heading("right, by symbols of the gold program")]
    drawn += [*plot.rows([0, 25, 50, 75, 100], "%"), *plot.columns(round_numbers(longest))]
    for model, place in shown.items():
        drawn += plot.dotted(right[model], place)
    description = "; ".join(f"{model}: {100 * table.models[model].whole.accuracy:.1f} % right" for model in shown)
    title = f"Accuracy by gold length, {table.split}"
    pictures = [picture(f"{name}-right", title, description, WIDTH, plot.height, *drawn, class_="picture small")]
    if any(wrong.values()):
        pictures.append(_lengths_picture(table.split, wrong, shown, plot, name))
    return pictures


def _right(lengths: Lengths) -> Line:
    return [((group.shortest + group.longest) / 2, 100 * group.accuracy) for group in lengths.groups]


def _wrong(lengths: Lengths) -> Line:
    pairs = [(group.gold_of_wrong, group.wrong_output) for group in lengths.groups]
    return [(gold, output) for gold, output in pairs if gold is not None and output is not None]


def _lengths_picture(split: str, wrong: dict[str, Line], shown: dict[str, int], beside: SmallPlot, name: str) -> Markup:
    """The lengths of wrong outputs, with the axis as low as that of the picture beside it."""
    longest = int(beside.widest)
    highest = max(longest, *(output for line in wrong.values() for _, output in line))
    plot = SmallPlot(longest, highest, beside.top)
    drawn = [plot.heading("symbols of wrong outputs, by those of their gold programs")]
    drawn += [*plot.rows(round_numbers(highest)), *plot.columns(round_numbers(longest))]
    diagonal = f"M{LEFT} {number(plot.bottom)}L{number(plot.x(longest))} {number(plot.y(longest))}"
    drawn.append(element("path", element("title", "as long as gold"), d=diagonal, class_="axis dashed"))
    for model, line in wrong.items():
        drawn += plot.dotted(line, shown[model])
    title = f"Lengths of wrong outputs by gold length, {split}"
    description = "on the dashed line, outputs are as long as gold"
    return picture(f"{name}-wrong", title, description, WIDTH, plot.height, *drawn, class_="picture small")
