"""`recombine demo`: the main job from beginning to end, on data made on the spot."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Json, Quiet, Seed
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The directory for the files.")] = Path("demo"),
    effort: Annotated[float, typer.Option(help="A factor on the budget of the search for the mcd split.")] = 1.0,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make, split and measure SCAN, start to end."""
    from recombine import workbench
    from recombine.cli.shared.render import measured_table

    start = time.perf_counter()
    with terminal(quiet=quiet):
        result = workbench.demo(out, effort=effort, seed=seed)
    atoms, compounds = result.features.atoms.shape[1], result.features.compounds.shape[1]
    note(f"{len(result.dataset):,} commands with their actions and derivations → {out / 'scan.jsonl'}", quiet=quiet)
    note(f"{atoms} atoms, {compounds:,} compounds", quiet=quiet)
    value = result.to_dict()

    def show(console: Console) -> None:
        console.print(measured_table(value))
        for measured in value.values():
            print_signature(console, measured["signature"])

    print_result(value, show, as_json=as_json)
    note(f"done in {time.perf_counter() - start:.1f} s; the splits are in {out}/", quiet=quiet)
    note(f"open {(out / 'report.html').resolve()} in a browser to see what each holds out", quiet=quiet)
