"""Pictures of training sizes: accuracy by the examples of train, and by divergence for each size.

They are Figures 10 and 11, and 8 and 9, of the CFQ paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, picture
from recombine.pages.study.small_plot import LEFT, TOP, WIDTH, SmallPlot, round_numbers
from recombine.pages.study.study_figures import cell_link, dot_style, legend

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from recombine.studies.tables.training_sizes import SizeLine, SizePoint

PERCENTS = (0, 25, 50, 75, 100)
TENTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

Placed = tuple[float, "SizePoint"]


def size_figures(lines: Sequence[SizeLine], name: str) -> list[Markup]:
    """A line over sizes for each kind of splits; and a line over divergence for each size, where it was measured."""
    largest = max(point.size for line in lines for point in line.planned)
    by_kind = {line.label: [(float(point.size), point) for point in line.planned] for line in lines}
    pictures = [_figure(by_kind, largest, round_numbers(largest), "train examples", f"{name}-size")]
    by_size: dict[str, list[Placed]] = {}
    for size, divergence, point in sorted(_measured(lines), key=lambda each: each[:2]):
        by_size.setdefault(f"{size:,}", []).append((divergence, point))
    if any(sum(point.accuracy is not None for _, point in placed) > 1 for placed in by_size.values()):
        pictures.append(_figure(by_size, 1, TENTHS, "compound divergence", f"{name}-divergence"))
    return pictures


def _measured(lines: Sequence[SizeLine]) -> Iterator[tuple[int, float, SizePoint]]:
    for point in (point for line in lines for point in line.planned):
        if point.divergence is not None:
            yield point.size, point.divergence, point


def _figure(lines: dict[str, list[Placed]], widest: float, columns: Sequence[float], across: str, name: str) -> Markup:
    """A line through the means of each name, and a dot for each cell, which opens it.

    Names keep their colours where others have nothing done, so that those of several models are the same.
    """
    shown = {label: number for number, label in enumerate(lines) if _means(lines[label])}
    drawn, lower = legend(list(shown), list(shown.values()), left=LEFT, width=WIDTH)
    plot = SmallPlot(widest, 100, TOP + lower)
    drawn += [plot.heading(f"right, by {across}"), *plot.rows(PERCENTS, "%"), *plot.columns(columns)]
    for label, number in shown.items():
        drawn += plot.broken_path([(value, point.accuracy) for value, point in lines[label]], number)
        for value, point in (placed for placed in lines[label] if placed[1].accuracy is not None):
            for result in point.results:
                at = {"cx": plot.x(value), "cy": plot.y(result.accuracy or 0.0)}
                drawn.append(cell_link(result, element("circle", **at, r=3, class_=dot_style(number))))
    means = (f"{label}: {', '.join(f'{x:g} {y:.1f} %' for x, y in _means(lines[label]))}" for label in shown)
    title = f"Accuracy by {across}"
    return picture(name, title, "; ".join(means), WIDTH, plot.height, *drawn, class_="picture small")


def _means(placed: Sequence[Placed]) -> list[tuple[float, float]]:
    """Where the means of what is done stand."""
    return [(value, point.accuracy) for value, point in placed if point.accuracy is not None]
