"""`recombine kb`: the group that its verbs, a file each, are added to."""

from __future__ import annotations

import typer

from recombine.cli.shared.options import help_without_verb

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Build the index of a knowledge base, ask it, check it against data; convert and match logical forms.",
)


@app.callback(invoke_without_command=True)
def _kb(context: typer.Context) -> None:
    help_without_verb(context)
