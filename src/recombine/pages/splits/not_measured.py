"""What is said under a report's table: warnings, and why values are missing; each sentence once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.pages.splits.report_data import SplitData


def not_measured(splits: Sequence[SplitData]) -> list[str]:
    """The sentences of all splits, with the names of those that they are about where that is not all of them."""
    about: dict[str, list[str]] = {}
    for split in splits:
        for sentence in (*split.measured.get("warnings", ()), *split.measured["not_measured"]):
            about.setdefault(sentence, []).append(split.name)
    return [
        sentence if len(names) == len(splits) else f"{', '.join(names)}: {sentence}"
        for sentence, names in about.items()
    ]
