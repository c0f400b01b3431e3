"""`recombine list`: the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, Seed

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 16
"""The most names of splits that are all printed; of more, the first two and the last are."""


def list_data(as_json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:  # noqa: ARG001  # every verb takes them
    """List data sets, splits, methods and presets."""
    from recombine.data_directory import data_directory
    from recombine.datasets.catalogue import CATALOGUE
    from recombine.measures.known import MEASURES
    from recombine.splits.methods import SPLITTERS
    from recombine.structures.definition import PRESETS
    from recombine.structures.kinds import STRUCTURE_KINDS

    rows: list[dict[str, Any]] = [
        {
            "data": name,
            "description": entry.description,
            "hash": entry.hash,
            "splits": entry.split_names(),
            "files": list(entry.files),
            "missing": entry.missing(),
            "missing_splits": entry.missing_splits(),
        }
        for name, entry in CATALOGUE.items()
    ]
    value = {
        "datasets": rows,
        "methods": list(SPLITTERS),
        "presets": PRESETS,
        "structures": list(STRUCTURE_KINDS),
        "measures": list(MEASURES),
        "data_directory": str(data_directory()),
    }

    def show(console: Console) -> None:
        _print_datasets(console, rows)
        console.print(f"files are looked for in {data_directory()}", style="dim", soft_wrap=True)
        console.print("methods for --by", style="bold")
        console.print(f"  {' '.join(SPLITTERS)}")
        console.print("presets for --structures", style="bold")
        for name, text in PRESETS.items():
            console.print(f"  {name:<14}{text}")
        console.print("kinds of structures for --structures", style="bold")
        console.print(f"  {' '.join(STRUCTURE_KINDS)}")
        if MEASURES:
            console.print("further measures", style="bold")
            console.print(f"  {' '.join(MEASURES)}")

    print_result(value, show, as_json=as_json)


def _print_datasets(console: Console, rows: list[dict[str, Any]]) -> None:
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
