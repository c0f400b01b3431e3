"""The pictures of a page on difficulty: every example is in a bar, curves and dots stand where their numbers say."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recombine.pages.difficulty.easiness_figure import BINS, easiness_bins, easiness_figure
from recombine.pages.drawing.square_figures import LEFT, SIDE, TOP, roc_figure, scatter_figure


@given(st.lists(st.floats(0, 1), max_size=40))
def test_every_example_is_in_one_bar(values: list[float]) -> None:
    counts = easiness_bins(np.array(values, np.float64))
    assert (len(counts), sum(counts)) == (BINS + 1, len(values))
    assert counts[-1] == values.count(1.0)


def test_borders_belong_to_the_bar_above() -> None:
    # 0.15 is a little less than 3/20 as a float; 0.3 = 3 * 0.1 a little more.
    assert np.flatnonzero(easiness_bins(np.array([0.15, 0.1 * 3, 0.95]))).tolist() == [3, 6, 19]


def test_bars_say_what_they_hold() -> None:
    scores, labels = np.array([0.0, 0.5, 0.5, 1.0, 1.0]), np.array([0, 1, 0, 1, -1], np.int8)
    plain = str(easiness_figure(scores, None, name="h"))
    assert "easiness 0.50 to 0.55: 2 examples (40%)" in plain
    assert "easiness 1, every structure observed: 2 examples (40%)" in plain
    known = str(easiness_figure(scores, labels, name="h"))
    assert "easiness 0.50 to 0.55: 1 right (50%)" in known
    assert "easiness 0.00 to 0.05: 1 wrong (50%)" in known
    assert len(re.findall("<rect[^/]*><title>", known)) == 4  # the example without a label has no bar
    assert "0 wrong" in str(easiness_figure(scores, np.ones(5, np.int8), name="h"))


def test_curves_and_dots() -> None:
    curves = {"<one>": [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)], "two": [(0.0, 0.0), (1.0, 1.0)]}
    drawn = str(roc_figure(curves, name="r"))
    assert f"M{LEFT} {TOP + SIDE}L{LEFT} {TOP + SIDE // 2}L{LEFT + SIDE} {TOP}" in drawn
    assert "&lt;one&gt;: with a tenth of the wrong examples go 50% of the right ones" in drawn
    assert len(re.findall("train-line", drawn)) == 2
    dots = str(scatter_figure([("a & b", 0.5, 1.0)], name="s"))
    assert f'cx="{LEFT + SIDE // 2}" cy="{TOP}"' in dots
    assert "a &amp; b: mean easiness 0.500, accuracy 1.000" in dots
