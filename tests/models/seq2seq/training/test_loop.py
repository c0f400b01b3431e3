"""The loop that studies and `run` share."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.models.seq2seq.export import ExportedCell, make_study  # noqa: E402
from recombine.models.seq2seq.settings import Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint  # noqa: E402
from recombine.models.seq2seq.training.halving import train_halving  # noqa: E402
from recombine.models.seq2seq.training.loop import Loop, broken_at, train_stack  # noqa: E402
from recombine.models.seq2seq.training.train import Stack  # noqa: E402

PAIRS = [(f"{a} {b}", f"{b.upper()} {a.upper()}") for a in "abcd" for b in "abcd"]
SETTINGS = Seq2SeqSettings(
    architecture="transformer", width=8, heads=2, filter_width=8, layers=1, batch_tokens=24, buckets=2, steps=30
)
CELLS = [ExportedCell("one", "tiny", "split", 0), ExportedCell("two", "tiny", "split", 1)]
SPLITS = {"split": {"train": range(12), "test": range(12, 16)}}


def make_loop(work: Path, **options: Any) -> Loop:
    study = make_study(PAIRS, SPLITS, {"tiny": SETTINGS}, CELLS)
    return Loop(study, work, "cpu", **{"curve": 10, "sample": 4, "pause": 0.0, **options})


def test_two_checkpoints_are_kept_and_the_last_is_at_the_end(tmp_path: Path) -> None:
    said: list[str] = []
    stepped: list[tuple[str, int]] = []
    loop = make_loop(tmp_path, say=said.append, stepped=lambda *both: stepped.append(both))
    trained = train_stack(loop, "s", CELLS)
    assert trained is not None
    assert stepped == [("s", 20), ("s", 40), ("s", 60)]
    steps = [int(load_checkpoint(tmp_path / name)[0]["step"]) for name in ("s.safetensors", "s.before.safetensors")]
    assert steps == [30, 20]
    again = train_stack(loop, "s", CELLS)
    assert again is not None
    assert again.curves == trained.curves
    assert "s: going on from step 30" in said


def test_curves_are_measured_on_examples_from_all_over_the_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first examples of a part can be its shortest, as those of SCAN's `length` are."""
    asked: list[list[int]] = []
    predict = Stack.predict

    def noted(self: Stack, rows: Any, *rest: Any) -> Any:
        asked.extend(each.tolist() for each in rows)
        return predict(self, rows, *rest)

    monkeypatch.setattr(Stack, "predict", noted)
    assert train_stack(make_loop(tmp_path, curve=30, sample=2), "s", CELLS) is not None
    assert asked == [[12, 14], [12, 14]]


def test_time_that_is_over_stops_after_a_checkpoint(tmp_path: Path) -> None:
    loop = make_loop(tmp_path, deadline=time.monotonic() - 1)
    assert train_stack(loop, "s", CELLS) is None
    assert int(load_checkpoint(tmp_path / "s.safetensors")[0]["step"]) == 10


def test_a_checkpoint_of_an_earlier_version_is_gone_on_from(tmp_path: Path) -> None:
    """A study kept one checkpoint, and no loss where it was no number."""
    whole = train_stack(make_loop(tmp_path, pause=1e9), "whole", CELLS)
    stop = iter([None, None, KeyboardInterrupt()])

    def look() -> None:
        error = next(stop)
        if error is not None:
            raise error

    with pytest.raises(KeyboardInterrupt):
        train_stack(make_loop(tmp_path, look=look), "s", CELLS)
    (tmp_path / "s.before.safetensors").unlink()
    tensors, metadata = load_checkpoint(tmp_path / "s.safetensors")
    curves = json.loads(metadata["curves"])
    curves["two"][0][1] = None
    save_checkpoint(tmp_path / "s.safetensors", tensors, {**metadata, "curves": json.dumps(curves)})
    found = train_stack(make_loop(tmp_path), "s", CELLS)
    assert found is not None
    assert whole is not None
    assert found.curves["one"] == whole.curves["one"]
    assert (broken_at(found.curves["two"]), broken_at(whole.curves["two"])) == (10, None)


@pytest.mark.parametrize("error", [torch.OutOfMemoryError(), MemoryError(), RuntimeError("can't allocate memory")])
def test_memory_that_is_short_is_halved_once(tmp_path: Path, error: BaseException) -> None:
    tried: list[str] = []

    def train(name: str, cells: list[ExportedCell]) -> dict[str, str]:
        tried.append(name)
        if len(cells) > 1 or cells[0].name == "two":
            raise error
        return {cell.name: "done" for cell in cells}

    for _ in range(2):  # the second time, what was halved is not tried whole
        found = train_halving(tmp_path, "s", CELLS, train, lambda _, cell, problem: {cell.name: problem})
        assert found == {"one": "done", "two": "cell two: out of memory; lower batch_tokens or take another device"}
    assert tried == ["s", "sa", "sb", "sa", "sb"]


def test_other_errors_are_not_taken_for_short_memory(tmp_path: Path) -> None:
    def train(name: str, cells: list[ExportedCell]) -> None:
        raise RuntimeError(f"{name} of {len(cells)} went wrong")

    with pytest.raises(RuntimeError, match="s of 2 went wrong"):
        train_halving(tmp_path, "s", CELLS, train, lambda _, cell, problem: {cell.name: problem})
