"""An exported folder trained in one go and in pieces."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.errors import InputFileError, OptionError, UnknownNameError  # noqa: E402
from recombine.models.seq2seq import run  # noqa: E402
from recombine.models.seq2seq.export import ExportedCell, Study, make_study, read_study, unpacked, write_study  # noqa: E402
from recombine.models.seq2seq.presets import PRESETS, find_preset  # noqa: E402
from recombine.models.seq2seq.settings import ARCHITECTURES, Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training import loop  # noqa: E402
from recombine.models.seq2seq.training.train import Stack  # noqa: E402

PAIRS = [(f"{a} {b}", f"{b.upper()} {a.upper()}") for a in "abcd" for b in "abcd"]
SETTINGS = Seq2SeqSettings(
    architecture="transformer", width=8, heads=2, filter_width=8, layers=1, batch_tokens=24, buckets=2, steps=30
)
SPLITS = {
    "one": {"train": range(12), "test": range(12, 16)},
    "two": {"train": range(4, 16), "test": range(4)},
    "hole": {"train": (0, 1, 4, 5), "test": range(12, 16)},
    "empty": {"train": range(16), "test": range(0)},
}


def make(*names: str, settings: Seq2SeqSettings = SETTINGS) -> Study:
    cells = [ExportedCell(f"tiny/{name}/{seed}", "tiny", name, seed) for name in names for seed in (0, 1)]
    return make_study(PAIRS, SPLITS, {"tiny": settings}, cells, {"data": "letters"})


def train(folder: Path, work: Path, *more: str) -> int:
    options = ["--out", str(work / "out"), "--work", str(work / "work"), "--curve", "10", "--device", "cpu", *more]
    return run.main([str(folder), *options])


def results(work: Path) -> Any:
    return json.loads((work / "out" / "tiny.json").read_text())["cells"], unpacked(work / "out" / "tiny.npz")


def test_a_folder_is_read_as_it_was_written(tmp_path: Path) -> None:
    study = make("one", "two")
    write_study(tmp_path, study)
    found = read_study(tmp_path)
    assert found.cells == study.cells
    assert found.models == study.models
    assert found.vocabulary[:3] == ("<pad>", "<end>", "A")
    assert found.notes == {"data": "letters"}
    assert (found.source == study.source).all()
    assert (found.target == study.target).all()
    assert found.splits["two"]["test"].tolist() == [0, 1, 2, 3]


def test_pieces_give_what_one_go_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_study(tmp_path / "folder", make("one", "two"))
    monkeypatch.setitem(loop.CHECK, "cpu", 10)
    assert train(tmp_path / "folder", tmp_path / "whole") == 0
    monkeypatch.setattr(run, "RESERVE", -0.0)
    codes = [train(tmp_path / "folder", tmp_path / "pieces", "--minutes", "0.0005") for _ in range(3)]
    codes.append(train(tmp_path / "folder", tmp_path / "pieces"))
    assert codes[0] == 3
    assert codes[-1] == 0
    (whole, arrays), (pieces, again) = results(tmp_path / "whole"), results(tmp_path / "pieces")
    assert whole.keys() == pieces.keys() == {f"tiny/{split}/{seed}" for split in ("one", "two") for seed in (0, 1)}
    for name, cell in whole.items():
        assert cell["state"] == "done"
        assert [point[0] for point in cell["curve"]] == [10, 20, 30]
        assert cell["curve"] == pieces[name]["curve"]
        assert (arrays[f"{name}/test"] == again[f"{name}/test"]).all()
        assert arrays[f"{name}/test"].shape == (4, 3)


class Killed(BaseException):
    """What stands for the end of a process."""


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch, folder: Path, work: Path) -> None:
    """Train with a checkpoint at every look at the clock, up to a step where everything ends."""

    def train_and_end(stack: Stack, until: int) -> None:
        if until >= step:
            raise Killed
        real(stack, until)

    real = Stack.train
    with monkeypatch.context() as patched:
        patched.setattr(Stack, "train", train_and_end)
        with pytest.raises(Killed):
            train(folder, work, "--checkpoint", "0")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_killed_run_goes_on_from_its_last_checkpoint(
    architecture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = replace(SETTINGS, architecture=architecture, dropout=0.2, attention_width=4)
    write_study(tmp_path / "folder", make("one", "two", settings=settings))
    monkeypatch.setitem(loop.CHECK, "cpu", 7)
    assert train(tmp_path / "folder", tmp_path / "whole") == 0
    for step in (14, 28, 30):
        killed_at(step, monkeypatch, tmp_path / "folder", tmp_path / "killed")
    names = ["tiny-0.before.safetensors", "tiny-0.safetensors"]
    assert sorted(path.name for path in (tmp_path / "killed" / "work").iterdir()) == names
    (tmp_path / "killed" / "work" / ".tiny-0.safetensors.99").write_bytes(b"half")
    assert train(tmp_path / "folder", tmp_path / "killed") == 0
    assert re.findall("going on from step (.*)", capsys.readouterr().out) == ["10", "21", "28"]
    assert sorted(path.name for path in (tmp_path / "killed" / "work").iterdir()) == ["tiny-0.json", "tiny-0.npz"]
    (whole, arrays), (again, found) = results(tmp_path / "whole"), results(tmp_path / "killed")
    for name, cell in whole.items():
        assert cell["curve"] == again[name]["curve"]
        assert (arrays[f"{name}/test"] == found[f"{name}/test"]).all()


def test_a_checkpoint_that_is_not_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path / "folder", make("one"))
    monkeypatch.setitem(loop.CHECK, "cpu", 7)
    killed_at(21, monkeypatch, tmp_path / "folder", tmp_path / "work")
    last = tmp_path / "work" / "work" / "tiny-0.safetensors"
    last.write_bytes(last.read_bytes()[:-5])
    assert train(tmp_path / "folder", tmp_path / "work") == 0
    printed = capsys.readouterr()
    assert "tiny-0.safetensors: not a whole checkpoint" in printed.err
    assert "going on from step 14" in printed.out


def test_checkpoints_that_are_both_broken_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_study(tmp_path / "folder", make("one"))
    monkeypatch.setitem(loop.CHECK, "cpu", 7)
    killed_at(14, monkeypatch, tmp_path / "folder", tmp_path / "work")
    for path in (tmp_path / "work" / "work").glob("*.safetensors"):
        path.write_bytes(b"")
    with pytest.raises(InputFileError, match="not a whole checkpoint"):
        train(tmp_path / "folder", tmp_path / "work")


def test_cells_that_cannot_be_trained_are_named_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path / "folder", make("one", "hole", "empty"))
    assert train(tmp_path / "folder", tmp_path / "work") == 0
    found, _ = results(tmp_path / "work")
    assert found["tiny/one/0"]["state"] == "done"
    assert found["tiny/hole/0"]["error"].startswith("cell tiny/hole/0: 4 symbols of the test part are not in train")
    assert found["tiny/empty/1"]["error"].startswith("cell tiny/empty/1: the test part is empty")
    assert "error: cell tiny/hole/1" in capsys.readouterr().err


def test_symbols_unseen_in_train_are_kept_where_the_study_says_so(tmp_path: Path) -> None:
    study = make("hole")
    with pytest.raises(OptionError, match="are not in train"):
        study.check(study.cells[0])
    kept = replace(study, notes={"unseen": "keep"})
    kept.check(kept.cells[0])
    write_study(tmp_path, kept)
    assert train(tmp_path, tmp_path) == 0
    records, arrays = results(tmp_path)
    assert {record["state"] for record in records.values()} == {"done"}
    assert arrays["tiny/hole/0/test"].shape[0] == 4


def test_results_of_a_model_are_not_taken_for_those_of_one_with_a_longer_name(tmp_path: Path) -> None:
    cells = [ExportedCell(f"{model}/one/0", model, "one", 0) for model in ("tiny", "tiny-6")]
    write_study(tmp_path, make_study(PAIRS, SPLITS, {"tiny": SETTINGS, "tiny-6": SETTINGS}, cells))
    assert train(tmp_path, tmp_path) == 0
    assert train(tmp_path, tmp_path) == 0  # again, when the results of both are there
    assert list(results(tmp_path)[0]) == ["tiny/one/0"]


def test_a_loss_that_is_not_a_number_names_its_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [ExportedCell("good", "tiny", "one", 0), ExportedCell("bad", "tiny", "one", 1, factor=float("inf"))]
    write_study(tmp_path / "folder", make_study(PAIRS, SPLITS, {"tiny": SETTINGS}, cells))
    assert train(tmp_path / "folder", tmp_path / "work") == 0
    found, _ = results(tmp_path / "work")
    assert (found["good"]["state"], found["bad"]["state"]) == ("done", "failed")
    assert found["bad"]["error"] == "cell bad: the loss is not a number"
    assert "cell bad: the loss is not a number at step 10" in capsys.readouterr().err


@pytest.mark.slow
def test_out_of_memory_halves_the_stack_and_names_a_cell_that_fits_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_study(tmp_path / "folder", make("one", "empty", "two"))
    real = run.train_stack

    def small(job: Any, name: str, cells: list[ExportedCell]) -> Any:
        if len(cells) > 1 or cells[0].name == "tiny/two/1":
            raise torch.OutOfMemoryError
        return real(job, name, cells)

    monkeypatch.setattr(run, "train_stack", small)
    assert train(tmp_path / "folder", tmp_path / "work") == 0
    found, _ = results(tmp_path / "work")
    assert [found[f"tiny/{name}"]["state"] for name in ("one/0", "one/1", "two/0", "two/1")] == [
        "done",
        "done",
        "done",
        "failed",
    ]
    assert found["tiny/empty/0"]["error"].startswith("cell tiny/empty/0: the test part is empty")
    assert "cell tiny/two/1: out of memory" in found["tiny/two/1"]["error"]


def test_a_folder_of_another_form_is_refused(tmp_path: Path) -> None:
    write_study(tmp_path, make("one"))
    (tmp_path / "study.json").write_text('{"form": "other"}')
    with pytest.raises(InputFileError, match="not a folder of this form"):
        read_study(tmp_path)


def test_settings_say_what_is_wrong() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'dropout'"):
        find_preset("cfq:transformer", dropuot=0.2)
    with pytest.raises(UnknownNameError, match="unknown preset"):
        find_preset("cfq:gru")
    with pytest.raises(OptionError, match="do not divide"):
        find_preset("cfq:transformer", heads=7)
    with pytest.raises(OptionError, match="dropout is 1"):
        find_preset("cfq:transformer", dropout=1)
    for settings in PRESETS.values():
        assert Seq2SeqSettings.from_dict(settings.to_dict()) == settings


def test_training_needs_torch_and_numpy_alone() -> None:
    """As on a bare machine: everything else that the project uses is not to be found."""
    code = """
import sys
class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"lark", "pyarrow", "scipy", "numba", "orjson", "typer", "rich", "jinja2", "sqlglot"}:
            raise ImportError(name)
sys.meta_path.insert(0, Bare())
import numpy, torch
before = set(sys.modules)
import recombine.models.seq2seq.run
mine = {name.split(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)
assert mine <= {"recombine", "numpy", "torch", "triton"}, mine
"""
    subprocess.run([sys.executable, "-c", code], check=True)
