"""Cells of an exported folder with a trainer of few lines: what is kept, what goes on, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError, RecombineError

pytest.importorskip("torch", reason="needs torch")

from recombine.models.carried_cells import (
    ALL_DONE,
    RESULTS,
    SOME_FAILED,
    TIME_OVER,
    CarriedCell,
    Trained,
    returned_arrays,
    returned_outputs,
    run_folder,
)

NAMES = ("a/0", "a/1", "b/0")


class Trainer:
    """Remembers what it trained; fails on cells with some text in their name."""

    def __init__(self, fails: str = "nothing") -> None:
        self.trained: list[str] = []
        self.fails = fails

    def __call__(self, cell: CarriedCell) -> Trained:
        name, seed = cell.own["name"], cell.own["seed"]
        self.trained.append(name)
        if self.fails in name:
            raise RecombineError("there is no such thing", "look for it")
        return Trained({"steps": seed}, outputs=[f"{name} says"], arrays={"score": np.arange(seed + 1)})


@pytest.fixture(name="where")
def _where(tmp_path: Path) -> list[str]:
    (tmp_path / "away").mkdir()
    cells = [{"name": name, "seed": seed} for seed, name in enumerate(NAMES)]
    (tmp_path / "away" / "study.json").write_text(json.dumps({"cells": cells}))
    return [str(tmp_path / "away"), "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"), "--device", "cpu"]


def test_each_cell_is_trained_once_and_comes_back_as_its_own(where: list[str], tmp_path: Path) -> None:
    trainer = Trainer()
    assert run_folder("none", trainer, [*where, "--cells", "a/"]) == ALL_DONE
    assert trainer.trained == ["a/0", "a/1"]
    assert run_folder("none", trainer, where) == ALL_DONE
    assert trainer.trained == ["a/0", "a/1", "b/0"]
    for seed, name in enumerate(NAMES):
        arrays = returned_arrays(tmp_path / "out", name)
        assert {key: array.tolist() for key, array in arrays.items()} == {"score": list(range(seed + 1))}
    assert returned_outputs(tmp_path / "out") == {name: [f"{name} says"] for name in NAMES}
    assert not returned_arrays(tmp_path / "out", "another")


def test_a_failure_is_one_cells_and_is_said(where: list[str], tmp_path: Path) -> None:
    trainer = Trainer(fails="a/1")
    assert run_folder("none", trainer, where) == SOME_FAILED
    assert trainer.trained == list(NAMES)
    records = json.loads((tmp_path / "out" / RESULTS).read_text())["cells"]
    assert [records[name]["state"] for name in NAMES] == ["done", "failed", "done"]
    assert records["a/1"]["error"] == "cell a/1: there is no such thing; look for it"
    assert set(returned_outputs(tmp_path / "out")) == {"a/0", "b/0"}


def test_no_cell_is_begun_when_time_is_over(where: list[str]) -> None:
    trainer = Trainer()
    assert run_folder("none", trainer, [*where, "--minutes", "-1"]) == TIME_OVER
    assert trainer.trained == []


def test_a_process_has_its_share_of_the_cells(where: list[str]) -> None:
    trainer = Trainer()
    run_folder("none", trainer, [*where, "--worker", "1/2"])
    assert trainer.trained == ["a/1"]
    run_folder("none", trainer, [*where, "--worker", "0/2"])
    assert trainer.trained == ["a/1", "a/0", "b/0"]


def test_arrays_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "arrays.npz").write_bytes(b"half a file")
    with pytest.raises(InputFileError, match=r"arrays\.npz: cannot be read .*; copy it again"):
        returned_arrays(tmp_path, "a/0")
