"""How many test examples are how easy, as a picture; where it is known, right ones upwards and wrong ones downwards.

Twenty bars of equal width for what is less than 1, and one of its own for exactly 1: examples of which train shows
every structure. Right and wrong bars are shares of all right and of all wrong examples, so that few wrong ones can be
seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from recombine.pages.drawing.number_texts import percent, plural
from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup
    from numpy.typing import NDArray

BINS = 20
WIDTH, HEIGHT = 340, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 8, 26, 42
STEP = (WIDTH - LEFT - RIGHT - 8) / (BINS + 1)
TALL = HEIGHT - TOP - BOTTOM


def easiness_bins(scores: NDArray[np.float64]) -> list[int]:
    """Examples of each bar, the last for an easiness of 1.

    >>> easiness_bins(np.array([0.0, 0.05, 0.99, 1.0]))[:2], easiness_bins(np.array([0.99, 1.0]))[-2:]
    ([1, 1], [1, 1])
    """
    # A rounded value on a border must not fall below it.
    places = np.minimum(np.floor(scores * BINS + 1e-9), BINS - 1).astype(np.int64)
    counted: list[int] = np.bincount(np.where(scores >= 1, BINS, places), minlength=BINS + 1).tolist()
    return counted


def easiness_figure(scores: NDArray[np.float64], labels: NDArray[np.int8] | None, *, name: str) -> Markup:
    """The picture; examples without a label are left out where labels are given."""
    drawn = [*_axis()]
    if labels is None:
        counts = easiness_bins(scores)
        most = _round_up(max(counts))
        drawn += _scale([(value, f"{value:,}") for value in _ticks(most)], most, base=TOP + TALL, tall=TALL)
        drawn += _bars(counts, most, "examples", "bar-fill", base=TOP + TALL, tall=TALL)
        description = _description([("examples", counts)])
        drawn.append(element("text", "examples", x=LEFT, y=15, class_="faint"))
    else:
        groups = [("right", easiness_bins(scores[labels == 1])), ("wrong", easiness_bins(scores[labels == 0]))]
        highest = _round_up_share(max(max(counts) / max(sum(counts), 1) for _, counts in groups))
        middle = TOP + TALL / 2
        for (word, counts), tall, look in zip(groups, (TALL / 2, -TALL / 2), ("train-fill", "test-fill"), strict=True):
            drawn += _scale([(value, percent(value)) for value in (highest / 2, highest)], highest, middle, tall)
            drawn += _bars(counts, highest * max(sum(counts), 1), word, look, base=middle, tall=tall)
        drawn += _halves(middle)
        description = _description(groups)
    drawn.append(element("text", "easiness", x=LEFT + (WIDTH - LEFT - RIGHT) / 2, y=HEIGHT - 8, class_="middle faint"))
    return picture(name, "Histogram of easiness", description, WIDTH, HEIGHT, *drawn, class_="picture plot")


def _left(place: int) -> float:
    """The left border of a bar; the last one stands a little apart."""
    return LEFT + STEP * place + (8 if place == BINS else 0)


def _range(place: int) -> str:
    return "1, every structure observed" if place == BINS else f"{place / BINS:.2f} to {(place + 1) / BINS:.2f}"


def _axis() -> Iterator[Markup]:
    low = TOP + TALL
    for tick in (0, 0.25, 0.5, 0.75):
        x = LEFT + STEP * BINS * tick
        yield element("path", d=f"M{number(x)} {low}v5", class_="axis")
        yield element("text", f"{tick:g}", x=x, y=low + 18, class_="middle faint")
    yield element("text", "1", x=_left(BINS) + STEP / 2, y=low + 18, class_="middle faint")
    yield element("path", d=f"M{LEFT} {low}H{number(LEFT + STEP * BINS)}", class_="axis")
    yield element("path", d=f"M{number(_left(BINS))} {low}h{number(STEP)}", class_="axis")


def _scale(ticks: Sequence[tuple[float, str]], highest: float, base: float, tall: float) -> Iterator[Markup]:
    for value, label in ticks:
        y = base - tall * value / highest
        yield element("path", d=f"M{LEFT} {number(y)}H{WIDTH - RIGHT}", class_="grid")
        yield element("text", label, x=LEFT - 6, y=y + 4, class_="end faint")


def _bars(counts: Sequence[int], highest: float, word: str, look: str, *, base: float, tall: float) -> Iterator[Markup]:
    total = sum(counts)
    for place, count in enumerate(counts):
        if not count:
            continue
        high = tall * count / highest
        tooltip = f"easiness {_range(place)}: {count:,} {word} ({percent(count / total)})"
        shape = {"x": _left(place) + 0.75, "y": min(base, base - high), "width": STEP - 1.5, "height": abs(high)}
        yield element("rect", element("title", tooltip), **shape, class_=look)


def _halves(middle: float) -> Iterator[Markup]:
    yield element("path", d=f"M{LEFT} {number(middle)}H{WIDTH - RIGHT}", class_="axis")
    yield element("rect", x=LEFT, y=7, width=9, height=9, rx=2, class_="train-fill")
    yield element("text", "share of right, upwards", x=LEFT + 14, y=15)
    yield element("rect", x=LEFT + 152, y=7, width=9, height=9, rx=2, class_="test-fill")
    yield element("text", "of wrong, downwards", x=LEFT + 166, y=15)


def _description(groups: Sequence[tuple[str, Sequence[int]]]) -> str:
    parts = []
    for word, counts in groups:
        listed = "; ".join(f"{_range(place)}: {count:,}" for place, count in enumerate(counts) if count)
        parts.append(
            f"{plural(sum(counts), 'example') if word == 'examples' else f'{sum(counts):,} {word}'} – {listed}"
        )
    return ". ".join(parts) + "."


def _round_up(count: int) -> int:
    """The next number with one digit that counts, of 1, 2, 4, 5, 8 and 10."""
    power = int(10 ** (len(str(count)) - 1))
    return next(step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= count)


def _round_up_share(share: float) -> float:
    """The next tenth, or twentieth of what is small."""
    step = 0.1 if share > 0.1 else 0.02
    return max(step, math.ceil(share / step - 1e-9) * step)


def _ticks(highest: int) -> list[int]:
    """Zero, the highest and what divides it into two or four whole parts."""
    parts = next(parts for parts in (4, 2, 1) if highest % parts == 0)
    return [highest * part // parts for part in range(parts + 1)]
