"""How many examples there are of each level, before and after sub-sampling, as a picture (Figure 3 of the CFQ paper).

Alone, numbers are drawn on a linear scale; beside a pool, which is often much larger, on a logarithmic one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from markupsafe import Markup

WIDTH, LEFT, RIGHT, TOP, TALL = 860, 60, 12, 30, 210
PLOT = WIDTH - LEFT - RIGHT
BASE = TOP + TALL


def level_figure(data: Mapping[int, int], pool: Mapping[int, int] | None = None, *, name: str) -> Markup:
    """Numbers of examples by level; those of a pool stand behind."""
    both = [data] if pool is None else [pool, data]
    low, high = min(min(each) for each in both), max(max(each) for each in both)
    most = max(max(each.values()) for each in both)
    y, ticks = _linear(most) if pool is None else _logarithmic(most)
    step = PLOT / (high - low + 1)
    drawn: list[Markup] = [*_legend(pool is not None)]
    for tick in ticks:
        drawn.append(element("path", d=f"M{LEFT} {number(y(tick))}H{WIDTH - RIGHT}", class_="grid"))
        drawn.append(element("text", f"{tick:,}", x=LEFT - 7, y=y(tick) + 4, class_="end faint"))
    for level in range(low, high + 1):
        drawn += _bars(level, LEFT + step * (level - low), step, y, data.get(level, 0), pool)
        if level % 5 == 0 or high - low < 20:
            x = LEFT + step * (level - low + 0.5)
            drawn.append(element("text", str(level), x=x, y=BASE + 16, class_="middle faint"))
    drawn.append(element("text", "level: rule applications of the grammar", x=LEFT, y=BASE + 34, class_="faint"))
    title = "Number of questions by level" + ("" if pool is None else ", before and after sub-sampling")
    description = f"Levels {low} to {high}. " + _told(data, "The data has")
    if pool is not None:
        description += " " + _told(pool, "The pool has")
    return picture(name, title, description, WIDTH, BASE + 42, *drawn, class_="picture wide")


def _told(counts: Mapping[int, int], begin: str) -> str:
    least, most = min(counts, key=lambda k: (counts[k], k)), max(counts, key=lambda k: (counts[k], -k))
    return f"{begin} {counts[least]:,} of level {least}, the fewest, and {counts[most]:,} of level {most}, the most."


def _legend(has_pool: bool) -> Iterator[Markup]:
    x = LEFT
    if has_pool:
        yield element("rect", x=x, y=6, width=10, height=10, class_="train-fill")
        yield element("text", "pool, before", x=x + 15, y=15)
        x += 100
    yield element("rect", x=x, y=6, width=10, height=10, class_="test-fill")
    yield element("text", "data, after" if has_pool else "data", x=x + 15, y=15)


def _bars(
    level: int, x: float, step: float, y: Callable[[float], float], here: int, pool: Mapping[int, int] | None
) -> Iterator[Markup]:
    """The bar of the data, and behind it the wider one of the pool."""
    before = 0 if pool is None else pool.get(level, 0)
    if not (here or before):
        return
    told = f"level {level}: {here:,}" + ("" if pool is None else f" of {before:,}")
    bars = [element("title", told)]
    for count, part, look in ((before, 0.9, "train-fill"), (here, 0.9 if pool is None else 0.5, "test-fill")):
        if count:
            left, top = x + step * (1 - part) / 2, y(count)
            bars.append(element("rect", x=left, y=top, width=step * part, height=max(BASE - top, 0.5), class_=look))
    yield element("g", *bars)


def _linear(most: int) -> tuple[Callable[[float], float], list[int]]:
    power = 10 ** max(0, math.floor(math.log10(most)))
    step = next(size for size in (power // 5, power // 2, power, 2 * power) if size and most / size <= 6)
    return (lambda value: BASE - TALL * value / most), list(range(0, most + 1, step))


def _logarithmic(most: int) -> tuple[Callable[[float], float], list[int]]:
    """From a half on, so that one example is a bar too."""
    span = math.log10(most * 2)
    return (lambda value: BASE - TALL * math.log10(value * 2) / span), [
        10**power for power in range(math.floor(math.log10(most)) + 1)
    ]
