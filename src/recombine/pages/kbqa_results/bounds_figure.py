"""Figure 5: from lower to upper bound a line for each system, with a dot at its accuracy; a column for each level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from recombine.pages.kbqa_results.result_tables import BoundsRow

LABELS, COLUMN, GAP, ROW, TOP = 216, 176, 22, 26, 40


def bounds_figure(name: str, title: str, rows: Sequence[BoundsRow]) -> Markup:
    """The bounds of one grouping."""
    systems = list(dict.fromkeys(row.system.known.name for row in rows))
    levels = list(dict.fromkeys(row.level for row in rows))
    height = TOP + ROW * len(systems) + 22
    width = LABELS + len(levels) * (COLUMN + GAP)
    drawn = [
        element("text", _title(rows, system), x=0, y=TOP + ROW * place + ROW / 2 + 4)
        for place, system in enumerate(systems)
    ]
    for column, level in enumerate(levels):
        left = LABELS + column * (COLUMN + GAP)
        drawn.append(element("text", "overall" if level == "all" else level, x=left, y=16, class_="name"))
        for percent in (0, 50, 100):
            x = left + COLUMN * percent / 100
            drawn.append(element("path", d=f"M{x:.1f} {TOP - 8}V{height - 20}", class_="grid"))
            drawn.append(element("text", f"{percent}", x=x, y=height - 5, class_="middle faint"))
    for row in rows:
        left = LABELS + levels.index(row.level) * (COLUMN + GAP)
        y = TOP + ROW * systems.index(row.system.known.name) + ROW / 2
        low, at, high = (left + COLUMN * share for share in (row.lower, row.accuracy, row.upper))
        drawn.append(
            element(
                "g",
                element("title", f"{_title(rows, row.system.known.name)}, {row.level}: {_told(row)}"),
                element("path", d=f"M{low:.1f} {y:.1f}H{high:.1f}", class_=f"range {row.system.known.kind}"),
                element(
                    "path", d=f"M{low:.1f} {y - 5:.1f}V{y + 5:.1f}M{high:.1f} {y - 5:.1f}V{y + 5:.1f}", class_="axis"
                ),
                element("circle", cx=at, cy=y, r=4.5, class_=f"dot {row.system.known.kind}"),
            )
        )
    told = "; ".join(f"{_title(rows, row.system.known.name)}, {row.level}: {_told(row)}" for row in rows)
    return picture(name, title, told, width, height, *drawn, class_="picture wide")


def _title(rows: Sequence[BoundsRow], name: str) -> str:
    known = next(row.system.known for row in rows if row.system.known.name == name)
    return f"{known.title}{', ' + known.extra if known.extra else ''}"


def _told(row: BoundsRow) -> str:
    return f"{100 * row.lower:.1f} to {100 * row.upper:.1f}, accuracy {100 * row.accuracy:.1f}"
