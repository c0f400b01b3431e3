"""`recombine kb build`: an index of files of triples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app
from recombine.cli.verbs.data.kb.print_built import print_built


@app.command("build")
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files of triples, gzipped or not.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to build; there whole or not at all.")],
    profile: Annotated[
        str, typer.Option("--profile", help="freebase, wikidata, dbpedia or plain, or the path of your own.")
    ] = "plain",
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="ntriples, turtle, tsv or bars; default: as a file's name or first line says.",
        ),
    ] = None,
    joined: Annotated[
        str, typer.Option("--joined", help="What becomes of relations such as a./b: keep, or split by a made-up node.")
    ] = "keep",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build an index from files of triples; one that is there already is replaced when the new one is whole."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_build(files, out, profile=profile, format=form, joined=joined)
    print_built(result, as_json=as_json)
