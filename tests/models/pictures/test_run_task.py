"""Cells of a study's task: trained as one stack, each as if it were alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")

from recombine.models.known import find_model
from recombine.models.task import Task, TaskCell
from recombine.workbench import load


def task(asked: Path, tiny: Mapping[str, Any], work: Path, cells: tuple[TaskCell, ...], **changes: Any) -> Task:
    family, name = find_model("pictures")
    data = load(asked)
    work.mkdir(exist_ok=True)
    given = {"match": "answer", **changes}
    return Task("t", name, family.settings(name, tiny), list(data), cells, work, world=data.world, **given)


CELLS = (
    TaskCell("one", tuple(range(40)), (50, 51, 52), 0, tuple(range(40, 46))),
    TaskCell("two", tuple(range(8, 48)), (48, 49), 1),
)


def test_a_stack_gives_what_each_gives_alone(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    family, _ = find_model("pictures")
    both = family.train_cells(task(asked, tiny, tmp_path / "both", CELLS))
    assert [each.error for each in both] == ["", ""]
    assert [len(each.outputs) for each in both] == [3, 2]
    assert [[step for step, _, _ in each.curve] for each in both] == [[2, 4], [2, 4]]
    assert both[0].notes["best_step"] in (2, 4)
    assert both[1].notes["best_step"] == 4
    # one vocabulary for all rows, so that both cells are asked about when one is trained alone
    alone = family.train_cells(task(asked, tiny, tmp_path / "alone", CELLS[::-1]))
    assert [each.outputs for each in alone] == [each.outputs for each in both[::-1]]


def test_a_study_that_compares_programs(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    family, _ = find_model("pictures")
    outcome = family.train_cells(task(asked, tiny, tmp_path / "work", CELLS[:1], match="target"))
    assert outcome[0].error == 'cell one: a picture model gives answers: say match = "answer" in the study'


def test_randneg_has_no_cells(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    family, _ = find_model("pictures")
    changed = {**tiny, "variant": "randneg"}
    outcome = family.train_cells(task(asked, changed, tmp_path / "work", CELLS))
    assert all("a study has no cells of randneg" in each.error for each in outcome)
