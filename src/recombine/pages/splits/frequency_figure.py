"""Frequencies of structures in train and test as a picture (Figure 6 of the CFQ paper).

Few structures are drawn one by one with their names, on a linear scale. Many share pixel columns, on a logarithmic
scale: a column stands for structures that are neighbours in the order, and shows the median of those present in each
part, the least and greatest frequency in test, and the share of them that test lacks. Nothing is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.pages.drawing.layout import short_label
from recombine.pages.drawing.number_texts import percent
from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup
    from numpy.typing import NDArray

    from recombine.pages.splits.frequencies import Frequencies

NAMED = 60
"""As many structures as are drawn one by one."""
WIDTH = 860
LEFT, RIGHT, TOP = 52, 12, 30
PLOT = WIDTH - LEFT - RIGHT
TALL = 210
STRIP = 34


@dataclass(frozen=True)
class Column:
    """Neighbours in the order that share a pixel column; frequencies are of those present."""

    train: float | None
    test: float | None
    least: float
    greatest: float
    lacking: float
    """The share of them that test lacks."""


def columns(frequencies: Frequencies, count: int) -> list[Column]:
    """The structures in at most `count` columns of sizes that differ by at most one, the larger ones spread evenly."""
    pixel_columns = []
    count = min(count, len(frequencies))
    for rows in np.split(np.arange(len(frequencies)), [place * len(frequencies) // count for place in range(1, count)]):
        test = frequencies.test[rows]
        present = test[test > 0]
        pixel_columns.append(
            Column(
                _median(frequencies.train[rows]),
                _median(test),
                float(present.min()) if len(present) else 0.0,
                float(present.max()) if len(present) else 0.0,
                1 - len(present) / len(rows),
            )
        )
    return pixel_columns


def frequency_figure(frequencies: Frequencies, *, noun: str, name: str, against: str, known: str = "train") -> Markup:
    """The picture of one kind of structure (`noun`: atom or compound) in one split; `known` and `against` are parts."""
    title = f"Frequency of {noun}s in {known} and {against}"
    description = (
        f"{len(frequencies):,} {noun}s by falling frequency in {known}, then in {against}: "
        f"{frequencies.in_both:,} are in both, "
        f"{frequencies.only_in_train:,} only in {known}, {frequencies.only_in_test:,} only in {against}."
    )
    if len(frequencies) <= NAMED:
        height, drawn = _named(frequencies, against, known)
    else:
        height, drawn = _many(frequencies, noun, against, known)
    return picture(name, title, description, WIDTH, height, *drawn, class_="picture wide")


def explanation(frequencies: Frequencies, *, noun: str, against: str, known: str = "train") -> str:
    """How to read the picture."""
    order = f"From left to right by falling frequency in {known}, then in {against}"
    if len(frequencies) <= NAMED:
        return f"{order}; the frequency is the share of examples that hold the {noun}."
    size = len(frequencies) / min(PLOT, len(frequencies))
    if size == 1:
        return (
            f"{order}, one column per {noun}, on a logarithmic scale. The strip below marks those that {against} lacks."
        )
    return (
        f"{order}, on a logarithmic scale. Each pixel column stands for {_about(size)} {noun}s: the blue line and the "
        f"dark orange marks are medians of those present, the pale bars reach from the least to the greatest frequency "
        f"in {against}, and the strip below is the share of them that {against} lacks. Nothing is left out."
    )


def _about(size: float) -> str:
    return f"{size:.0f}" if size == int(size) else f"{math.floor(size)} or {math.ceil(size)}"


def _median(values: NDArray[np.float64]) -> float | None:
    present = values[values > 0]
    return float(np.median(present)) if len(present) else None


def _legend(against: str, known: str, *, ranges: bool) -> Iterator[Markup]:
    yield element("circle", cx=LEFT + 5, cy=11, r=4, class_="train-fill")
    yield element("text", known, x=LEFT + 14, y=15)
    right = LEFT + 65 + max(0, len(known) - len("train")) * 6
    yield element("path", d=_diamond(right, 11), class_="test-fill")
    label = f"{against}, with its range" if ranges else against
    yield element("text", label, x=right + 10, y=15)


def _diamond(x: float, y: float, size: float = 4.5) -> str:
    return f"M{number(x)} {number(y - size)}l{size} {size}l-{size} {size}l-{size}-{size}z"


def _named(frequencies: Frequencies, against: str, known: str) -> tuple[float, list[Markup]]:
    """One place per structure with two marks, a line between them, and the name below."""
    drawn = [*_legend(against, known, ranges=False)]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        drawn += _tick(TOP + TALL * (1 - tick), percent(tick))
    step = PLOT / len(frequencies)
    base = TOP + TALL
    for place, name in enumerate(frequencies.names):
        x = LEFT + step * (place + 0.5)
        train, test = (base - TALL * float(values[place]) for values in (frequencies.train, frequencies.test))
        shares = [percent(float(values[place])) for values in (frequencies.train, frequencies.test)]
        tooltip = f"{name}: {known} {shares[0]}, {against} {shares[1]}"
        drawn.append(
            element(
                "g",
                element("title", tooltip),
                element("path", d=f"M{number(x)} {number(train)}V{number(test)}", class_="axis"),
                element("circle", cx=x, cy=train, r=4, class_="train-fill"),
                element("path", d=_diamond(x, test), class_="test-fill"),
            )
        )
        turned = f"rotate(-55 {number(x + 4)} {number(base + 14)})"
        drawn.append(element("text", short_label(name), x=x + 4, y=base + 14, class_="end", transform=turned))
    longest = max(len(short_label(name)) for name in frequencies.names)
    return base + 18 + 4.4 * longest, drawn


def _many(frequencies: Frequencies, noun: str, against: str, known: str) -> tuple[float, list[Markup]]:
    pixel_columns = columns(frequencies, PLOT)
    seen = [value for values in (frequencies.train, frequencies.test) for value in values[values > 0]]
    decades = math.ceil(-math.log10(min(seen)) - 1e-9) or 1
    step = PLOT / len(pixel_columns)
    base = TOP + TALL

    def y(value: float) -> float:
        return TOP - TALL * math.log10(value) / decades

    drawn = [*_legend(against, known, ranges=len(pixel_columns) < len(frequencies))]
    for decade in range(decades + 1):
        drawn += _tick(y(10.0**-decade), percent(10.0**-decade))
    train: list[str] = []
    test: list[str] = []
    band: list[str] = []
    strip: list[str] = []
    low = base + 22 + STRIP
    for place, column in enumerate(pixel_columns):
        x = LEFT + step * place
        if column.train is not None:
            train.append(f"{'L' if train else 'M'}{number(x)} {number(y(column.train))}h{number(step)}")
        if column.test is not None:
            test.append(f"M{number(x)} {number(y(column.test) - 1)}h{number(step)}v2h-{number(step)}z")
            if column.greatest > column.least:
                middle = number(x + step / 2)
                band.append(f"M{middle} {number(y(column.greatest))}V{number(y(column.least))}")
        if column.lacking:
            strip.append(f"M{number(x)} {number(low)}v-{number(STRIP * column.lacking)}h{number(step)}V{number(low)}z")
    drawn += [
        element("path", d="".join(band), class_="test-band", stroke_width=step),
        element("path", d="".join(test), class_="test-fill"),
        element("path", d="".join(train), class_="train-line"),
        element("path", d="".join(strip), class_="test-area"),
        element("rect", x=LEFT, y=low - STRIP, width=PLOT, height=STRIP, class_="grid"),
        element("text", f"share not in {against}", x=LEFT, y=low - STRIP - 5, class_="faint"),
        *_tick_label(low - STRIP, "100%"),
        *_tick_label(low, "0%"),
        *_ranks(len(frequencies), noun, low),
        *_boundary(frequencies, against, low),
    ]
    return low + 34, drawn


def _tick(y: float, label: str) -> Iterator[Markup]:
    yield element("path", d=f"M{LEFT} {number(y)}H{WIDTH - RIGHT}", class_="grid")
    yield from _tick_label(y, label)


def _tick_label(y: float, label: str) -> Iterator[Markup]:
    yield element("text", label, x=LEFT - 7, y=y + 4, class_="end faint")


def _ranks(total: int, noun: str, low: float) -> Iterator[Markup]:
    """Round numbers along the order, from 0 to the last."""
    power = 10.0 ** math.floor(math.log10(total))
    step = next(int(size) for size in (power / 5, power / 2, power, 2 * power) if total / size <= 6)
    for rank in range(0, total + 1, max(step, 1)):
        x = LEFT + PLOT * rank / total
        label = f"{rank:,} {noun}s" if rank + step > total and rank else f"{rank:,}"
        yield element("path", d=f"M{number(x)} {number(low)}v5", class_="axis")
        anchor = "end faint" if x > WIDTH - 60 else "middle faint"
        yield element("text", label, x=x, y=low + 18, class_=anchor)


def _boundary(frequencies: Frequencies, against: str, low: float) -> Iterator[Markup]:
    """The place from which on train has nothing."""
    if not frequencies.only_in_test:
        return
    x = LEFT + PLOT * (len(frequencies) - frequencies.only_in_test) / len(frequencies)
    yield element("path", d=f"M{number(x)} {TOP}V{number(low)}", class_="axis", stroke_dasharray="3 3")
    label = f"only in {against}: {frequencies.only_in_test:,}"
    right = x < LEFT + PLOT * 0.75
    yield element("text", label, x=x + (6 if right else -6), y=TOP + 12, class_="" if right else "end")
