"""Why values are missing, under the table that lacks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console


def print_not_measured(console: Console, measured: Mapping[str, Any], *, name: str = "") -> None:
    """A line for each value that is missing, with the name of its split where there are several."""
    for sentence in measured["not_measured"]:
        console.print(f"{name}: {sentence}" if name else sentence, style="yellow", soft_wrap=True)
