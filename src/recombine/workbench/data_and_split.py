"""Data and its split as the verbs take them together, with a note where a split file does not say all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.progress import note, working
from recombine.workbench.load import load_for, load_split

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.workbench.load import Data


def data_and_split(
    data: Data,
    split: str | Path | Split,
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
) -> tuple[Dataset, Split]:
    """The data, read as the options and the split say, and its split."""
    with working(f"loading {data if isinstance(data, str | Path) else 'the data'}"):
        dataset = load_for(data, [split], source=source, target=target, language=language, world=world)
        loaded = load_split(dataset, split)
        if isinstance(split, str | Path):
            _note_what_is_unsaid(dataset, loaded, str(split))
    return dataset, loaded


def _note_what_is_unsaid(dataset: Dataset, loaded: Split, split: str) -> None:
    if loaded.signature.get("verified") == "no":
        note(f"{split} names lines of {dataset.name} by number: their range was checked, the rest is unverified")
    if loaded.reading is None:
        note(
            f"{split} does not say the language and the fields of its data, as older split files do not: the options "
            "and their defaults were used"
        )
