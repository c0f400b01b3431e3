"""Data and its split as a verb takes them, with a note where a split file does not say all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.cli.shared.console import note

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


def data_and_split(
    data: str, split: str, *, source: str | None, target: str | None, language: str | None, quiet: bool
) -> tuple[Dataset, Split]:
    """The data, read as the options and the split file say, and its split."""
    from recombine import workbench

    dataset = workbench.load_for(data, [split], source=source, target=target, language=language)
    return dataset, split_argument(dataset, split, quiet=quiet)


def split_argument(dataset: Dataset, split: str, *, quiet: bool) -> Split:
    """The split of this name or file."""
    from recombine import workbench

    loaded = workbench.load_split(dataset, split)
    if loaded.signature.get("verified") == "no":
        note(
            f"{split} names lines of {dataset.name} by number: their range was checked, the rest is unverified",
            quiet=quiet,
        )
    note_old_file(loaded, split, quiet=quiet)
    return loaded


def note_old_file(loaded: Split, split: str, *, quiet: bool) -> None:
    """Say so where a split file was written before files kept language and fields."""
    if loaded.reading is None:
        note(
            f"{split} does not say the language and the fields of its data, as older split files do not: the options "
            "and their defaults were used",
            quiet=quiet,
        )
