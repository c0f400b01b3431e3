"""Cells of an exported folder: trainings are shared and go on after their time, and what fails is a counted cell."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from few_questions import SCHEMA, few_questions

from recombine.errors import InputFileError, OptionError
from recombine.models.kbqa import run as module
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, write_study
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.run import main
from recombine.models.kbqa.training import train as training

TINY = KbqaSettings(width=16, word_width=8, epochs=2, batch=8)
RANKED, WRITTEN = "ranking/0", "transduction/0"
CELL = KbqaCell(RANKED, 0, "train", "dev", "test", "gold", "gold")
CELLS = (CELL, replace(CELL, name=WRITTEN, settings={"inference": "transduction"}))
ROWS = {"train": np.arange(24), "dev": np.arange(24, 32), "test": np.arange(32, 40)}


def put(folder: Path, *cells: KbqaCell, **settings: Any) -> Path:
    rows = {name: each.astype(np.int32) for name, each in ROWS.items()}
    base = replace(TINY, **settings).to_dict()
    folder.mkdir(exist_ok=True)
    write_study(folder, KbqaStudy(SCHEMA, {"gold": few_questions(range(40))}, rows, cells or CELLS, base))
    return folder


def run(folder: Path, *options: str) -> int:
    return main(
        [str(folder), "--out", str(folder / "out"), "--work", str(folder / "work"), "--device", "cpu", *options]
    )


def results(folder: Path) -> dict[str, Any]:
    cells: dict[str, Any] = json.loads((folder / "out" / "results.json").read_text())["cells"]
    return cells


def predictions(folder: Path) -> dict[str, list[str]]:
    lines = gzip.decompress((folder / "out" / "predictions.jsonl.gz").read_bytes()).decode().splitlines()
    return {row["cell"]: row["outputs"] for row in map(json.loads, lines)}


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds that networks are trained with, in order."""
    seeds: list[int] = []
    real = training.train

    def counted(*given: Any, **options: Any) -> Any:
        seeds.append(given[4])
        return real(*given, **options)

    monkeypatch.setattr(training, "train", counted)
    return seeds


def test_cells_that_answer_otherwise_share_a_training(tmp_path: Path, trainings: list[int]) -> None:
    other = replace(CELL, name="ranking/1", seed=1)
    folder = put(tmp_path / "away", *CELLS, other)
    assert run(folder) == 0
    assert trainings == [0, 1]
    made = results(folder)
    assert {cell["state"] for cell in made.values()} == {"done"}
    assert made[RANKED]["training"] == made[WRITTEN]["training"] != made["ranking/1"]["training"]
    assert made[RANKED]["counts"] == {"without_link": 0, "without_candidate": 0, "without_output": 0, "malformed": 0}
    assert {name: len(forms) for name, forms in predictions(folder).items()} == dict.fromkeys(made, 8)
    before = predictions(folder)
    shutil.rmtree(folder / "work" / "cells")
    assert run(folder) == 0  # what is asked again is asked of the weights that were kept
    assert trainings == [0, 1]
    assert predictions(folder) == before


def test_when_time_is_over_the_same_command_goes_on(tmp_path: Path, trainings: list[int]) -> None:
    whole, piecewise = put(tmp_path / "whole"), put(tmp_path / "pieces")
    assert run(whole) == 0
    assert run(piecewise, "--minutes", "0") == 3
    assert results(piecewise) == {}
    assert run(piecewise) == 0
    assert predictions(piecewise) == predictions(whole)


def test_out_of_memory_in_one_cell_is_its_failure_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = put(tmp_path / "away")
    real = module.answered

    def short(net: Any, schema: Any, questions: Any, settings: KbqaSettings, *rest: Any) -> Any:
        if settings.inference == "transduction":
            raise MemoryError
        return real(net, schema, questions, settings, *rest)

    monkeypatch.setattr(module, "answered", short)
    assert run(folder) == 1
    made = results(folder)
    assert made[RANKED]["state"] == "done"
    told = "cell transduction/0: out of memory; lower batch or chunk, run fewer processes, or take another device"
    assert made[WRITTEN] == {"state": "failed", "error": told}
    assert list(predictions(folder)) == [RANKED]
    assert told in capsys.readouterr().out
    monkeypatch.undo()
    before = predictions(folder)[RANKED]
    assert run(folder) == 1  # what failed stays so
    assert run(folder, "--retry") == 0
    assert predictions(folder)[RANKED] == before
    assert results(folder)[WRITTEN]["state"] == "done"


def test_a_training_that_fails_fails_its_cells_and_no_others(tmp_path: Path) -> None:
    broken = replace(CELL, name="broken/0", settings={"encoder": "vectors:gone.npy", "encoder_digest": "3fa2"})
    folder = put(tmp_path / "away", broken, CELL)
    assert run(folder) == 1
    made = results(folder)
    assert "the encoder is neither there nor in" in made["broken/0"]["error"]
    assert "--encoder vectors=PATH" in made["broken/0"]["error"]
    assert made[RANKED]["state"] == "done"


def test_an_encoder_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("author 1 0\npages 0 1\n")
    cell = replace(CELL, settings={"encoder": "vectors:gone.npy", "encoder_digest": "3fa2"})
    folder = put(tmp_path / "away", cell)
    assert run(folder, "--encoder", f"vectors={tmp_path / 'v.txt'}") == 0
    with pytest.raises(OptionError, match="--encoder here names no place; write KIND=PATH"):
        run(folder, "--encoder", "here")


def test_a_cell_may_start_from_another_and_may_learn_nothing(tmp_path: Path, trainings: list[int]) -> None:
    after = replace(CELL, name="after/0", start=RANKED)
    zero = replace(CELL, name="zero/0", train="", dev="", start=RANKED)
    folder = put(tmp_path / "away", zero, after, CELL)
    assert run(folder) == 0
    assert len(trainings) == 2
    made = results(folder)
    assert (made["zero/0"]["steps"], made["zero/0"]["curve"]) == (0, [])
    assert predictions(folder)["zero/0"] == predictions(folder)[RANKED]
    assert made["after/0"]["curve"][0][1] < made[RANKED]["curve"][0][1]
    lost = put(tmp_path / "lost", replace(CELL, name="after/0", start="nobody"))
    assert run(lost) == 1
    assert "there is no cell 'nobody' to start from" in results(lost)["after/0"]["error"]


def test_only_some_cells_are_run(tmp_path: Path) -> None:
    folder = put(tmp_path / "away")
    assert run(folder, "--cells", "transduction") == 0
    assert list(results(folder)) == [WRITTEN]
    with pytest.raises(OptionError, match="no cell has nobody in its name"):
        run(folder, "--cells", "nobody")
    with pytest.raises(InputFileError):
        run(tmp_path / "gone")


@pytest.mark.slow
def test_processes_side_by_side_give_the_same(tmp_path: Path) -> None:
    cells = [*CELLS, replace(CELL, name="ranking/1", seed=1)]
    one, two = put(tmp_path / "one", *cells), put(tmp_path / "two", *cells)
    assert run(one) == 0
    assert run(two, "--processes", "2") == 0
    assert predictions(one) == predictions(two)


def test_it_needs_torch_and_numpy_alone(tmp_path: Path) -> None:
    """As on a bare machine, where what else the project uses is not there. All forms of a beam come back if asked."""
    code = """
import sys
class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"lark", "pyarrow", "numba", "orjson", "typer", "rich", "jinja2", "sqlglot"}:
            raise ImportError(name)
sys.meta_path.insert(0, Bare())
from recombine.models.kbqa.run import main
sys.exit(main(sys.argv[1:]))
"""
    answered = {"inference": "transduction", "chosen": "answered", "links": "tagger", "beam": 3}
    folder = put(tmp_path / "bare", *CELLS, replace(CELL, name="answered/0", settings=answered), epochs=1)
    given = [str(folder), "--out", str(folder / "out"), "--work", str(folder / "work"), "--device", "cpu"]
    subprocess.run([sys.executable, "-c", code, *given], check=True)
    lines = gzip.decompress((folder / "out" / "predictions.jsonl.gz").read_bytes()).decode().splitlines()
    rows = {row["cell"]: row for row in map(json.loads, lines)}
    assert ["beams" in rows[name] for name in (RANKED, WRITTEN, "answered/0")] == [False, False, True]
    beams = rows["answered/0"]["beams"]
    assert [beam[0] for beam in beams] == rows["answered/0"]["outputs"]
    assert all(len(set(beam)) == len(beam) <= 3 for beam in beams)
    assert any(len(beam) > 1 for beam in beams)
