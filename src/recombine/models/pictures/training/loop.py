"""Training a stack to its last step: with looks at dev, checkpoints of which two are kept, and a time to stop.

Of each replica the weights of its best look at dev are kept. Checkpoints come by the clock, but what is computed does
not depend on when they came: training goes on from one as if it had never stopped.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import InputFileError
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.pictures.training.stack import Stack

CHECK = {"cpu": 10, "cuda": 100}
"""Steps between looks at the clock."""
Curve = list[tuple[int, float, float]]
"""Steps, mean loss since the last look, what dev gave."""


def _ignore(*_: Any) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Loop:
    """What all stacks of a run share."""

    work: Path | None = None
    """The folder of the checkpoints; none where none are kept."""
    pause: float = 300.0
    """Seconds between checkpoints."""
    sample: int = 8192
    """Examples of dev that each look measures; where there are more, the twins among them stay together."""
    deadline: float = float("inf")
    """When to stop, by `time.monotonic`."""
    look: Callable[[], None] = _ignore
    """Called at every look at the clock, before the next steps."""
    stepped: Callable[[str, int, int], None] = _ignore
    """Gets the name of a stack, the steps done and the steps in all."""
    say: Callable[[str], None] = _ignore
    warn: Callable[[str], None] = _ignore

    @property
    def over(self) -> bool:
        """Whether it is time to stop."""
        return time.monotonic() > self.deadline


@dataclass
class Progress:
    """How far a stack is: its curves, its best looks and the seconds it took."""

    curves: dict[str, Curve]
    best: torch.Tensor
    """The weights (K, P) of each replica's best look."""
    best_steps: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def dev(self, name: str) -> float:
        """The best that dev gave."""
        return max((value for _, _, value in self.curves[name]), default=0.0)


def train_stack(loop: Loop, name: str, stack: Stack, *, curve: int, patience: int = 0) -> Progress | None:
    """Train to the last step and go back to each replica's best look; none where time was over.

    With `patience`, training ends once no replica had a better look for so many looks.
    """
    progress = _resume(loop, name, stack)
    steps = stack.schedule.steps
    began, before, first = time.monotonic(), progress.seconds, stack.step
    saved, done = began, stack.step >= steps
    while not done:
        loop.look()
        pauses = (CHECK.get(stack.device.type, CHECK["cuda"]), curve)
        stack.train(min(steps, *((stack.step // every + 1) * every for every in pauses)))
        done = stack.step == steps
        if stack.step % curve == 0 or done:
            _look_at_dev(loop, name, stack, progress)
            done |= _tired(stack, progress, curve, patience)
        elif stack.device.type == "cuda":
            torch.cuda.synchronize()
        now = time.monotonic()
        progress.seconds = before + now - began
        stop = loop.over and not done
        if stop or now - saved >= loop.pause:
            _keep(loop, name, stack, progress)
            saved = now
        loop.stepped(name, steps if done else stack.step, steps)
        if stop:
            loop.say(f"{name}: stopped at step {stack.step}")
            return None
    pace = 1000 * (progress.seconds - before) / max(1, stack.step - first)
    each = pace / len(stack.replicas)
    loop.say(f"{name}: {len(stack.replicas)} replicas, {progress.seconds:.1f} s, {pace:.2f} ms a step, {each:.2f} each")
    stack.parameters.load(progress.best)
    return progress


def _look_at_dev(loop: Loop, name: str, stack: Stack, progress: Progress) -> None:
    """Measure every replica on its dev examples; the last look counts as the best where there are none."""
    losses = stack.take_losses()
    rows = [spaced_couples(replica.dev, loop.sample) for replica in stack.replicas]
    values = stack.program.measure(stack.parameters.weights, rows) if any(map(len, rows)) else [0.0] * len(rows)
    for place, (replica, loss, value) in enumerate(zip(stack.replicas, losses, values, strict=True)):
        points = progress.curves[replica.name]
        if not np.isfinite(loss):
            loop.warn(f"cell {replica.name}: the loss is not a number at step {stack.step}")
        if not len(rows[place]) or value >= max((each for _, _, each in points), default=-1.0):
            progress.best[place] = stack.parameters.flat[place]
            progress.best_steps[place] = stack.step
        points.append((stack.step, loss, value))
    shown = " ".join(f"{value:.3f}" for value in values)
    loop.say(f"{name}: step {stack.step}, loss {np.mean(losses):.4f}, dev {shown}")


def spaced_couples(rows: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """At most so many of the rows, from all over them, two neighbours at a time: neighbours are twins.

    >>> spaced_couples(np.arange(12), 6).tolist(), spaced_couples(np.arange(3), 6).tolist()
    ([0, 1, 4, 5, 8, 9], [0, 1, 2])
    """
    if len(rows) <= number:
        return rows
    couples = max(1, number // 2)
    first = np.arange(couples) * (len(rows) // 2) // couples * 2
    return rows[np.stack([first, first + 1], 1).reshape(-1)]


def _tired(stack: Stack, progress: Progress, curve: int, patience: int) -> bool:
    """Whether no replica had a better look for a while."""
    return patience > 0 and all(stack.step - best >= patience * curve for best in progress.best_steps)


def clear_checkpoints(loop: Loop, name: str) -> None:
    """Remove the checkpoints of a stack, which is stored."""
    for path in _checkpoints(loop, name):
        path.unlink(missing_ok=True)


def _checkpoints(loop: Loop, name: str) -> tuple[Path, ...]:
    """Where the last checkpoint of a stack is, and the one before."""
    if loop.work is None:
        return ()
    return loop.work / f"{name}.safetensors", loop.work / f"{name}.before.safetensors"


def _keep(loop: Loop, name: str, stack: Stack, progress: Progress) -> None:
    """Write a checkpoint; the last one becomes the one before."""
    if loop.work is None:
        return
    last, before = _checkpoints(loop, name)
    if last.exists():
        last.replace(before)
    metadata = {
        "curves": json.dumps(progress.curves),
        "best": json.dumps(progress.best_steps),
        "seconds": str(progress.seconds),
    }
    save_checkpoint(last, {**stack.state(), "best": progress.best}, metadata)


def _resume(loop: Loop, name: str, stack: Stack) -> Progress:
    """Bring a stack to its last whole checkpoint, if there is one."""
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
        curves = {cell: [tuple(point) for point in points] for cell, points in json.loads(metadata["curves"]).items()}
        best = tensors["best"].to(stack.device)
        return Progress(curves, best, json.loads(metadata["best"]), float(metadata["seconds"]))
    if problem is not None:
        raise problem
    empty: dict[str, Curve] = {replica.name: [] for replica in stack.replicas}
    return Progress(empty, stack.parameters.flat.clone(), [0] * len(stack.replicas))
