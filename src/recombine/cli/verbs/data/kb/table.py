"""`recombine kb table`: what the forms of data sets name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Language, Quiet, Source, Target
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("table")
def table(
    data: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATA…]", help="Data sets; default: those of the catalogue about a knowledge base."),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of an ontology; default: that of the data directory for Freebase."
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="A profile's name, or the path of your own; default: as the programs.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count what the forms of data sets name: canonical forms, domains, relations, classes, entities, literals."""
    from recombine import workbench
    from recombine.workbench.kb_table import COUNTS

    with terminal(quiet=quiet):
        result = workbench.kb_table(
            data or None, ontology=ontology, profile=profile, source=source, target=target, language=language
        )

    def show(console: Console) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        shown = Table(box=SIMPLE_HEAD, pad_edge=False)
        shown.add_column("data", overflow="fold")
        for name in COUNTS:
            shown.add_column(name.replace("_", " "), justify="right")
        for row in result.rows:
            shown.add_row(row["data"], *("–" if row[name] is None else f"{row[name]:,}" for name in COUNTS))
        console.print(shown)
        for row in result.rows:
            rule = [f"classes {row['classes_rule']}"] if row["classes_rule"] else []
            console.print(f"{row['data']}: {'; '.join([*rule, *row['notes']])}", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)
