"""Why values are missing, under the table that lacks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console


def print_not_measured(console: Console, sentences: Iterable[str]) -> None:
    """A line for each value, or kind of values, that is missing."""
    for sentence in sentences:
        console.print(sentence, style="yellow", soft_wrap=True)
