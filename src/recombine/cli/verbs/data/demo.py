"""`recombine demo`: the main job from beginning to end, on data made on the spot."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature, search_progress, working
from recombine.cli.shared.options import Json, Quiet, Seed

if TYPE_CHECKING:
    from rich.console import Console

SIZES: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045}
SPLITS: dict[str, dict[str, Any]] = {
    "random": {"by": "random"},
    "length": {"by": "length:target", "max_length": 22},
    "mcd": {"by": "mcd"},
}


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
    from recombine.datasets.files.tables import write_table
    from recombine.errors import OutputFileError
    from recombine.files import write_whole
    from recombine.pages.splits.build_report import build_report

    start = time.perf_counter()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFileError(f"{out}: cannot be made ({error.strerror})", "choose another directory") from error
    with working("making SCAN", quiet=quiet):
        dataset = workbench.load("scan")
        write_table(dataset, out / "scan.jsonl")
    note(f"{len(dataset):,} commands with their actions and derivations → {out / 'scan.jsonl'}", quiet=quiet)
    with working("finding atoms and compounds (the first run compiles)", quiet=quiet):
        features = workbench.features(dataset)
    note(f"{features.atoms.shape[1]} atoms, {features.compounds.shape[1]:,} compounds", quiet=quiet)
    splits = {}
    for name, options in SPLITS.items():
        with search_progress(f"splitting: {name}", quiet=quiet) as progress:
            more: dict[str, Any] = {"effort": effort, "progress": progress} if name == "mcd" else {}
            splits[name] = workbench.split(dataset, **SIZES, **options, **more, seed=seed, structures=features)
        splits[name].write(out / f"{name}.json")
    with working("writing the report", quiet=quiet):
        write_whole(out / "report.html", build_report(dataset, splits, features))
    value = {name: made.measured for name, made in splits.items()}

    def show(console: Console) -> None:
        console.print(measured_table({name: made.measured for name, made in splits.items()}))
        for made in splits.values():
            print_signature(console, made.measured["signature"])

    print_result(value, show, as_json=as_json)
    note(f"done in {time.perf_counter() - start:.1f} s; the splits are in {out}/", quiet=quiet)
    note(f"open {(out / 'report.html').resolve()} in a browser to see what each holds out", quiet=quiet)
