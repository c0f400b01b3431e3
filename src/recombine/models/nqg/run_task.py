"""The cells of a study's task: with a neural scorer, training goes on from a checkpoint after a kill."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.models.device import device_name
from recombine.models.out_of_memory import is_out_of_memory
from recombine.models.task import CellOutcome
from recombine.models.torch_task import check_parent, threads

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.models.family import Family
    from recombine.models.nqg.model import Nqg
    from recombine.models.task import Task, TaskCell

SMALLER = "lower neural_batch, or take another device"
"""What to do where memory is short."""


def run_cells(task: Task, family: Family) -> list[CellOutcome]:
    """The outcomes of a task's cells, in their order."""
    if task.settings["scorer"] != "neural":
        return [family.plain_outcome(task, cell) for cell in task.cells]
    return [_outcome(task, family, number) for number in range(len(task.cells))]


def _outcome(task: Task, family: Family, number: int) -> CellOutcome:
    cell = task.cells[number]
    try:
        with threads(task.threads):
            return _run(task, family, cell, task.work / f"{task.name}.{number}.safetensors")
    except (RecombineError, MemoryError, RuntimeError) as error:
        if isinstance(error, RecombineError):
            return CellOutcome(error=f"cell {cell.name}: {error}")
        if not is_out_of_memory(error):
            raise
        return CellOutcome(error=f"cell {cell.name}: out of memory; {SMALLER}")


def _run(task: Task, family: Family, cell: TaskCell, path: Path) -> CellOutcome:
    began = time.monotonic()
    parser: Nqg = family.make(family.in_language(task.settings, task.language), cell.seed, task.device)
    parser.work, parser.pause = path, task.checkpoint_seconds
    parser.stepped = partial(_stepped, task, path.with_suffix(".step"))
    family.fit_parser(parser, [task.examples[row] for row in cell.train], None)
    outputs = parser.predict([task.examples[row].source for row in cell.test])
    return CellOutcome(
        tuple(output or "" for output in outputs),
        notes=notes_of(parser),
        seconds=time.monotonic() - began,
    )


def _stepped(task: Task, path: Path, step: int) -> None:
    write_whole(path, str(step).encode())
    check_parent(task)


def notes_of(parser: Nqg) -> dict[str, Any]:
    """What belongs in a result beside its settings."""
    import torch

    notes: dict[str, Any] = {"rules": len(parser.grammar or ()), "steps": parser.neural.steps}
    notes |= {"device": device_name(parser.device), "torch": torch.__version__}
    if parser.neural.encoder:
        import transformers

        notes["transformers"] = transformers.__version__
    return notes
