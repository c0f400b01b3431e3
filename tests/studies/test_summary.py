"""Means with intervals, beside a paper's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recombine.studies.summary import Result, correlations, mean_interval, summarise
from small_study import STUDY, Study, plan_of

PAPER = """
[[paper]]
model = "tiny"
splits = ["random"]
mean = 99.0
interval = 0.5
[[paper]]
model = "tiny"
splits = ["random", "more"]
label = "both"
mean = 50.0
"""
MORE = '[[split]]\nname = "more"\nby = "random"\nseeds = [1, 2]\ntrain = 12\ntest = 4\n'


def results(study: Study, tmp_path: Path, shares: list[float | None]) -> tuple[Any, list[Result]]:
    plan = plan_of(study(STUDY.replace("[[model]]", MORE + "[[model]]") + PAPER), tmp_path / "r")
    found = []
    for cell, share in zip(plan.cells, shares, strict=True):
        record = None if share is None else {"state": "done", "score": {"exact_match": share}}
        found.append(Result(cell, record))
    return plan, found


def test_means_are_over_replicates_and_splits(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [1.0, 0.5, 0.2, 0.4, 0.6, None])
    rows = {row.label: row.means["tiny"] for row in summarise(plan, found)}
    assert list(rows) == ["random", "more", "both"]
    assert (rows["random"].mean, rows["random"].n) == (75.0, 2)
    # Student's t with one degree of freedom: 12.706 × (spread 35.36 / √2).
    assert rows["random"].interval == pytest.approx(12.7062 * 25, rel=1e-4)
    assert rows["random"].paper is not None
    assert rows["random"].paper.mean == 99.0
    assert rows["more"].mean == pytest.approx(40.0)
    assert (rows["more"].to_do, rows["more"].paper) == (1, None)
    assert rows["both"].mean == pytest.approx(54.0)
    assert rows["both"].paper is not None


def test_one_value_has_no_interval() -> None:
    assert mean_interval([3.0]) == (3.0, None)
    assert mean_interval([]) == (None, None)


def test_correlation_is_over_means_of_splits(study: Study, tmp_path: Path) -> None:
    _, found = results(study, tmp_path, [1.0, 0.8, 0.5, 0.5, 0.0, 0.2])
    assert correlations(found) == {}
    measured = {"random": 0.1, "more,seed=1": 0.5, "more,seed=2": 0.9}
    for place, result in enumerate(found):
        assert result.cell.split is not None
        values = {"compound_divergence": measured[result.cell.recipe.name]}
        found[place] = replace(result, cell=replace(result.cell, split=result.cell.split.with_measured(values)))
    one = correlations(found)["tiny"]
    assert one.n == 3
    # By hand: accuracies 90, 50, 10 at divergences 0.1, 0.5, 0.9 lie on a line.
    assert one.pearson == pytest.approx(-1.0)
    assert one.spearman == pytest.approx(-1.0)
