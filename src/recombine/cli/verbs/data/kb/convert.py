"""`recombine kb convert`: logical forms from one notation to another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("convert")
def convert(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON lines with qid or id and a form in each, or a release.")
    ],
    from_: Annotated[
        str,
        typer.Option(
            "--from",
            help="graph (field graph_query), sexpression (s_expression) or sparql (sparql_query); or in form.",
        ),
    ],
    to: Annotated[str, typer.Option("--to", help="graph, sexpression or sparql.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write JSON lines {id, form, losses}; default: to the screen.")
    ] = None,
    semantics: Annotated[
        str | None,
        typer.Option("--semantics", help="Of SPARQL to write: sets, or grailqa; default: as the record says, or sets."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", help="freebase, wikidata, dbpedia or plain, or the path of your own.")
    ] = "freebase",
    ontology: Annotated[
        str | None,
        typer.Option(
            "--ontology",
            metavar="DIR",
            help="Tells implied classes from lost ones; default: that of the data directory, for Freebase.",
        ),
    ] = None,
    keep_classes: Annotated[
        bool, typer.Option("--keep-classes", help="Say classes in the middle too, which GrailQA's S-expressions omit.")
    ] = False,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep", help="Write a data set: all of each record, with the form as its target where it has one."
        ),
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write logical forms in another notation, and say of each what the other notation cannot say."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.kb_convert import SHOWN

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.kb_convert(
            file,
            from_=from_,
            to=to,
            semantics=semantics,
            profile=profile,
            ontology=ontology,
            keep_classes=keep_classes,
            keep=keep,
        )
    if out is not None:
        result.write(out)

    def show(console: Console) -> None:
        if out is None:
            for row in result.rows:
                form = row.get("target") if keep and "error" not in row else row["form"]
                text = form if isinstance(form, str) else json.dumps(form) if form else f"– {row['error']}"
                console.print(f"{row['id']}  {text}", soft_wrap=True, markup=False, highlight=False)
                for loss in row.get("losses", ()):
                    console.print(f"    lost: {loss}", soft_wrap=True, style="yellow", markup=False, highlight=False)
        console.print(str(result), soft_wrap=True)
        values = result.to_dict()
        for name, count in values["leniencies"].items():
            console.print(f"{count:>12,}  let pass: {name}", soft_wrap=True)
        if out is None:
            return  # each form has had its losses or its reason
        for kind, count in values["losses"].items():
            console.print(f"{count:>12,}  lost: {kind}", soft_wrap=True)
        for reason, count in list(values["reasons"].items())[:SHOWN]:
            console.print(f"{count:>12,}  {reason}", soft_wrap=True, markup=False, highlight=False)
        if (more := len(values["reasons"]) - SHOWN) > 0:
            console.print(f"              and {more:,} reasons more; --json lists all")

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)
