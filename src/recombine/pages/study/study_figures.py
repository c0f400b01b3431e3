"""Pictures of a study: accuracy against divergence (Figure 2 of the CFQ paper), and training curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture
from recombine.studies.tables.summary import mean_interval, mean_text
from recombine.studies.tables.training_sizes import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from recombine.studies.tables.summary import CellResult

WIDTH, TALL = 860, 300
LEFT, RIGHT, TOP = 52, 12, 30
PLOT = WIDTH - LEFT - RIGHT
SPREAD, WIDEST = 18, 72
"""Models, and replicates of one, are set apart sideways, so that none hides another: by this much, all by that."""
COLOURS = 6
"""Colours in the style sheet; further models use them again."""
STYLES = ("", " dashed", " dotted")
"""How lines are drawn whose colours come for the first, second and third time; dots are rings from the second on."""
ROW = 18
"""The height of a row of a legend."""


def scatter(results: Sequence[CellResult], models: Sequence[str]) -> Markup | None:
    """A point for each cell, and the mean of each split with its interval; none where nothing was measured."""
    shown = [result for result in results if result.accuracy is not None and result.divergence is not None]
    if not shown:
        return None
    # Models without a point take no room, so that the others stand where their divergence is.
    colours = {model: place for place, model in enumerate(models) if any(r.cell.model.name == model for r in shown)}
    names, lower = legend(list(colours), list(colours.values()), width=WIDTH)
    drawn: list[Markup] = [*_percents()]
    spread = min(SPREAD, WIDEST / len(colours))
    inset = spread * len(colours) / 2 + 6
    for tick in range(0, 11, 2):
        x = _across(tick / 10, inset)
        drawn.append(element("text", f"{tick / 10:.1f}", x=x, y=TOP + TALL + 18, class_="middle faint"))
    drawn.append(element("text", "compound divergence", x=WIDTH - RIGHT, y=TOP + TALL + 34, class_="end faint"))
    for beside, (model, place) in enumerate(colours.items()):
        splits: dict[str, list[CellResult]] = {}
        for result in shown:
            if result.cell.model.name == model:
                splits.setdefault(result.cell.recipe.name, []).append(result)
        middle = spread * (beside - (len(colours) - 1) / 2)
        for replicates in splits.values():
            drawn += _split(replicates, place, _across(replicates[0].divergence or 0.0, inset) + middle, spread)
    title = "Accuracy against compound divergence"
    description = f"{len(shown)} cells of {len(colours)} models; each point opens its cell."
    plot = element("g", *drawn, transform=f"translate(0 {lower})")
    return picture("scatter", title, description, WIDTH, TOP + TALL + 40 + lower, *names, plot, class_="picture wide")


def curves(results: Sequence[CellResult], model: str, name: str) -> Markup | None:
    """Accuracy on a sample of test along the training of one model, a line for each cell, drawn alike for like splits.

    Splits that are alike but for the size of train count as one kind: their curves have one colour.
    """
    trained = [result for result in results if result.cell.model.name == model and result.record]
    lines = {result.cell.key: (result.record or {})["curve"] for result in trained}
    last = max((point[0] for line in lines.values() for point in line), default=0)
    if not last:
        return None
    kinds = list(dict.fromkeys(kind_of(result.cell.recipe) for result in results if result.cell.model.name == model))
    styles = {kind: line_style(place) for place, kind in enumerate(kinds)}
    trained_kinds = {kind_of(result.cell.recipe) for result in trained}
    names, lower = line_legend({kind: style for kind, style in styles.items() if kind in trained_kinds})
    drawn: list[Markup] = [*_percents()]
    for share in (0.25, 0.5, 0.75, 1):
        anchor = "end faint" if share == 1 else "middle faint"
        label = f"{round(last * share):,}" + (" steps" if share == 1 else "")
        drawn.append(element("text", label, x=LEFT + PLOT * share, y=TOP + TALL + 18, class_=anchor))
    for result in trained:
        points = [f"{number(LEFT + PLOT * s / last)} {number(_y(100 * a))}" for s, _, a in lines[result.cell.key]]
        if points:
            style = styles[kind_of(result.cell.recipe)]
            path = element("path", d=f"M{LEFT} {number(_y(0))}L" + "L".join(points), class_=style)
            drawn.append(cell_link(result, path))
    plot = element("g", *drawn, transform=f"translate(0 {lower})")
    title, tall = f"Training of {model}", TOP + TALL + 26 + lower
    return picture(name, title, f"{len(trained)} cells", WIDTH, tall, *names, plot, class_="picture wide")


def _y(percent: float) -> float:
    return TOP + TALL * (1 - percent / 100)


def _percents() -> Iterator[Markup]:
    for tick in (0, 25, 50, 75, 100):
        yield element("path", d=f"M{LEFT} {number(_y(tick))}H{WIDTH - RIGHT}", class_="grid")
        yield element("text", f"{tick}%", x=LEFT - 7, y=_y(tick) + 4, class_="end faint")


def legend(
    names: Sequence[str], colours: Sequence[int], *, left: float = LEFT, width: float
) -> tuple[list[Markup], int]:
    """Names with their colours, in as many rows as they need; and how much lower the picture below begins."""
    places = legend_places(names, left, width)
    drawn: list[Markup] = []
    for colour, name, (x, y) in zip(colours, names, places, strict=True):
        drawn.append(element("circle", cx=x + 5, cy=y + 11, r=4, class_=dot_style(colour)))
        drawn.append(element("text", name, x=x + 14, y=y + 15))
    return drawn, max((y for _, y in places), default=0)


def dot_style(place: int) -> str:
    """The classes of a dot by its place among others: colours first, then the same as rings.

    >>> dot_style(1), dot_style(7)
    ('dot m1', 'dot m1 again')
    """
    return f"dot m{place % COLOURS}{' again' if place >= COLOURS else ''}"


def line_style(place: int) -> str:
    """The classes of a line by its place among others: colours first, then dashes.

    >>> line_style(1), line_style(7)
    ('line m1', 'line m1 dashed')
    """
    return f"line m{place % COLOURS}{STYLES[place // COLOURS % len(STYLES)]}"


def line_legend(styles: Mapping[str, str]) -> tuple[list[Markup], int]:
    """Names beside a piece of their lines, in as many rows as they need; and how much lower the picture begins."""
    places = legend_places(list(styles), LEFT, WIDTH)
    drawn: list[Markup] = []
    for (name, style), (x, y) in zip(styles.items(), places, strict=True):
        drawn.append(element("path", d=f"M{number(x - 4)} {y + 11}h14", class_=style))
        drawn.append(element("text", name, x=x + 14, y=y + 15))
    return drawn, max((y for _, y in places), default=0)


def legend_places(names: Sequence[str], left: float, width: float) -> list[tuple[float, int]]:
    """Where the names of a legend stand, from left to right and in as many rows as they need.

    >>> legend_places(["a", "b" * 50, "c"], 44, 430)
    [(44.0, 0), (84.2, 0), (44.0, 18)]
    """
    places: list[tuple[float, int]] = []
    x, y = float(left), 0
    for name in names:
        wide = 34 + 6.2 * len(name)
        if x > left and x + wide - 20 > width:
            x, y = float(left), y + ROW
        places.append((x, y))
        x += wide
    return places


def cell_link(result: CellResult, drawn: Markup) -> Markup:
    """What is drawn of a cell, as a link that opens it."""
    tooltip = f"{result.cell.name}: {mean_text(result.accuracy, None)} %"
    return element("a", element("title", tooltip), drawn, href=f"#cell-{result.cell.key}")


def _across(divergence: float, inset: float) -> float:
    """The place of a divergence, with room at both ends for points that stand side by side."""
    return LEFT + inset + (PLOT - 2 * inset) * divergence


def _split(results: Sequence[CellResult], place: int, centre: float, spread: float) -> Iterator[Markup]:
    """The points of one model on one split side by side, behind them the interval of their mean."""
    mean, half = mean_interval([result.accuracy for result in results if result.accuracy is not None])
    if mean is not None and half is not None:
        x, low, high = number(centre), number(_y(max(0.0, mean - half))), number(_y(min(100.0, mean + half)))
        tooltip = element(
            "title", f"{results[0].cell.recipe.name}: {mean_text(mean, half)} % over {len(results)} cells"
        )
        path = element("path", d=f"M{x} {low}V{high}m-4 0h8M{x} {low}m-4 0h8", class_=f"line m{place % COLOURS}")
        yield element("g", tooltip, path)
    step = spread / len(results)
    for beside, result in enumerate(results):
        x_at = centre + step * (beside - (len(results) - 1) / 2)
        yield cell_link(result, element("circle", cx=x_at, cy=_y(result.accuracy or 0.0), r=4, class_=dot_style(place)))
