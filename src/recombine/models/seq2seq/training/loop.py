"""Training a stack to its last step: with curves, checkpoints of which two are kept, and a time to stop.

Checkpoints come by the clock, but what is computed does not depend on when they came: training goes on from one as if
it had never stopped, so a run that was killed ends with the same bytes. Studies and `run` share this loop; it needs
torch and numpy alone.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import InputFileError
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.models.seq2seq.training.train import Replica, Stack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from recombine.models.seq2seq.export import ExportedCell, Ints, Study

CHECK = {"cpu": 10, "cuda": 250}
"""Steps between looks at the clock."""
Curve = list[tuple[int, float, float]]
"""Steps, mean loss since the last point, accuracy on a sample of test; a loss may be no number."""


def _ignore(*_: Any) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Loop:
    """What all stacks of a run share."""

    study: Study
    work: Path
    """The folder of the checkpoints."""
    device: str
    curve: int
    """Steps between points of a curve."""
    sample: int
    """Test examples that each point is measured on, evenly spaced over the part."""
    pause: float
    """Seconds between checkpoints."""
    deadline: float = float("inf")
    """When to stop, by `time.monotonic`."""
    look: Callable[[], None] = _ignore
    """Called at every look at the clock, before the next steps."""
    stepped: Callable[[str, int], None] = _ignore
    """Gets the name of a stack and the steps of all its replicas, after them."""
    say: Callable[[str], None] = _ignore
    warn: Callable[[str], None] = _ignore

    @property
    def over(self) -> bool:
        """Whether it is time to stop."""
        return time.monotonic() > self.deadline


@dataclass(frozen=True)
class TrainedStack:
    """A stack at its last step."""

    stack: Stack
    cells: Sequence[ExportedCell]
    curves: dict[str, Curve]
    """By the names of cells."""
    seconds: float
    """What training took in all, also before it was resumed."""


def train_stack(loop: Loop, name: str, cells: Sequence[ExportedCell]) -> TrainedStack | None:
    """Cells of one model trained to the last step, from a checkpoint where there is one; none where time was over."""
    study, settings = loop.study, loop.study.models[cells[0].model]
    replicas = [Replica(cell.name, study.splits[cell.split]["train"], cell.seed, cell.factor) for cell in cells]
    stack = Stack(settings, replicas, study.source, study.target, len(study.vocabulary), device=loop.device)
    curves, before = _resume(loop, name, stack, cells)
    began, first = time.monotonic(), stack.step
    saved = began
    while stack.step < settings.steps:
        loop.look()
        pauses = (CHECK.get(stack.device.type, CHECK["cuda"]), loop.curve)
        stack.train(min(settings.steps, *((stack.step // every + 1) * every for every in pauses)))
        done = stack.step == settings.steps
        if stack.step % loop.curve == 0 or done:
            _note_curves(loop, stack, cells, curves)
        elif stack.device.type == "cuda":
            torch.cuda.synchronize()
        now = time.monotonic()
        stop = loop.over and not done
        if stop or done or now - saved >= loop.pause:
            _keep(loop, name, stack, curves, before + now - began)
            saved = now
        loop.stepped(name, stack.step * len(cells))
        if stop:
            loop.say(f"{name}: stopped at step {stack.step}")
            return None
    seconds = time.monotonic() - began
    pace = 1000 * seconds / max(1, stack.step - first) / len(cells)
    loop.say(f"{name}: {len(cells)} replicas, {before + seconds:.0f} s, {pace:.3f} ms a replica-step")
    return TrainedStack(stack, cells, curves, before + seconds)


def clear_checkpoints(loop: Loop, name: str) -> None:
    """Remove the checkpoints of a stack, which is stored."""
    for path in _checkpoints(loop, name):
        path.unlink(missing_ok=True)


def _checkpoints(loop: Loop, name: str) -> tuple[Path, Path]:
    """Where the last checkpoint of a stack is, and the one before."""
    return loop.work / f"{name}.safetensors", loop.work / f"{name}.before.safetensors"


def _keep(loop: Loop, name: str, stack: Stack, curves: dict[str, Curve], seconds: float) -> None:
    """Write a checkpoint; the last one becomes the one before."""
    last, before = _checkpoints(loop, name)
    if last.exists():
        last.replace(before)
    save_checkpoint(last, stack.state(), {"curves": json.dumps(curves), "seconds": str(seconds)})


def _resume(loop: Loop, name: str, stack: Stack, cells: Sequence[ExportedCell]) -> tuple[dict[str, Curve], float]:
    """Bring a stack to its last whole checkpoint; its curves and seconds so far."""
    for left in loop.work.glob(f".{name}.safetensors.*"):  # of a process that was killed while it wrote
        left.unlink()
    problem: InputFileError | None = None
    for path in _checkpoints(loop, name):
        if not path.exists():
            continue
        try:
            tensors, metadata = load_checkpoint(path)
        except InputFileError as error:
            problem = error
            loop.warn(str(error))
            continue
        stack.load_state(tensors)
        loop.say(f"{name}: going on from step {stack.step}")
        # Checkpoints of earlier versions have no loss where it was no number.
        curves: dict[str, Curve] = {
            cell: [(step, float("nan") if loss is None else loss, share) for step, loss, share in points]
            for cell, points in json.loads(metadata["curves"]).items()
        }
        return curves, float(metadata["seconds"])
    if problem is not None:
        raise problem
    return {cell.name: [] for cell in cells}, 0.0


def _note_curves(loop: Loop, stack: Stack, cells: Sequence[ExportedCell], curves: dict[str, Curve]) -> None:
    """Add step, mean loss and accuracy on a sample of the test part to each cell's curve; report what broke."""
    losses = stack.take_losses()
    rows = [evenly_spaced(loop.study.splits[cell.split]["test"], loop.sample) for cell in cells]
    gold = loop.study.target
    predictions = stack.predict(rows, gold.shape[1])
    shares = [float((p == gold[r]).all(1).mean()) for p, r in zip(predictions, rows, strict=True)]
    for cell, loss, share in zip(cells, losses, shares, strict=True):
        if not np.isfinite(loss) and broken_at(curves[cell.name]) is None:
            loop.warn(f"cell {cell.name}: the loss is not a number at step {stack.step}")
        curves[cell.name].append((stack.step, loss, share))
    loop.say(f"step {stack.step}: loss {np.mean(losses):.4f}, accuracy {' '.join(f'{s:.2f}' for s in shares)}")


def evenly_spaced(rows: Ints, number: int) -> Ints:
    """At most so many of the rows, in their order and from all over them: the first ones of a part may be its shortest.

    >>> evenly_spaced(np.arange(10), 4).tolist(), evenly_spaced(np.arange(3), 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    taken = min(number, len(rows))
    return rows[np.arange(taken) * len(rows) // max(1, taken)]


def broken_at(curve: Curve) -> int | None:
    """The first step of a curve where the loss is no number; none where all are.

    >>> broken_at([(10, 0.5, 0.0), (20, float("nan"), 0.0)])
    20
    """
    return next((step for step, loss, _ in curve if not np.isfinite(loss)), None)
