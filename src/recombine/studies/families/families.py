"""The models that a study can name: families, each with its presets and a way to train.

The list is open: `register` adds a family. A family gets a task, which holds texts and rows only, so that it can be
sent to another process or machine, and gives an outcome for each of its cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from recombine.plugins import Plugin
    from recombine.records.example import Example
    from recombine.records.world import WorldReference


@dataclass(frozen=True)
class TaskCell:
    """One model of a task: rows of the examples to train on and to predict, and its seed."""

    name: str
    train: tuple[int, ...]
    test: tuple[int, ...]
    seed: int


@dataclass(frozen=True)
class Task:
    """Cells of equal settings on one data set, trained together."""

    name: str
    preset: str
    settings: Mapping[str, Any]
    examples: Sequence[Example]
    """With ids, texts and contexts; how they were made and their tags stay behind."""
    cells: tuple[TaskCell, ...]
    work: Path
    """A folder for checkpoints, which may be used again by the same task after a kill."""
    curve: int = 2500
    sample: int = 128
    unseen: str = "fail"
    device: str = ""
    threads: int = 1
    checkpoint_seconds: float = 20.0
    plugins: tuple[Plugin, ...] = ()
    """What to load before anything is looked up by name."""
    coordinator: int | None = None
    """The process that waits for the outcome, where it is the parent: without it, there is no use in going on."""
    world: WorldReference | None = None
    """What the examples are about, by its path and digest; a family that wants it opens it."""

    @cached_property
    def pairs(self) -> Sequence[tuple[str, str]]:
        """The texts of the examples, for families that want these alone."""
        return tuple((example.source, example.target) for example in self.examples)


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


@dataclass(frozen=True)
class Family:
    """A kind of model."""

    name: str
    presets: Callable[[], Sequence[str]]
    settings: Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
    """All settings of a preset with changes; a wrong one is an error."""
    check: Callable[[], None]
    """Refuses, with what to install, where the family cannot be trained on this machine."""
    train: Callable[[Task], list[CellOutcome]]
    stacked: bool = False
    """Whether cells are trained together; else each is a task of its own."""
    revision: int = 1
    """To be raised by one when a change makes equal settings give other results; it is in the keys of cells."""


_FAMILIES: dict[str, Family] = {}
_PACKAGED = (
    "recombine.studies.families.seq2seq_family",
    "recombine.studies.families.nqg_family",
    "recombine.studies.families.pretrained_family",
)


def register(family: Family) -> Family:
    """Add a family to those that studies can name; one of the same name is replaced."""
    _FAMILIES[family.name] = family
    return family


def find_family(preset: str) -> Family:
    """The family that has this preset.

    >>> find_family("cfq:lstm").name
    'seq2seq'
    """
    for module in _PACKAGED:
        register_once(module)
    for family in _FAMILIES.values():
        if preset in family.presets():
            return family
    raise UnknownNameError("preset", preset, [name for family in _FAMILIES.values() for name in family.presets()])


def register_once(module: str) -> None:
    """Register the family of a module of this room, unless one of that name is registered already."""
    family: Family = import_module(module).FAMILY
    _FAMILIES.setdefault(family.name, family)
