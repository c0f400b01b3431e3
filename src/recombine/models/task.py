"""What a study gives to a family of models to train, and what it gets back.

A task holds examples and rows only, so that it can be sent to another process or machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.plugins import Plugin
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference

TRAINED = "trained"
"""The folder, in that of checkpoints, of trainings that cells of several tasks share; it goes when no cell waits."""


@dataclass(frozen=True)
class TaskCell:
    """One model of a task: rows of the examples to train on and to predict, and its seed."""

    name: str
    train: tuple[int, ...]
    test: tuple[int, ...]
    seed: int
    dev: tuple[int, ...] = ()
    """Rows to stop early on; given to families that do so, where the split has some."""


@dataclass(frozen=True)
class Task:
    """Cells of equal settings on one data set, trained together."""

    name: str
    preset: str
    settings: Mapping[str, Any]
    examples: Sequence[Example]
    cells: tuple[TaskCell, ...]
    work: Path
    """A folder for checkpoints, which may be used again by the same task after a kill."""
    world: World | WorldReference | None = None
    """What the examples are about; opened, and refused where it is another, by who trains."""
    language: str = ""
    """The language of the targets, where it is known."""
    curve: int = 2500
    sample: int = 128
    unseen: str = "fail"
    match: str = "target"
    """What outputs are compared with: the target, or the field `answer`."""
    device: str = ""
    threads: int = 1
    checkpoint_seconds: float = 20.0
    plugins: tuple[Plugin, ...] = ()
    """What to load before anything is looked up by name."""
    coordinator: int | None = None
    """The process that waits for the outcome, where it is the parent: without it, there is no use in going on."""

    def pairs(self, rows: Sequence[int] | None = None) -> list[tuple[str, str]]:
        """The texts of the examples in some rows, or of all."""
        chosen = self.examples if rows is None else [self.examples[row] for row in rows]
        return [(example.source, example.target) for example in chosen]


@dataclass(frozen=True)
class CellOutcome:
    """What became of a cell: predictions in the order of its test rows, or why there are none."""

    outputs: tuple[str, ...] = ()
    curve: tuple[tuple[int, float | None, float], ...] = ()
    """Steps, mean loss since the last point, accuracy on a sample."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What else belongs in the result; nothing that changes from run to run."""
    seconds: float = 0.0
    error: str = ""
