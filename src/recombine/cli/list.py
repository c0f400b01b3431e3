"""`recombine list`: the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.cli.console import print_result
from recombine.cli.options import Json, Quiet, Seed

if TYPE_CHECKING:
    from rich.console import Console


def list_data(as_json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:  # noqa: ARG001  # every verb takes them
    """List data sets, splits, methods and presets."""
    from recombine.datasets.catalogue import CATALOGUE
    from recombine.datasets.data_directory import data_directory
    from recombine.splits.methods import SPLITTERS
    from recombine.structures.definition import PRESETS

    rows: list[dict[str, Any]] = [
        {"data": name, "description": entry.description, "hash": entry.hash, "splits": list(entry.split_files())}
        for name, entry in CATALOGUE.items()
    ]
    value = {"datasets": rows, "methods": list(SPLITTERS), "presets": PRESETS, "data_directory": str(data_directory())}

    def show(console: Console) -> None:
        from rich.padding import Padding

        for row in rows:
            console.print(row["data"], style="bold", end="  ")
            console.print(row["description"])
            splits = " ".join(row["splits"]) or f"none found in {data_directory()}"
            console.print(Padding(f"splits: {splits}", (0, 0, 0, 2)))
        console.print("methods for --by", style="bold")
        console.print(f"  {' '.join(SPLITTERS)}")
        console.print("presets for --structures", style="bold")
        for name, text in PRESETS.items():
            console.print(f"  {name:<14}{text}")

    print_result(value, show, as_json=as_json)
