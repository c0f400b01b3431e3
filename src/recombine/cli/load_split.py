"""A split as a verb takes it, with a note where line numbers had to be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.cli.console import note

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


def load_split(dataset: Dataset, split: str, *, quiet: bool) -> Split:
    """The split of this name or file."""
    from recombine import workbench

    found = workbench.load_split(dataset, split)
    if found.signature.get("verified") == "no":
        note(
            f"{split} names lines of {dataset.name} by number: their range was checked, the rest is unverified",
            quiet=quiet,
        )
    return found
