"""`recombine kb match`: whether pairs of forms say the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("match")
def match(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines with forms a and b, and an id if wanted.")],
    ontology: Annotated[
        Path | None,
        typer.Option("--ontology", metavar="DIR", help="Freebase's ontology; default: that of the data directory."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", help="How names are told: freebase, wikidata, dbpedia, plain, or a path.")
    ] = "freebase",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Write JSON lines of verdicts, each with the pair's id; default: to the screen."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say whether pairs of logical forms match: under an ontology, as graphs, and by GrailQA's scorer."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.kb_match import SHOWN

    with terminal(quiet=quiet):
        if out is not None:
            check_writable(out)
        result = workbench.kb_match(file, ontology=ontology, profile=profile)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.markup import escape
        from rich.table import Table

        if out is None:
            rows = Table("id", *result.counts, box=SIMPLE_HEAD, pad_edge=False)
            for number, row in enumerate(result.rows, 1):
                rows.add_row(escape(str(row.get("id", number))), *(str(row[way]).lower() for way in result.counts))
            console.print(rows)
        verdicts = [name for name in result.counts["strict"] if any(row[name] for row in result.counts.values())]
        table = Table(f"{len(result.rows):,} pairs", box=SIMPLE_HEAD, pad_edge=False)
        for name in verdicts:
            table.add_column(name, justify="right")
        for way, counted in result.counts.items():
            table.add_row(way, *(f"{counted[name]:,}" for name in verdicts))
        console.print(table)
        for why, count in list(result.reasons.items())[:SHOWN]:
            console.print(f"{count:>12,}  {why}", soft_wrap=True, markup=False, highlight=False)
        if (more := len(result.reasons) - SHOWN) > 0:
            console.print(f"              and {more:,} reasons more; --json lists all")
        if result.unknown:
            shown = ", ".join(list(result.unknown)[:SHOWN]) + (", …" if len(result.unknown) > SHOWN else "")
            names = "name is" if len(result.unknown) == 1 else "names are"
            text = f"{len(result.unknown):,} {names} not in the ontology: {shown}"
            console.print(text, soft_wrap=True, markup=False, highlight=False)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)
