"""Pictures of lengths of many models: dots whose colours come again are rings, as in the legend."""

from __future__ import annotations

import re

from recombine.evaluation.errors.lengths import lengths
from recombine.pages.study.study_lengths import length_figures
from recombine.studies.tables.length_table import LengthTable

DOT = re.compile(r'<circle cx="[\d.]+" cy="[\d.]+" r="([34])" class="(dot m\d(?: again)?)"')


def test_colours_that_come_again_are_rings_in_both_pictures() -> None:
    models = [f"model-{place}" for place in range(8)]
    # Programs of four lengths, half of them right, so that each model has dots in both pictures.
    pairs = [("a " * n + "b", "a " * n + "b", True) for n in (1, 4, 8, 16)]
    pairs += [("a " * n + "c", "a " * (n + 1) + "c", False) for n in (1, 4, 8, 16)]
    table = LengthTable("mcd", {model: lengths(pairs) for model in models})
    right, wrong = (DOT.findall(str(each)) for each in length_figures(table, models, "lengths-1"))
    named = [style for radius, style in right if radius == "4"]
    assert named == [f"dot m{place}" for place in range(6)] + ["dot m0 again", "dot m1 again"]
    for dots in ([style for radius, style in right if radius == "3"], [style for _, style in wrong]):
        assert list(dict.fromkeys(dots)) == named
        assert all(dots.count(style) == len(dots) / 8 for style in named)
