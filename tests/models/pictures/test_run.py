"""An exported folder of pictures trained in one go and in pieces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from tests.models.pictures.colors import study  # noqa: E402

from recombine.models.pictures import run  # noqa: E402
from recombine.models.pictures.arrays.array_file import read_arrays  # noqa: E402
from recombine.models.pictures.study_folder import PictureCell, write_study  # noqa: E402
from recombine.models.pictures.training.stack import Stack  # noqa: E402

CELLS = [
    PictureCell("regions/one/0", "regions", 0, "train", "dev", "test"),
    PictureCell("regions/two/1", "regions", 1, "half", "dev", "test"),
    PictureCell("randneg/one/0", "randneg", 0, "half", "dev", "test"),
    PictureCell("regions/hole/0", "regions", 0, "empty", "dev", "test"),
    PictureCell("text/one/0", "text", 0, "train", "dev", "test"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "study"
    write_study(path, study(CELLS))
    return path


@pytest.fixture(scope="module")
def trained(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trained")
    flags = ["--keep", "regions/one", "--shuffle", "regions/one", "--device", "cpu"]
    assert run.main([str(folder), "--out", str(place / "out"), "--work", str(place / "work"), *flags]) == 0
    return place


def results(place: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((place / "out" / "results.json").read_text())
    return record


def test_every_cell_is_trained_or_says_why_not(trained: Path) -> None:
    cells = results(trained)["cells"]
    assert {name: cell["state"] for name, cell in cells.items()} == {
        **{cell.name: "done" for cell in CELLS},
        "regions/hole/0": "failed",
    }
    assert cells["regions/hole/0"]["error"].startswith("cell regions/hole/0: the train part is empty")
    assert [step for step, _, _ in cells["regions/one/0"]["curve"]] == [6, 12]
    assert cells["regions/one/0"]["replicas"] == 3  # randneg among them, and not the hole
    assert cells["text/one/0"]["replicas"] == 1


def test_answers_stand_for_every_row_and_fit_the_accuracy(trained: Path) -> None:
    given = read_arrays(trained / "out" / "predictions.npz")
    assert set(given) == {*(cell.name for cell in CELLS if "hole" not in cell.name), "regions/one/0/shuffled"}
    gold = study(CELLS).questions.answer[70:90]
    for name, cell in results(trained)["cells"].items():
        if cell["state"] == "done":
            assert given[name].shape == (20,)
            assert cell["test"] == pytest.approx(float((given[name] == gold).mean()), abs=1e-4)
    assert "shuffled" in results(trained)["cells"]["regions/one/0"]


def test_stages_are_stored_once_and_taken_again(folder: Path, trained: Path, tmp_path: Path, capsys: Any) -> None:
    stages = sorted(path.name for path in (trained / "out").glob("*-*.safetensors"))
    assert [name.split("-")[0] for name in stages] == ["detector", "grounding", "regions"]
    flags = ["--stages", str(trained / "out"), "--cells", "regions/one", "--device", "cpu"]
    assert run.main([str(folder), "--out", str(tmp_path / "o"), "--work", str(tmp_path / "w"), *flags]) == 0
    said = capsys.readouterr().out
    assert "detector:" not in said
    assert "grounding-" not in said
    alone = read_arrays(tmp_path / "o" / "predictions.npz")["regions/one/0"]
    stacked = read_arrays(trained / "out" / "predictions.npz")["regions/one/0"]
    assert (alone == stacked).mean() >= 0.9  # equal but for rounding


def test_time_over_and_on_again(folder: Path, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [str(folder), "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"), "--device", "cpu"]
    command += ["--stages", str(trained / "out")]
    monkeypatch.setattr(run, "RESERVE", 0.0)
    assert run.main([*command, "--minutes", "0"]) == 3
    assert results(tmp_path)["cells"] == {}
    assert run.main(command) == 0
    again, once = (read_arrays(place / "out" / "predictions.npz") for place in (tmp_path, trained))
    assert all(np.array_equal(again[name], once[name]) for name in again)


def test_out_of_memory_halves_the_stack_and_counts_the_cell(
    folder: Path, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    train = Stack.train

    def short(stack: Stack, until: int) -> None:
        if any(each.name == "regions/two/1" for each in stack.replicas):
            raise MemoryError
        train(stack, until)

    monkeypatch.setattr(Stack, "train", short)
    command = [str(folder), "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"), "--device", "cpu"]
    assert run.main([*command, "--stages", str(trained / "out"), "--cells", "regions/one,two,randneg"]) == 0
    cells = results(tmp_path)["cells"]
    assert cells["regions/two/1"] == {
        "state": "failed",
        "error": "cell regions/two/1: out of memory; lower batch or take another device",
    }
    assert cells["regions/one/0"]["state"] == cells["randneg/one/0"]["state"] == "done"
    assert "going on with halves" in capsys.readouterr().out
