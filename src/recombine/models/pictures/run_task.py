"""The cells of a study's task as one stack: one vocabulary, one look at every picture, stages shared."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.models.device import choose_device, device_name
from recombine.models.pictures.parser import RANDNEG, PictureParser
from recombine.models.task import CellOutcome
from recombine.models.torch_task import check_parent, threads
from recombine.records.world import opened

if TYPE_CHECKING:
    from recombine.models.pictures.parser import Ready
    from recombine.models.pictures.picture_data import PictureData
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.task import Task, TaskCell


def run_cells(task: Task, settings: PictureSettings, data: PictureData) -> list[CellOutcome]:
    """The outcomes of a task's cells, in their order; where memory is short, halves of them go on alone."""
    if settings.variant == RANDNEG:
        remedy = "train it with `recombine train`, or make its data with random_distractors and train regions on it"
        raise OptionError("a study has no cells of randneg: its questions are another file's", remedy)
    from recombine.models.seq2seq.training.halving import train_halving

    with threads(task.threads):
        parser = PictureParser(settings, data, 0, task.device)
        rows = sorted({row for cell in task.cells for row in cell.train})
        ready = parser.prepare(task.examples, opened(task.world), rows)
        outcomes = train_halving(
            task.work,
            task.name,
            list(task.cells),
            lambda name, cells: _train(task, parser, ready, name, cells),
            lambda _, cell, problem: {cell.name: CellOutcome(error=problem)},
            setting="batch",
        )
    return [(outcomes or {})[cell.name] for cell in task.cells]


def _train(task: Task, parser: PictureParser, ready: Ready, name: str, cells: list[TaskCell]) -> dict[str, CellOutcome]:
    """The outcomes of cells that are trained together."""
    import torch

    from recombine.models.pictures.training.loop import Loop, clear_checkpoints
    from recombine.models.pictures.training.stack import Replica

    began = time.monotonic()
    loop = Loop(work=task.work, pause=task.checkpoint_seconds, look=lambda: check_parent(task))
    replicas = [Replica(cell.name, cell.seed, _rows(cell.train), _rows(cell.dev)) for cell in cells]
    made = parser.train_replicas(ready, replicas, loop, name=name)
    answered = made.answer([_rows(cell.test) for cell in cells])
    clear_checkpoints(loop, name)
    seconds = (time.monotonic() - began) / len(cells)
    notes: dict[str, Any] = {"device": device_name(choose_device(task.device)), "torch": torch.__version__}
    outcomes = {}
    for place, cell in enumerate(cells):
        curve = tuple(
            (step, loss if np.isfinite(loss) else None, dev) for step, loss, dev in made.progress.curves[cell.name]
        )
        texts = tuple(parser.answers[number] for number in answered[place].tolist())
        own = {**notes, "steps": made.stack.step, "best_step": made.progress.best_steps[place]}
        outcomes[cell.name] = CellOutcome(texts, curve, own, seconds)
        if any(loss is None for _, loss, _ in curve):
            problem = f"cell {cell.name}: the loss is not a number; lower the rate, or clip gradients"
            outcomes[cell.name] = CellOutcome(curve=curve, notes=own, seconds=seconds, error=problem)
    return outcomes


def _rows(given: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.asarray(given, dtype=np.int64)
