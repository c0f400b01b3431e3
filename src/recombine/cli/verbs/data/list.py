"""`recombine list`: the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, Seed
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

SHOWN = 16
"""The most names of splits that are all printed; of more, the first two and the last are."""


def list_(as_json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:
    """List data sets, splits, methods, presets, and all else that has a name."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.list(seed=seed)

    def show(console: Console) -> None:
        _print_datasets(console, result.datasets)
        console.print(f"files are looked for in {result.data_directory}", style="dim", soft_wrap=True)
        if any(row["missing"] or row["missing_splits"] for row in result.datasets):
            console.print("`recombine download NAME` fetches what is missing", style="dim", soft_wrap=True)
        _print_names(console, "methods for --by", result.methods)
        console.print("presets for --structures", style="bold")
        for name, text in result.presets.items():
            console.print(f"  {name:<14}{text}")
        for kind, names in result.registered.items():
            _print_names(console, kind.replace("_", " "), names)
        _print_names(console, "plug-ins", [f"{name} ({identity})" for name, identity in result.plugins.items()])

    print_result(result.to_dict(), show, as_json=as_json)


def _print_names(console: Console, title: str, names: Sequence[str]) -> None:
    """Names under a title; nothing where there are none."""
    from rich.padding import Padding
    from rich.text import Text

    if names:
        console.print(title, style="bold")
        console.print(Padding(Text(" ".join(names)), (0, 0, 0, 2), expand=False))


def _print_datasets(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(row["data"], row["description"])
        if row["missing"]:
            table.add_row("", f"files missing: {', '.join(row['missing'])}", style="yellow")
        here = "" if row["missing"] else "files here; " if row["files"] else "needs no files; "
        table.add_row("", here + _splits(row["splits"], row["missing_splits"]))
    console.print(table)


def _splits(names: list[str], missing: list[str]) -> str:
    text = f"{len(names)} split{'' if len(names) == 1 else 's'}" if names or missing else "no splits"
    if names:
        text += ": " + (" ".join(names) if len(names) <= SHOWN else f"{names[0]} {names[1]} … {names[-1]}")
    return f"{text}; missing: {' '.join(missing)}" if missing else text
