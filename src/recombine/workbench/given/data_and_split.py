"""Data and its split as a verb takes them, with a note where a split file does not say all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.progress import note, working
from recombine.records.split import Split
from recombine.workbench.load import load_for, load_split

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.workbench.load import Data

SplitLike = str | Path | Split
"""A split: by id, by path, or itself."""


def data_and_split(
    data: Data,
    split: SplitLike,
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
) -> tuple[Dataset, Split]:
    """The data, read as the options and the split say, and its split."""
    with working(loading(data)):
        dataset = load_for(data, [split], source=source, target=target, language=language, world=world)
        return dataset, find_split(dataset, split)


def loading(data: Data) -> str:
    """What is said while data is loaded: its name or path, where it has one.

    >>> loading("scan"), loading([("jump", "JUMP")])
    ('loading scan', 'loading the data')
    """
    return f"loading {data if isinstance(data, str | Path) else 'the data'}"


def find_split(dataset: Dataset, split: SplitLike) -> Split:
    """The split of this name or file, or itself, checked against the data; files that do not say all are noted."""
    loaded = load_split(dataset, split)
    if isinstance(split, Split):
        return loaded
    if loaded.signature.get("verified") == "no":
        note(f"{split} names lines of {dataset.name} by number: their range was checked, the rest is unverified")
    note_old_file(loaded, split)
    return loaded


def note_old_file(loaded: Split, split: str | Path) -> None:
    """Say so where a split file was written before files kept language and fields."""
    if loaded.reading is None:
        note(
            f"{split} does not say the language and the fields of its data, as older split files do not: the options "
            "and their defaults were used"
        )
