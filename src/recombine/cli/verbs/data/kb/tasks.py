"""`recombine kb tasks`: work for people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app


@app.command("tasks")
def tasks(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines of forms, of answers, or of names.")],
    task: Annotated[
        str, typer.Option("--task", help="form, canonical, paraphrase, judgement or surface_forms.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of lines to hand out.")],
    number: Annotated[int, typer.Option("--number", help="How many people to ask for a paraphrase or judgement.")] = 1,
    profile: Annotated[
        str, typer.Option("--profile", help="How names are told: freebase, wikidata, dbpedia, plain, or a path.")
    ] = "freebase",
    ontology: Annotated[
        Path | None,
        typer.Option("--ontology", metavar="DIR", help="Freebase's ontology; default: that of the data directory."),
    ] = None,
    grammar: Annotated[
        Path | None, typer.Option("--grammar", metavar="FILE", help="Words of your own for classes and relations.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make work for people: forms to approve, questions to write, to say otherwise or to judge, names to choose."""
    from recombine import workbench
    from recombine.files import check_writable

    with terminal(quiet=quiet):
        check_writable(out)
        result = workbench.kb_tasks(file, task=task, number=number, profile=profile, ontology=ontology, grammar=grammar)
        result.write(out)
    print_result({**result.to_dict(), "file": str(out)}, lambda console: console.print(str(result)), as_json=as_json)
