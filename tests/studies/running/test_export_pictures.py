"""Picture models elsewhere: what is packed, equal rows once, and whose answers come back to which cell."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError, OptionError
from recombine.models.pictures.arrays.array_file import write_arrays
from recombine.models.pictures.study_folder import PictureStudy, read_study, write_study
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.running.export_study import collect_study, export_study
from recombine.studies.tables.summary import read_results
from recombine.workbench import generate

TINY = """
width = 16
heads = 2
text_layers = 1
region_layers = 1
image_layers = 1
filter_width = 16
features = 8
crop = 8
detector_steps = 2
detector_batch = 64
grounding_steps = 2
grounding_batch = 8
steps = 2
batch = 8
warmup = 2
curve = 2
other_scenes = 6
descriptions = 40
"""
STUDY = f"""
name = "looks"
match = "answer"

[[data]]
file = "q.jsonl"
language = "scenes"
measure = false

[[split]]
name = "count"
by = "property"
held_out = "tpl:COUNT"
models = ["regions"]

[[split]]
name = "iid"
published = "published"
models = ["regions", "text"]

[[model]]
name = "regions"
preset = "pictures"
{TINY}

[[model]]
name = "text"
preset = "pictures"
variant = "text"
seeds = [0, 5]
{TINY}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of questions about a small world."""
    place: Path = tmp_path_factory.mktemp("looks")
    templates = "COUNT,VERIFYATTR"
    generate("scenes", n=60, number_of_scenes=90, templates=templates, pool=90, seed=3).write(place / "q.jsonl")
    (place / "study.toml").write_text(STUDY)
    return place


@pytest.fixture(scope="module")
def plan(folder: Path) -> Plan:
    return make_plan(folder / "study.toml", folder / "results")


@pytest.fixture(scope="module")
def packed(folder: Path, plan: Plan) -> PictureStudy:
    export_study(plan, folder / "packed")
    return read_study(folder / "packed")


def came_back(place: Path, packed: PictureStudy, wrong: Sequence[str] = (), **changes: object) -> Path:
    """The results of a machine that answers everything right, but for the cells named, which say the first answer."""
    place.mkdir()
    right = packed.questions.answer[packed.rows["test"]]
    names = [cell.name for cell in packed.cells]
    answers = {name: np.zeros_like(right) if name in wrong else right for name in names}
    write_arrays(place / "predictions.npz", answers)
    said = {"state": "done", "steps": 2, "best_step": 2, "seconds": 1.5, "curve": [[2, 0.5, 0.25]], "dev": 0.25}
    cells = {name: {**said, **changes} for name in names}
    (place / "results.json").write_text(json.dumps({"device": "a GPU", "torch": "2", "cells": cells}))
    return place


def test_cells_are_packed_in_their_order_and_equal_rows_once(packed: PictureStudy, plan: Plan) -> None:
    names = ["regions/count/0", "regions/iid/0", "text/iid/0", "text/iid/5"]
    assert [cell.name for cell in packed.cells] == names == [cell.name for cell in plan.cells]
    assert set(packed.rows) == {"count/train", "count/dev", "iid/train", "iid/dev", "test"}
    assert [cell.train for cell in packed.cells] == ["count/train", "iid/train", "iid/train", "iid/train"]
    assert {cell.test for cell in packed.cells} == {"test"}
    assert [cell.variant for cell in packed.cells] == ["regions", "regions", "text", "text"]
    assert [dict(cell.settings) for cell in packed.cells] == [{}, {}, {"variant": "text"}, {"variant": "text"}]
    dataset = plan.datasets["q"]
    parts = [context["part"] for context in dataset.iter_mappings("context")]
    templates = [context["template"] for context in dataset.iter_mappings("context")]
    for part in ("train", "dev"):
        lacking = [row for row in range(60) if parts[row] == part and templates[row] != "COUNT"]
        assert packed.rows[f"count/{part}"].tolist() == lacking
        assert packed.rows[f"iid/{part}"].tolist() == [row for row in range(60) if parts[row] == part]
    assert packed.rows["test"].tolist() == [row for row in range(60) if parts[row] == "test"]
    assert packed.questions.ids == list(dataset.ids)
    assert packed.settings["steps"] == 2
    assert "other_scenes" not in packed.settings


def test_answers_come_back_to_their_cells(packed: PictureStudy, folder: Path, tmp_path: Path) -> None:
    plan = make_plan(folder / "study.toml", tmp_path / "results")
    out = came_back(tmp_path / "out", packed, wrong=["text/iid/5"])
    collected = collect_study(plan, folder / "packed", out)
    assert (len(collected.records), collected.unknown) == (4, ())
    accuracy = {result.cell.name: result.accuracy for result in read_results(plan)}
    assert accuracy["regions/count/0"] == accuracy["regions/iid/0"] == accuracy["text/iid/0"] == 100.0
    right = packed.questions.answer[packed.rows["test"]]
    assert accuracy["text/iid/5"] == 100 * float((right == 0).mean())
    counted = next(record for record in collected.records if record["name"] == "regions/count/0")
    templates = packed.questions.template[packed.rows["test"]]
    count = packed.questions.templates.index("COUNT")
    assert counted["score"]["n"] == int((templates == count).sum())  # its own test part, of all that was asked
    assert counted["notes"] == {"steps": 2, "best_step": 2, "dev": 0.25, "device": "a GPU", "torch": "2"}
    again = collect_study(plan, folder / "packed", out)
    assert (len(again.records), again.done_before) == (0, 4)
    with pytest.raises(OptionError, match="there is nothing to export: 4 done already"):
        export_study(plan, tmp_path / "more")


def test_a_cell_that_reads_otherwise_now_takes_no_answers(packed: PictureStudy, folder: Path, tmp_path: Path) -> None:
    out = came_back(tmp_path / "out", packed)
    (folder / "other.toml").write_text(STUDY.replace("batch = 8\nwarmup = 2", "batch = 8\nwarmup = 1", 1))
    plan = make_plan(folder / "other.toml", tmp_path / "results")
    collected = collect_study(plan, folder / "packed", out)
    assert sorted(record["name"] for record in collected.records) == ["text/iid/0", "text/iid/5"]
    assert collected.unknown == ("regions/count/0", "regions/iid/0")


def test_a_failed_cell_is_stored_as_failed(packed: PictureStudy, folder: Path, tmp_path: Path) -> None:
    plan = make_plan(folder / "study.toml", tmp_path / "results")
    out = came_back(tmp_path / "out", packed, state="failed", error="out of memory")
    collected = collect_study(plan, folder / "packed", out)
    assert {(record["state"], record["error"]) for record in collected.records} == {("failed", "out of memory")}


def test_answers_of_another_folder_are_refused(packed: PictureStudy, folder: Path, tmp_path: Path) -> None:
    plan = make_plan(folder / "study.toml", tmp_path / "results")
    out = came_back(tmp_path / "out", packed)
    numbers = np.full(len(packed.rows["test"]), len(packed.answers), dtype=np.int16)
    write_arrays(out / "predictions.npz", {cell.name: numbers for cell in packed.cells})
    with pytest.raises(InputFileError, match="answers that came back are not those of the folder"):
        collect_study(plan, folder / "packed", out)
    (out / "predictions.npz").unlink()
    with pytest.raises(InputFileError, match="the answers of regions/count/0 are missing"):
        collect_study(plan, folder / "packed", out)
    other = tmp_path / "other"
    shutil.copytree(folder / "packed", other)
    record = json.loads((other / "study.json").read_text())
    record["notes"]["data"] = "another"
    (other / "study.json").write_text(json.dumps(record))
    with pytest.raises(InputFileError, match="its data is not that of looks"):
        collect_study(plan, other, out)


def test_one_folder_has_one_set_of_arrays(folder: Path, tmp_path: Path) -> None:
    (folder / "two.toml").write_text(STUDY.replace("descriptions = 40", "descriptions = 41", 1))
    plan = make_plan(folder / "two.toml", tmp_path / "results")
    with pytest.raises(OptionError, match="regions/count/0 and text/iid/0 look at other pictures"):
        export_study(plan, tmp_path / "out")


def test_a_folder_of_something_else_is_not_overwritten(packed: PictureStudy, tmp_path: Path) -> None:
    (tmp_path / "rows.npz").write_bytes(b"mine")
    with pytest.raises(Exception, match=r"rows\.npz: is not of an export, and would be overwritten"):
        write_study(tmp_path, packed)
    assert (tmp_path / "rows.npz").read_bytes() == b"mine"
