"""Checkpoints from disk as a family of models; in a study, each cell fine-tunes one, with checkpoints of its own.

The setting `checkpoint` is the directory, relative to where the command runs; the model `pretrained:PATH` names it too.
In a study file its path is from the folder of that file, or in the data directory. A digest of the directory's files is
among the settings, and in keys it stands in the place of the path, so that a cell is run anew when they change; where a
study file gives it as `digest`, the directory is needed only to train.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import write_whole
from recombine.models.device import device_name
from recombine.models.family import Family
from recombine.models.out_of_memory import is_out_of_memory
from recombine.models.pretrained.local_checkpoint import check_installed, checkpoint_digest
from recombine.models.pretrained.parser import LOOK, Pretrained
from recombine.models.pretrained.presets import PRESETS, find_preset
from recombine.models.pretrained.settings import FineTuningSettings
from recombine.models.study_path import study_path
from recombine.models.task import CellOutcome, Task
from recombine.models.torch_task import check_parent, threads
from recombine.options import Option, options_of
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recombine.models.pretrained.tuner import Tuner
    from recombine.models.task import TaskCell
    from recombine.records.example import Example
    from recombine.records.world import World

OWN = ("checkpoint", "digest")
"""Settings that are not of the training."""
PREFIX = "pretrained:"
"""What stands before the directory of a checkpoint in the name of a model."""
SMALLER = "raise accumulate, lower predict_batch, or set recompute"
"""What to do where memory is short."""
PATIENCE = 10
"""Writing checkpoints takes one of so many seconds at most."""


def options(preset: str) -> list[Option]:
    """The declared settings with the defaults of a preset."""
    usual = PRESETS[preset_of(preset)[0]]
    return [
        Option("checkpoint", str, preset_of(preset)[1], "The directory of the checkpoint."),
        Option("digest", str, "", "The digest of its files; default: that of the files as they are."),
        *(replace(each, default=getattr(usual, each.name)) for each in options_of(FineTuningSettings)),
    ]


def preset_of(name: str) -> tuple[str, str]:
    """The preset and the checkpoint that a name stands for.

    >>> preset_of("pretrained:models/t5"), preset_of("nqg:t5-base")
    (('pretrained', 'models/t5'), ('nqg:t5-base', ''))
    """
    return ("pretrained", name.removeprefix(PREFIX)) if name.startswith(PREFIX) else (name, "")


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes, the checkpoint's directory and digest among them."""
    name, named = preset_of(preset)
    made = find_preset(name, **{key: value for key, value in changes.items() if key not in OWN}).to_dict()
    checkpoint = changes.get("checkpoint", named)
    if not isinstance(checkpoint, str) or not checkpoint:
        raise OptionError(f"the preset {preset} needs a checkpoint", "add checkpoint = 'DIRECTORY'")
    if named and checkpoint != named:
        raise OptionError(f"two checkpoints are given, {named} and {checkpoint}", "give one of them")
    digest = changes["digest"] if "digest" in changes else checkpoint_digest(checkpoint)
    return {**made, "checkpoint": checkpoint, "digest": digest}


def in_folder(changes: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The settings of a study file in a folder, with the place of the checkpoint from there, if one is there."""
    given = changes.get("checkpoint")
    if not given or not isinstance(given, str):
        return changes
    place = study_path(folder, given)
    return {**changes, "checkpoint": str(place)} if place.exists() else changes


def deciding(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as keys of cells have them: of a checkpoint its digest, wherever it lies."""
    return {**settings, "checkpoint": ""}


def check_files(settings: Mapping[str, Any]) -> None:
    """Refuse a checkpoint whose files are not here, or are others than those of the digest."""
    checkpoint, digest = settings["checkpoint"], settings["digest"]
    if checkpoint_digest(checkpoint) != digest:
        raise InputFileError(f"{checkpoint}: its files are not those of the digest {digest}", "give the same files")


# -- one parser ---------------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> Pretrained:
    """A parser of these settings; a checkpoint whose files are others is refused."""
    check_files(settings)
    values = {name: value for name, value in settings.items() if name not in OWN}
    return Pretrained(settings["checkpoint"], FineTuningSettings.from_dict(values), seed, device)


def fit(parser: Pretrained, examples: Sequence[Example], world: World | None) -> None:
    """Fine-tune to the last step, and say how far it is."""
    del world
    with _short_memory(), bar("training", counts="steps") as update:
        tuner = parser.begin([(example.source, example.target) for example in examples])
        while tuner.step < tuner.total:
            tuner.train(tuner.step + LOOK)
            if update is not None:
                update(tuner.step, tuner.total, f"loss {tuner.take_loss():.3f}")


@contextmanager
def _short_memory() -> Iterator[None]:
    """Say what to do where memory is short."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise RecombineError("out of memory", SMALLER) from error


def save(parser: Pretrained, folder: Path, signature: str) -> None:
    """Write a parser to a folder, which may hold another one."""
    from recombine.models.pretrained.store import save_with_signature

    save_with_signature(parser, folder, signature)


def load(folder: Path, device: str) -> Pretrained:
    """The parser in a folder."""
    check_installed()
    from recombine.models.pretrained.store import load_with_signature

    return load_with_signature(folder, device=device)


def _signature(parser: Pretrained, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    del parser
    name = preset_of(preset)[0]
    checkpoint = f"{Path(settings['checkpoint']).name}@{settings['digest'][:8]}"
    changed = FAMILY.changed(name, settings, leave_out=OWN)
    return {"model": name, "checkpoint": checkpoint, **changed, "model_seed": seed}


def _facts(parser: Pretrained) -> dict[str, Any]:
    counted = {name: number for name, number in sorted(parser.counted.items()) if number}
    return {"steps": parser.settings.steps or None, "epochs": parser.settings.epochs or None, "counted": counted}


def _describe(value: Mapping[str, Any]) -> str:
    length = f"{value['steps']:,} steps" if value["steps"] else f"{value['epochs']:,} epochs"
    counted = "".join(f", {name.replace('_', ' ')} {number:,}" for name, number in value["counted"].items())
    return f"{length} on {value['examples']:,} examples{counted}"


# -- cells of a study ---------------------------------------------------------------------------------------------


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task's cells, one after the other."""
    return [_outcome(task, number) for number in range(len(task.cells))]


def _outcome(task: Task, number: int) -> CellOutcome:
    name = task.cells[number].name
    try:
        with threads(task.threads):
            return _train_cell(task, task.cells[number], task.work / f"{task.name}.{number}.safetensors")
    except (RecombineError, MemoryError, RuntimeError) as error:
        if isinstance(error, RecombineError):
            return CellOutcome(error=f"cell {name}: {error}")
        if not is_out_of_memory(error):
            raise
        return CellOutcome(error=f"cell {name}: out of memory; {SMALLER}")


def _train_cell(task: Task, cell: TaskCell, path: Path) -> CellOutcome:
    import torch
    import transformers

    parser = make(task.settings, cell.seed, task.device)
    tuner = parser.begin(task.pairs(cell.train))
    curve, seconds = _train_steps(task, cell, parser, tuner, path)
    began = time.monotonic()
    outputs = parser.predict([source for source, _ in task.pairs(cell.test)])
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
    curve: list[Any] = []
    seconds = 0.0
    if path.exists():
        kept = tuner.load(path)
        curve, seconds = json.loads(kept["curve"]), float(kept["seconds"])
    began = last = time.monotonic()
    pause = task.checkpoint_seconds
    while tuner.step < tuner.total:
        check_parent(task)
        tuner.train(min((tuner.step // every + 1) * every for every in (LOOK, task.curve)))
        if tuner.step % task.curve == 0 or tuner.step == tuner.total:
            curve.append((tuner.step, tuner.take_loss(), _share(task, cell, parser)))
        if time.monotonic() - last >= pause or tuner.step == tuner.total:
            now = time.monotonic()
            tuner.save(path, {"curve": json.dumps(curve), "seconds": str(seconds + now - began)})
            last = time.monotonic()
            pause = max(task.checkpoint_seconds, PATIENCE * (last - now))
        write_whole(path.with_suffix(".step"), str(tuner.step).encode())
    return curve, seconds + time.monotonic() - began


def _share(task: Task, cell: TaskCell, parser: Pretrained) -> float:
    """The share of a sample of test that is right."""
    rows = task.pairs(cell.test[: task.sample])
    outputs = parser.predict([source for source, _ in rows])
    return sum(output == target for output, (_, target) in zip(outputs, rows, strict=True)) / max(1, len(rows))


FAMILY = Family(
    name="pretrained",
    title="checkpoints from disk, fine-tuned",
    presets=lambda: list(PRESETS),
    accepts=lambda name: name.startswith(PREFIX) and len(name) > len(PREFIX),
    options=options,
    complete=settings_of,
    check=check_installed,
    make=make,
    fit=fit,
    save=save,
    load=load,
    form="recombine-pretrained-parser",
    signature=_signature,
    facts=_facts,
    describe=_describe,
    in_folder=in_folder,
    deciding=deciding,
    check_files=check_files,
    run_task=run_task,
    revision=1,
)
