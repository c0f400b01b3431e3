"""Cells trained together where memory allows it, else in halves, and halves of these."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Protocol, TypeVar

import torch

from recombine.files import write_whole
from recombine.models.out_of_memory import is_out_of_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Named(Protocol):
    """A cell, as far as this goes."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...


C = TypeVar("C", bound="Named")
T = TypeVar("T")


def train_halving(
    work: Path,
    name: str,
    cells: list[C],
    train: Callable[[str, list[C]], dict[str, T] | None],
    give_up: Callable[[str, C, str], dict[str, T]],
    say: Callable[[str], None] = lambda _: None,
    *,
    setting: str = "batch_tokens",
) -> dict[str, T] | None:
    """What `train` gives for the cells of a stack by name, or for its halves where memory is short.

    `train` gets the name of the stack and its cells, and gives none where time is over. `give_up` gets a cell that does
    not fit alone, and why. A stack that was halved is marked, so that it is not tried whole again. `setting` is the one
    that says how much memory a cell takes.
    """
    mark = work / f"{name}.halved"
    if not mark.exists():
        try:
            return train(name, cells)
        except (MemoryError, RuntimeError) as error:
            if not is_out_of_memory(error):
                raise
        # Out of the handler, whose error holds on to the stack.
        gc.collect()
        torch.cuda.empty_cache()
        if len(cells) == 1:
            problem = f"cell {cells[0].name}: out of memory; lower {setting} or take another device"
            return give_up(name, cells[0], problem)
        say(f"{name}: out of memory with {len(cells)} replicas, going on with halves")
        write_whole(mark, b"")
    middle = len(cells) // 2
    halves = [
        train_halving(work, f"{name}{letter}", half, train, give_up, say, setting=setting)
        for letter, half in (("a", cells[:middle]), ("b", cells[middle:]))
    ]
    return None if any(half is None for half in halves) else {k: v for half in halves if half for k, v in half.items()}
