"""`recombine parse`: questions read by rules, with their queries and rule applications."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Out, Quiet, Source, Target
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.parse import ParsedPairs, ParsedQuestion


def parse(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="The rules to parse with: cfq.")],
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="A question, in either spelling.")] = None,
    pairs: Annotated[
        str | None, typer.Option("--pairs", metavar="DATA", help="Check pairs of questions and queries.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DATA", help="Write data with a derivation per example to -o FILE (.jsonl)."),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="DIR", help="Other rules: a folder of .rules files, or one file.")
    ] = None,
    source: Source = None,
    target: Target = None,
    spelling: Annotated[
        str, typer.Option("--spelling", help="How queries are written: short (two-column files) or long (the release).")
    ] = "short",
    processes: Annotated[int, typer.Option(help="How many processes parse pairs or data; the result is the same.")] = 1,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Parse a question, check pairs, or give data its derivations."""
    from recombine import workbench
    from recombine.datasets.files.stream_table import check_stream_writable
    from recombine.errors import OptionError
    from recombine.workbench.parse import ParsedData, ParsedPairs

    if (data is None) != (out is None):
        raise OptionError("data is annotated to a file", "give --data DATA and -o FILE together")
    if out is not None:
        check_stream_writable(out)
    with terminal(quiet=quiet):
        result = workbench.parse(
            what,
            question,
            pairs=pairs,
            data=data,
            rules=rules,
            source=source,
            target=target,
            spelling=spelling,
            processes=processes,
        )
        if isinstance(result, ParsedData) and out is not None:
            result.write(out)
    value: dict[str, Any] = result.to_dict()
    if out is not None:
        value["file"] = str(out)

    def show(console: Console) -> None:
        if isinstance(result, ParsedData):
            console.print(f"{result} → {out}", soft_wrap=True)
        elif isinstance(result, ParsedPairs):
            _show_pairs(console, result)
        else:
            _show_question(console, result)

    print_result(value, show, as_json=as_json)
    if isinstance(result, ParsedPairs) and result.equivalent < result.pairs:
        raise typer.Exit(1)


def _show_question(console: Console, result: ParsedQuestion) -> None:
    from recombine.cli.verbs.data.show import print_derivation

    console.print("query", style="dim")
    console.print(f"  {result.query}", soft_wrap=True, markup=False)
    console.print("logical form", style="dim")
    console.print(f"  {result.logical_form}", soft_wrap=True, markup=False)
    console.print(f"rule applications ({len(result.derivation.rules)})", style="dim")
    print_derivation(console, result.derivation)
    if result.readings > 1:
        console.print(f"{result.readings} readings; this is the preferred one", style="dim")


def _show_pairs(console: Console, result: ParsedPairs) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    for name in ("pairs", "parsed", "equivalent", "exact", "ambiguous", "among_readings"):
        count = result[name]
        table.add_row(name.replace("_", " "), f"{count:,}", f"{100 * count / max(result.pairs, 1):.2f} %")
    table.add_row("per second", f"{result.per_second:,.0f}", "")
    console.print(table)
    for pair in result.different[:5]:
        console.print(f"{pair['question']}: {pair['problem']}", style="dim", soft_wrap=True, markup=False)
    if len(result.different) > 5:
        console.print("… --json lists more of those that differ", style="dim")
