"""Checkpoints from disk in a study: each cell fine-tunes one, with checkpoints of its own.

A `[[model]]` gives the directory as `checkpoint`, relative to where the command runs. A digest of the directory's files
is among the settings, so that a cell is run anew when they change; where the study file gives it as `digest`, the
directory is needed only to train.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import write_whole
from recombine.models.device import device_name
from recombine.models.pretrained.local_checkpoint import check_installed, checkpoint_digest
from recombine.models.pretrained.parser import LOOK, Pretrained
from recombine.models.pretrained.presets import PRESETS, find_preset
from recombine.models.pretrained.settings import FineTuningSettings
from recombine.studies.families.families import CellOutcome, Family, Task
from recombine.studies.families.torch_task import check_parent, threads

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.models.pretrained.tuner import Tuner
    from recombine.studies.families.families import TaskCell

OWN = ("checkpoint", "digest")
"""Settings of a study's model that are not of the training."""
PATIENCE = 10
"""Writing checkpoints takes one of so many seconds at most."""


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes, the checkpoint's directory and digest among them."""
    made = find_preset(preset, **{key: value for key, value in changes.items() if key not in OWN}).to_dict()
    checkpoint = changes.get("checkpoint", "")
    if not isinstance(checkpoint, str) or not checkpoint:
        raise OptionError(f"the preset {preset} needs a checkpoint", "add checkpoint = 'DIRECTORY'")
    digest = changes["digest"] if "digest" in changes else checkpoint_digest(checkpoint)
    return {**made, "checkpoint": checkpoint, "digest": digest}


def train(task: Task) -> list[CellOutcome]:
    """The outcomes of a task's cells, one after the other."""
    return [_outcome(task, number) for number in range(len(task.cells))]


def _outcome(task: Task, number: int) -> CellOutcome:
    import torch

    name = task.cells[number].name
    try:
        with threads(task.threads):
            return _train_cell(task, task.cells[number], task.work / f"{task.name}.{number}.safetensors")
    except RecombineError as error:
        return CellOutcome(error=f"cell {name}: {error}")
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        if type(error) is RuntimeError and "allocate memory" not in str(error):
            raise
        return CellOutcome(error=f"cell {name}: out of memory; raise accumulate, lower predict_batch, or set recompute")


def _train_cell(task: Task, cell: TaskCell, path: Path) -> CellOutcome:
    import torch
    import transformers

    values = dict(task.settings)
    checkpoint, digest = values.pop("checkpoint"), values.pop("digest")
    if checkpoint_digest(checkpoint) != digest:
        raise InputFileError(f"{checkpoint}: its files are not those of the digest {digest}", "give the same files")
    parser = Pretrained(checkpoint, FineTuningSettings.from_dict(values), cell.seed, task.device)
    tuner = parser.begin([task.pairs[row] for row in cell.train])
    curve, seconds = _train_steps(task, cell, parser, tuner, path)
    began = time.monotonic()
    outputs = parser.predict([task.pairs[row][0] for row in cell.test])
    seconds += time.monotonic() - began
    notes = {
        "steps": tuner.step,
        "device": device_name(tuner.device.type),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "counted": {name: number for name, number in sorted(parser.counted.items()) if number},
    }
    points = tuple((step, loss, share) for step, loss, share in curve)
    return CellOutcome(tuple(output or "" for output in outputs), points, notes, seconds)


def _train_steps(task: Task, cell: TaskCell, parser: Pretrained, tuner: Tuner, path: Path) -> tuple[list[Any], float]:
    """Train to the last step, from a checkpoint where there is one; the curve and the seconds it took in all."""
    import orjson

    curve: list[Any] = []
    seconds = 0.0
    if path.exists():
        kept = tuner.load(path)
        curve, seconds = orjson.loads(kept["curve"]), float(kept["seconds"])
    began = last = time.monotonic()
    pause = task.checkpoint_seconds
    while tuner.step < tuner.total:
        check_parent(task)
        tuner.train(min((tuner.step // every + 1) * every for every in (LOOK, task.curve)))
        if tuner.step % task.curve == 0 or tuner.step == tuner.total:
            curve.append((tuner.step, tuner.take_loss(), _share(task, cell, parser)))
        if time.monotonic() - last >= pause or tuner.step == tuner.total:
            now = time.monotonic()
            tuner.save(path, {"curve": orjson.dumps(curve).decode(), "seconds": str(seconds + now - began)})
            last = time.monotonic()
            pause = max(task.checkpoint_seconds, PATIENCE * (last - now))
        write_whole(path.with_suffix(".step"), str(tuner.step).encode())
    return curve, seconds + time.monotonic() - began


def _share(task: Task, cell: TaskCell, parser: Pretrained) -> float:
    """The share of a sample of test that is right."""
    rows = [task.pairs[row] for row in cell.test[: task.sample]]
    outputs = parser.predict([source for source, _ in rows])
    return sum(output == target for output, (_, target) in zip(outputs, rows, strict=True)) / max(1, len(rows))


FAMILY = Family("pretrained", lambda: list(PRESETS), settings_of, check_installed, train, revision=1)
