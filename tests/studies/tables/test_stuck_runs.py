"""Runs whose training loss stayed where it began, with losses made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from recombine.cli.app import app
from recombine.pages.study.study_page import render_study
from recombine.studies.tables.stuck_runs import StuckRuns, stuck_runs
from recombine.studies.tables.summary import CellResult, read_results
from small_study import STUDY, Study, plan_of, run

SPLIT = '[[split]]\nname = "more"\nby = "random"\nseeds = [1]\ntrain = 12\ntest = 4\n'


def results(
    study: Study, tmp_path: Path, curves: list[list[float | None] | None], shares: list[float]
) -> tuple[Any, list[CellResult]]:
    """A plan of three runs on a split and three on another, with these losses and accuracies."""
    text = STUDY.replace("seeds = [0, 1]", "seeds = [0, 1, 2]").replace("[[model]]", SPLIT + "[[model]]")
    plan = plan_of(study(text), tmp_path / "results")
    found = []
    for cell, losses, share in zip(plan.cells, curves, shares, strict=True):
        if losses is None:
            found.append(CellResult(cell, None))
            continue
        curve = [[10 * (place + 1), loss, share] for place, loss in enumerate(losses)]
        score = {"exact_match": share, "n": 4}
        found.append(CellResult(cell, {"state": "done", "key": cell.key, "score": score, "curve": curve, "notes": {}}))
    return plan, found


def test_a_run_whose_loss_stays_is_named_beside_one_that_learned(study: Study, tmp_path: Path) -> None:
    curves = [[2.0, 1.9], [2.0, 0.1], [2.0, 0.2], [2.0, 0.1], [2.0, 0.2], [2.0, 0.15]]
    plan, found = results(study, tmp_path, curves, [0.0, 1.0, 0.5, 0.0, 0.0, 0.0])
    # By hand: 1.9 is over half of 2.0 and over three times 0.1; the others of `random` have (100 + 50) / 2.
    assert stuck_runs(plan, found) == [StuckRuns("random", "tiny", (0,), (1.9,), 0.1, 3, 75.0)]


@pytest.mark.parametrize(
    ("curve", "is_named"),
    [
        ([2.0, 1.01], True),
        ([2.0, 1.0], False),  # half of what it was
        ([0.5, 0.31], True),
        ([0.5, 0.3], False),  # three times the lowest
        ([2.0, 1.2, 0.9], False),  # the last point counts
        ([1.9], False),  # one point says nothing
        ([2.0, None, 1.9], False),  # nor does a curve with a gap
        (None, False),
    ],
)
def test_where_the_line_is(study: Study, tmp_path: Path, curve: list[float | None] | None, is_named: bool) -> None:
    low = [[1.0, 0.1]] * 5
    plan, found = results(study, tmp_path, [curve, *low], [0.0] * 6)
    assert bool(stuck_runs(plan, found)) == is_named


def test_where_no_run_learned_none_is_named(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [[2.0, 1.9]] * 3 + [[1.0, 0.1]] * 3, [0.0] * 6)
    assert stuck_runs(plan, found) == []


def test_status_json_and_page_name_them(study: Study, tmp_path: Path) -> None:
    path, folder = study(), tmp_path / "results"
    run(path, folder)
    first, second = plan_of(path, folder).cells
    for cell, losses in ((first, (2.0, 1.8)), (second, (2.0, 0.1))):
        file = folder / f"{cell.key}.json"
        record = orjson.loads(file.read_bytes())
        record["curve"] = [[10 * (place + 1), loss, 0.0] for place, loss in enumerate(losses)]
        file.write_bytes(orjson.dumps(record))
        others = 100 * record["score"]["exact_match"]
    said = (
        f"tiny on random, seed 0 (of 2 runs): training loss 1.8 at the end, 0.1 in another; others have {others:.1f} %"
    )
    command = ["study", "status", str(path), "--results", str(folder)]
    assert f"did not learn, and is in the mean: {said}" in CliRunner().invoke(app, command).stdout
    (row,) = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["stuck_runs"]
    assert (row["model"], row["seeds"], row["losses"], row["lowest"], row["runs"]) == ("tiny", [0], [1.8], 0.1, 2)
    plan = plan_of(path, folder)
    page = render_study(plan, read_results(plan)).decode()
    assert "Runs that did not learn" in page
    assert f"<li>{said}</li>" in page
