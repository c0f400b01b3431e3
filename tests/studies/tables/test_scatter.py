"""The picture of accuracy against divergence: many models stay near their divergence, and are told from each other."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recombine.pages.study.study_figures import LEFT, PLOT, WIDEST, WIDTH, legend, scatter
from recombine.studies.tables.summary import CellResult
from small_study import STUDY, TINY, Study, plan_of

DOT = re.compile(r'<circle cx="([\d.]+)" cy="[\d.]+" r="4" class="(dot m\d(?: again)?)"/?>')


DIVERGENCE = 0.3


def drawn(study: Study, tmp_path: Path, models: int) -> str:
    """The picture of a study of so many models, two cells each on a split of this divergence."""
    names = [f"a-long-name-of-model-{place}" for place in range(models)]
    head = STUDY[: STUDY.index("[[model]]")]
    tables = "".join(
        f'[[model]]\nname = "{name}"\n{TINY.replace("steps = 30", f"steps = {30 + place}")}\n'
        for place, name in enumerate(names)
    )
    plan = plan_of(study(head + tables), tmp_path / "r")
    measured = {"measured": {"compound_divergence": DIVERGENCE}, "sizes": {}}
    record: dict[str, Any] = {"state": "done", "score": {"exact_match": 0.5, "n": 4}, "split": measured}
    picture = scatter([CellResult(replace(cell, split=None), record) for cell in plan.cells], names)
    assert picture is not None
    return str(picture)


@pytest.mark.parametrize("models", [1, 4, 8, 13])
def test_points_stay_near_their_divergence(study: Study, tmp_path: Path, models: int) -> None:
    dots = DOT.findall(drawn(study, tmp_path, models))
    points = [float(x) for x, _ in dots[models:]]  # those of the legend come first
    assert len(points) == 2 * models
    # The axis gives way at both ends by half of what the models take, which is at most WIDEST, and 6.
    assert max(points) - min(points) < WIDEST
    assert sum(points) / len(points) == pytest.approx(LEFT + PLOT * DIVERGENCE, abs=WIDEST / 2 + 6)
    assert [style for _, style in dots[:models]] == [
        f"dot m{place % 6}{' again' if place >= 6 else ''}" for place in range(models)
    ]
    assert sorted(style for _, style in dots[models:]) == sorted(2 * [style for _, style in dots[:models]])


def test_a_legend_takes_as_many_rows_as_it_needs() -> None:
    names = ["a" * 40, "b" * 40, "c" * 40, "d" * 40]
    shown, lower = legend(names, range(4), width=WIDTH)
    assert lower == 18  # two names of 282 fill a row

    assert [re.search(r' y="(\d+)', str(text))[1] for text in shown[1::2]] == ["15", "15", "33", "33"]  # type: ignore[index]
    assert legend([], [], width=WIDTH) == ([], 0)
