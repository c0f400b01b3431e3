"""What became of examples by group: bars of equal height, parted into right, wrong and abstained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.number_texts import percent
from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from recombine.pages.parser.nqg_data import OutcomeGroup

WIDTH, TALL = 520, 190
LEFT, RIGHT, TOP = 46, 6, 30
PLOT = WIDTH - LEFT - RIGHT
WIDEST = 64
LOOKS = (("right", "train-fill"), ("wrong", "test-fill"), ("abstained", "none-fill"))


def outcome_figure(groups: Sequence[OutcomeGroup], *, name: str, title: str, across: str) -> Markup:
    """The picture; below each bar its group and its number of examples."""
    drawn: list[Markup] = []
    for place, (word, look) in enumerate(LOOKS):
        drawn.append(element("rect", x=LEFT + 92 * place, y=7, width=9, height=9, rx=2, class_=look))
        drawn.append(element("text", word, x=LEFT + 92 * place + 14, y=15))
    for tick in (0, 0.25, 0.5, 0.75, 1):
        y = TOP + TALL * (1 - tick)
        drawn.append(element("path", d=f"M{LEFT} {number(y)}H{WIDTH - RIGHT}", class_="grid"))
        drawn.append(element("text", percent(tick), x=LEFT - 6, y=y + 4, class_="end faint"))
    step = PLOT / len(groups)
    wide = min(step * 0.72, WIDEST)
    for place, group in enumerate(groups):
        centre = LEFT + step * (place + 0.5)
        drawn += _bar(group, centre - wide / 2, wide)
        drawn.append(element("text", group.label, x=centre, y=TOP + TALL + 17, class_="middle"))
        drawn.append(element("text", f"{group.tally.n:,}", x=centre, y=TOP + TALL + 32, class_="middle faint"))
    drawn.append(element("text", across, x=LEFT + PLOT / 2, y=TOP + TALL + 52, class_="middle faint"))
    description = "; ".join(_group_text(group) for group in groups)
    return picture(name, title, description + ".", WIDTH, TOP + TALL + 60, *drawn, class_="picture plot")


def _bar(group: OutcomeGroup, x: float, wide: float) -> list[Markup]:
    tally = group.tally
    counts = (tally.right, tally.wrong + tally.malformed, tally.abstained)
    drawn, y = [], float(TOP + TALL)
    for (word, look), count in zip(LOOKS, counts, strict=True):
        high = TALL * count / tally.n
        y -= high
        if count:
            tooltip = element("title", f"{group.label}: {count:,} of {tally.n:,} {word} ({percent(count / tally.n)})")
            drawn.append(element("rect", tooltip, x=x, y=y, width=wide, height=high, class_=look))
    return drawn


def _group_text(group: OutcomeGroup) -> str:
    tally = group.tally
    return f"{group.label}: coverage {percent(tally.coverage)}, accuracy {percent(tally.accuracy)} of {tally.n:,}"
