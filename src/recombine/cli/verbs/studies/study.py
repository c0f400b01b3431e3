"""`recombine study`: run a study file, see how far it is, report it, take it to another machine and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.results.study_results import StudyStatus
    from recombine.workbench.study import Study

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Run a matrix of data, splits, models and seeds; resume, report and move it.",
)


@app.callback(invoke_without_command=True)
def _study(context: typer.Context) -> None:
    help_without_verb(context)


StudyPath = Annotated[Path, typer.Argument(metavar="FILE", help="The study file (TOML).")]
Results = Annotated[
    Path | None, typer.Option("--results", metavar="DIR", help="Where results are; default: results/NAME beside FILE.")
]
Only = Annotated[
    list[str] | None,
    typer.Option("--cells", metavar="TEXT", help="Only cells with this in their name; can be repeated."),
]


@app.command("run")
def run(
    file: StudyPath,
    results: Results = None,
    only: Only = None,
    processes: Annotated[int, typer.Option(help="How many stacks of models to train at the same time.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The scheduler of a dask cluster to run on.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda; default: cuda where there is one.")] = "",
    threads: Annotated[int, typer.Option(help="Threads of each process on a CPU; other numbers round otherwise.")] = 1,
    retry: Annotated[bool, typer.Option("--retry", help="Run cells again that failed.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run what is not done; a run that was killed goes on where it was. Exit code 1 where a cell failed."""
    from recombine.cli.shared.study_progress import StudyProgress
    from recombine.studies.running.watcher import watched_by

    with terminal(quiet=quiet), StudyProgress(quiet=quiet) as progress, watched_by(progress):
        done = _open(file).run(
            results=results,
            cells=only or (),
            processes=processes,
            cluster=cluster,
            device=device,
            threads=threads,
            retry=retry,
        )
    ran = done.ran

    def show(console: Console) -> None:
        _show(console, done)
        if ran.tuning is not None:
            console.print(f"{len(ran.tuning.records)} tuning runs, {ran.tuning.skipped} were there")
        console.print(f"{len(ran.records)} cells run, {ran.skipped} were there, {len(ran.failed)} failed")
        for record in ran.failed:
            console.print(f"failed: {record['error']}", soft_wrap=True)

    print_result(done.to_dict(), show, as_json=as_json)
    if ran.failed:
        raise typer.Exit(1)


@app.command("status")
def status(file: StudyPath, results: Results = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """How far a study is, and its means so far; nothing is computed."""
    with terminal(quiet=quiet):
        done = _open(file).status(results=results)
    plan = done.plan

    def show(console: Console) -> None:
        _show(console, done)
        if unmade := plan.unmade():
            more = f", such as {unmade[0]}" if len(unmade) > 1 else f" ({unmade[0]})"
            stored = any(result.record is not None and result.cell.split is None for result in done.cells)
            about_stored = "; results on them are found by their data, recipe, settings and seed" if stored else ""
            console.print(f"splits not made here yet: {len(unmade)}{more}{about_stored}", soft_wrap=True)
        if older := plan.migrated.left:
            hint = f"`recombine study migrate {file}` or a run brings them over"
            console.print(f"records of an older form, not counted: {len(older)}; {hint}", soft_wrap=True)

    print_result(done.to_dict(), show, as_json=as_json)


@app.command("migrate")
def migrate(file: StudyPath, results: Results = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Bring results of an older form over to their new keys, as `run` does too. Exit code 1 where some cannot be."""
    from recombine.studies.cells.cell_key import FORM

    with terminal(quiet=quiet):
        done = _open(file).migrate(results=results)
    value, migrated = done.to_dict(), done.plan.migrated

    def show(console: Console) -> None:
        for message in migrated.messages():
            console.print(message, soft_wrap=True)
        if not (migrated.moved or migrated.left):
            console.print(f"all records are of the form {FORM}")
        console.print(f"{value['done']} of {value['cells']} cells are done")

    print_result(value, show, as_json=as_json)
    if migrated.left:
        raise typer.Exit(1)


@app.command("report")
def report(
    file: StudyPath,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    results: Results = None,
    examples: Annotated[int, typer.Option(help="Predictions of each cell that the page keeps, wrong ones first.")] = 10,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a study as one HTML page: means beside the paper's, divergence, kinds of errors, curves, every cell."""
    from recombine.cli.shared.correlation_text import correlation_lines
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        done = _open(file).report(results=results, examples=examples)
    done.write(out)

    def show(console: Console) -> None:
        for line in correlation_lines(done.correlations):
            console.print(line, soft_wrap=True)
        console.print(f"written to {out} ({len(done.page) / 1e6:.1f} MB)", soft_wrap=True)

    print_result({**done.to_dict(), "file": str(out)}, show, as_json=as_json)


@app.command("export")
def export(
    file: StudyPath,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The folder to write.")],
    results: Results = None,
    only: Only = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Pack cells that are not done for a machine that has torch and numpy alone."""
    with terminal(quiet=quiet):
        done = _open(file).export(out, results=results, cells=only or ())

    def show(console: Console) -> None:
        for folder, number in done.folders.items():
            console.print(f"{number} cells → {folder}; there:", soft_wrap=True)
            console.print(f"  {done.exported.commands[folder]}", soft_wrap=True)
            console.print(f"and back here: recombine study collect {file} {folder}", soft_wrap=True)
        for reason, number in done.exported.left_out.items():
            console.print(f"{number} cells left out: {reason}")

    print_result(done.to_dict(), show, as_json=as_json)


@app.command("collect")
def collect(
    file: StudyPath,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder that was exported.")],
    outputs: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Where its results are; default: FOLDER/out.")
    ] = None,
    results: Results = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score and store what came back from another machine. Exit code 1 where a cell failed."""
    with terminal(quiet=quiet):
        done = _open(file).collect(folder, from_=outputs, results=results)
    made = done.collected

    def show(console: Console) -> None:
        _show(console, done)
        unknown = f", {len(made.unknown)} are of no cell, such as {made.unknown[0]}" if made.unknown else ""
        console.print(f"{len(made.records)} cells stored, {made.done_before} were there{unknown}", soft_wrap=True)
        for record in done.failed:
            console.print(f"failed: {record['error']}", soft_wrap=True)

    print_result(done.to_dict(), show, as_json=as_json)
    if done.failed:
        raise typer.Exit(1)


def _open(file: Path) -> Study:
    from recombine import workbench

    return workbench.study(file)


def _show(console: Console, done: StudyStatus) -> None:
    """The table of means, what kinds of intervals are in it, where the paper's numbers are from, and correlations."""
    from recombine.cli.shared.correlation_text import correlation_lines
    from recombine.cli.shared.study_table import UNKNOWN, own_kinds, paper_kinds, study_table
    from recombine.studies.tables.summary import KINDS

    rows = done.rows
    kinds = {kind for row in rows for kind in (*own_kinds(row), *paper_kinds(row))}
    console.print(study_table(done.plan, rows, console.width))
    for kind, meaning in KINDS.items():
        if kind in kinds:
            console.print(f"± {kind}: half of a 95 % interval by Student's t, {meaning}")
    if UNKNOWN in kinds:
        console.print(f"paper {UNKNOWN}: the study file does not say of what kind the paper's interval is")
    for source in done.paper_sources:
        console.print(f"paper: {source}")
    for line in correlation_lines(done.correlations):
        console.print(line, soft_wrap=True)
    for stuck in done.stuck:
        console.print(f"did not learn, and is in the mean: {stuck}", soft_wrap=True)
    for model, reason in done.plan.left_out.items():
        console.print(f"not run here: {model}: {reason}", soft_wrap=True)
    if done.abstentions or done.hybrids:
        from recombine.cli.shared.hybrid_text import abstention_text, hybrid_text

        if done.abstentions:
            console.print(abstention_text(done.abstentions))
        if done.hybrids:
            console.print(hybrid_text(done.hybrids))
    if done.tuning:
        from recombine.cli.shared.tuning_text import tuning_text

        console.print(tuning_text(done.tuning))
        console.print(
            "tuned values are chosen by right answers on the part of train that is held back; ties: the first"
        )
