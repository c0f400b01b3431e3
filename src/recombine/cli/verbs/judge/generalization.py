"""`recombine generalization`: how much of the gap between no picture and all the data a model closes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import Json, Language, Quiet, Seed, World, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.generalization_score import GeneralizationScoreResult

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Say how much of the gap between a text-only model and an i.i.d. one a model closes, and show many on a page.",
)


@app.callback(invoke_without_command=True)
def _generalization(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("score")
def score(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="The result of a model: what score wrote with -o, or --json.")
    ],
    text: Annotated[Path, typer.Option("--text", metavar="FILE", help="That of a model that sees texts alone.")],
    iid: Annotated[
        Path, typer.Option("--iid", metavar="FILE", help="That of a model trained on as many examples of all kinds.")
    ],
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say the generalization score: (MODEL - text) / (i.i.d. of the same size - text)."""
    from recombine import workbench

    with terminal(quiet=quiet):
        done = workbench.generalization_score(model, text=text, iid=iid, seed=seed)

    def show(console: Console) -> None:
        _show(console, done)

    print_result(done.to_dict(), show, as_json=as_json)


def _show(console: Console, done: GeneralizationScoreResult) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = done.score
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in (f"{made.n:,} entries, {made.samples}", "value", "95 % interval"):
        table.add_column(name, justify="left" if name.endswith(made.samples) else "right")
    low, high = made.gap_interval
    for role, name in done.files.items():
        label = "i.i.d. of the same size" if role == "iid" else role
        table.add_row(f"{label}: {name}", f"{getattr(made, role):.3f}", "")
    table.add_row("gap: i.i.d. less text", f"{made.gap:+.3f}", f"{low:+.3f} to {high:+.3f}")
    interval = "–" if made.interval is None else " to ".join(f"{each:+.3f}" for each in made.interval)
    value = "undefined" if made.value is None else f"{made.value:+.3f}"
    table.add_row("generalization score", value, interval)
    console.print(table)
    if made.is_below:
        console.print("▼ the model is below the text-only one")
    if made.value is None:
        console.print("the gap is within its own interval, so there is nothing that a model could close")
    print_signature(console, done.signature)


@app.command("page")
def page(
    file: Annotated[
        Path, typer.Argument(metavar="LIST", help="A TOML file of results, or a study with [generalization]; see docs.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    examples: Annotated[int, typer.Option(help="How many examples a number of the page opens.")] = 6,
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Of a study: where results are; default: results/NAME beside it.")
    ] = None,
    scores: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Which regions were looked at, to draw on pictures.")
    ] = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show systems and set-ups on one HTML page, in the form of Tables 6 to 8 and 12 of the COVR paper."""
    from recombine import workbench
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.generalization_page(
            file, examples=examples, results=results, scores=scores, language=language, world=world, seed=seed
        )
    result.write(out)

    def show(console: Console) -> None:
        for row in result.built.setups:
            made = row.score
            if made is None:
                console.print(f"{row.listed.name:48}{'not run':>12}  {row.listed.not_run}", soft_wrap=True)
                continue
            interval = "" if made.interval is None else " to ".join(f"{100 * each:.0f}" for each in made.interval)
            console.print(f"{row.listed.name:48}{made!s:>12}  {interval.replace('-', '−')}", soft_wrap=True)
        for system in result.built.systems:
            worst = "" if system.worst is None else f", fails most on {system.worst.name}"
            console.print(f"{system.name}: {system.cell.accuracy:.3f} of {system.cell.n:,}{worst}", soft_wrap=True)
        for name, reason in result.built.missing.items():
            console.print(f"not shown, {name}: {reason}", soft_wrap=True)
        console.print(f"{result} → {out}", soft_wrap=True)

    print_result({**result.to_dict(), "file": str(out)}, show, as_json=as_json)
