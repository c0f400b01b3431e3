"""`recombine kb query`: paths, forms and SPARQL asked of a knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.kb_query import KbTable


@app.command("query")
def query(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="An index, a file of triples, a folder of pyoxigraph's, or an endpoint's http address.",
        ),
    ],
    query: Annotated[
        str | None, typer.Argument(metavar="[SPARQL]", help="A query in SPARQL, SELECT or ASK.", show_default=False)
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="NAME", help='Where to begin: a name, <IRI>, prefix:name or "literal"; one or more.'
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path", metavar="PATH", help='Relations with " / " between them, ^ before one that is gone against.'
        ),
    ] = None,
    sparql: Annotated[
        str | None,
        typer.Option("--sparql", metavar="FILE", help="A file with a query in SPARQL, - for standard input."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--form", metavar="FORM", help="A logical form: an S-expression, or a graph query as JSON."),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Say how many answers there are, and none of them.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Show so many answers, and say how many there are; default: all.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="For a file or an endpoint: a profile's name or path; default: plain."),
    ] = None,
    graph: Annotated[str | None, typer.Option("--graph", help="For an endpoint: the IRI of the graph to ask.")] = None,
    kb_version: Annotated[
        str,
        typer.Option("--kb-version", help="For an endpoint: which facts it has; answers are kept for that version."),
    ] = "",
    time_out: Annotated[
        float | None,
        typer.Option("--time-out", help="Seconds for a query by SPARQL; default: 60 for an endpoint, else no limit."),
    ] = None,
    page: Annotated[int | None, typer.Option("--page", help="For an endpoint: ask in pages of so many rows.")] = None,
    max_rows: Annotated[
        int | None, typer.Option("--max-rows", help="For an endpoint: rows at which it is known to cut answers.")
    ] = None,
    max_answer: Annotated[
        str | None,
        typer.Option("--max-answer", metavar="SIZE", help="For an endpoint: the largest answer; default: 64M."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask for the end of a path or by a form, one answer a line, or in SPARQL; an answer is whole or an error."""
    from recombine import workbench
    from recombine.workbench.kb_query import KbTable, KbTruth

    with terminal(quiet=quiet):
        result = workbench.kb_query(
            place,
            query,
            from_=start or (),
            path=path,
            sparql=sparql,
            form=form,
            count=count,
            limit=limit,
            profile=profile,
            graph=graph,
            kb_version=kb_version,
            time_out=time_out,
            page=page,
            max_rows=max_rows,
            max_answer=max_answer,
        )

    def show(console: Console) -> None:
        if isinstance(result, KbTruth):
            console.print(str(result))
            return
        if count:
            console.print(str(result["count"]))
            return
        if isinstance(result, KbTable):
            _show_table(console, result)
        else:
            for answer in result.to_dict()["answers"]:
                console.print(answer, soft_wrap=True)
        note(str(result), quiet=quiet)

    print_result(result.to_dict(), show, as_json=as_json)


def _show_table(console: Console, result: KbTable) -> None:
    """The rows under their variables; a cell that is too long goes on in the next line, so that nothing is cut."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    values = result.to_dict()
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for variable in values["variables"]:
        table.add_column(f"?{variable}", overflow="fold")
    for row in values["rows"]:
        table.add_row(*("–" if text is None else text for text in row))
    console.print(table)
