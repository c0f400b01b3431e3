"""Sequence-to-sequence models in a study: cells of equal settings trained as one stack, with checkpoints.

Checkpoints come by the clock, but what is computed does not depend on when they came: training goes on from one as if
it had never stopped, so a killed run ends with the same bytes.
"""

from __future__ import annotations

import importlib.util
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.seq2seq.export import ExportedCell, Study, make_study
from recombine.models.seq2seq.presets import PRESETS, find_preset
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.studies.families.families import CellOutcome, Family, Task
from recombine.studies.families.torch_task import check_parent, threads

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.models.seq2seq.training.train import Stack

CHECK = {"cpu": 10, "cuda": 250}
"""Steps between looks at the clock."""


def check_torch() -> None:
    """Refuse where torch is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise RecombineError(
            "training needs torch, which is not installed",
            "install recombine[neural], or `study export` the cells to a machine that has it",
        )


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes; their types are checked."""
    made = find_preset(preset, **changes).to_dict()
    for name, value in changes.items():
        usual = getattr(PRESETS[preset], name)
        if isinstance(value, bool) != isinstance(usual, bool) or not isinstance(
            value, int | float if isinstance(usual, float) else type(usual)
        ):
            raise RecombineError(f"the setting {name} is {value!r}", f"give a value like {usual!r}")
    return made


def task_study(task: Task) -> Study:
    """The task as tensors."""
    splits = {cell.name: {"train": cell.train, "test": cell.test} for cell in task.cells}
    cells = [ExportedCell(cell.name, task.preset, cell.name, cell.seed) for cell in task.cells]
    return make_study(task.pairs, splits, {task.preset: Seq2SeqSettings.from_dict(task.settings)}, cells)


def train(task: Task) -> list[CellOutcome]:
    """The outcomes of a task. Cells that cannot be trained say why; where memory is short, halves go on alone."""
    study = task_study(task)
    failed: dict[str, CellOutcome] = {}
    for cell in study.cells if task.unseen == "fail" else ():
        try:
            study.check(cell)
        except RecombineError as error:
            failed[cell.name] = CellOutcome(error=str(error))
    good = [cell for cell in study.cells if cell.name not in failed]
    with threads(task.threads):
        outcomes = {**failed, **(_train_halving(task, study, good, task.name) if good else {})}
    return [outcomes[cell.name] for cell in task.cells]


def _train_halving(task: Task, study: Study, cells: list[ExportedCell], name: str) -> dict[str, CellOutcome]:
    import torch

    if not (task.work / f"{name}.halved").exists():
        try:
            return _train_stack(task, study, cells, task.work / f"{name}.safetensors")
        except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
            if type(error) is RuntimeError and "allocate memory" not in str(error):
                raise
        if len(cells) == 1:
            problem = f"cell {cells[0].name}: out of memory; lower batch_tokens or take another device"
            return {cells[0].name: CellOutcome(error=problem)}
        write_whole(task.work / f"{name}.halved", b"")
        torch.cuda.empty_cache()
    middle = len(cells) // 2
    return {
        **_train_halving(task, study, cells[:middle], f"{name}a"),
        **_train_halving(task, study, cells[middle:], f"{name}b"),
    }


def _train_stack(task: Task, study: Study, cells: list[ExportedCell], path: Path) -> dict[str, CellOutcome]:
    import torch

    from recombine.models.seq2seq.training.train import Replica, Stack

    device = choose_device(task.device)
    settings = study.models[task.preset]
    replicas = [Replica(cell.name, study.splits[cell.split]["train"], cell.seed) for cell in cells]
    stack = Stack(settings, replicas, study.source, study.target, len(study.vocabulary), device=device)
    curves, seconds = _train_steps(task, study, cells, stack, path)
    rows = [study.splits[cell.split]["test"] for cell in cells]
    began = time.monotonic()
    predicted = stack.predict(rows, study.target.shape[1])
    seconds += time.monotonic() - began
    notes = {"steps": stack.step, "device": device_name(device), "torch": torch.__version__}
    outcomes = {}
    for cell, outputs in zip(cells, predicted, strict=True):
        curve = tuple((step, loss, share) for step, loss, share in curves[cell.name])
        texts = tuple(" ".join(study.vocabulary[s] for s in row if s > 1) for row in outputs.tolist())
        outcomes[cell.name] = CellOutcome(texts, curve, notes, seconds / len(cells))
        broken = next((step for step, loss, _ in curve if loss is None), None)
        if broken is not None:
            problem = f"cell {cell.name}: the loss is not a number at step {broken}; lower the rate, or clip gradients"
            outcomes[cell.name] = replace(outcomes[cell.name], outputs=(), error=problem)
    return outcomes


def _train_steps(
    task: Task, study: Study, cells: list[ExportedCell], stack: Stack, path: Path
) -> tuple[dict[str, list[Any]], float]:
    """Train to the last step, from a checkpoint where there is one; the curves and the seconds it took in all."""
    import orjson

    from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint

    curves: dict[str, list[Any]] = {cell.name: [] for cell in cells}
    seconds, steps = 0.0, stack.settings.steps
    if path.exists():
        tensors, metadata = load_checkpoint(path)
        stack.load_state(tensors)
        curves, seconds = orjson.loads(metadata["curves"]), float(metadata["seconds"])
    began = last = time.monotonic()
    while stack.step < steps:
        check_parent(task)
        pauses = (CHECK[stack.device.type], task.curve)
        stack.train(min(steps, *((stack.step // every + 1) * every for every in pauses)))
        if stack.step % task.curve == 0 or stack.step == steps:
            _note_curves(task, study, cells, stack, curves)
        if time.monotonic() - last >= task.checkpoint_seconds or stack.step == steps:
            last = time.monotonic()
            kept = {"curves": orjson.dumps(curves).decode(), "seconds": str(seconds + last - began)}
            save_checkpoint(path, stack.state(), kept)
        write_whole(path.with_suffix(".step"), str(stack.step * len(cells)).encode())
    return curves, seconds + time.monotonic() - began


def _note_curves(
    task: Task, study: Study, cells: list[ExportedCell], stack: Stack, curves: dict[str, list[Any]]
) -> None:
    """Add the step, the mean loss and the accuracy on a sample of test to each curve; no loss where it is no number."""
    losses = stack.take_losses()
    rows = [study.splits[cell.split]["test"][: task.sample] for cell in cells]
    predicted = stack.predict(rows, study.target.shape[1])
    for cell, loss, row, outputs in zip(cells, losses, rows, predicted, strict=True):
        share = float((outputs == study.target[row]).all(1).mean())
        curves[cell.name].append((stack.step, loss if abs(loss) < float("inf") else None, share))


FAMILY = Family("seq2seq", lambda: list(PRESETS), settings_of, check_torch, train, stacked=True, revision=1)
