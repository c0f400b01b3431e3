"""`recombine kb`: knowledge bases without a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result
from recombine.cli.shared.options import Json, Quiet, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Build the index of a knowledge base, see what it holds, and ask it.",
)
Place = Annotated[str, typer.Argument(metavar="PLACE", help="The folder of an index that kb build made.")]


@app.callback(invoke_without_command=True)
def _kb(context: typer.Context) -> None:
    help_without_verb(context)


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

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"digest {result.built.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("info")
def info(place: Place, as_json: Json = False, quiet: Quiet = False) -> None:
    """Say what an index holds; every file of it is compared with its check sum."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_info(place)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"profile {result.profile}, names under {result.base}", soft_wrap=True)
        values = ", ".join(f"{count:,} of {name}" for name, count in result.values_of.items() if count)
        console.print(f"{result.counts['literals']:,} literals" + (f", with values {values}" if values else ""))
        if unread := result.counts["unreadable_literals"]:
            console.print(f"{unread:,} literals are not written as their type wants, and have no value")
        for relation, count in result.most_frequent.items():
            console.print(f"{count:>12,}  {relation}", soft_wrap=True)
        if (more := result.counts["relations"] - len(result.most_frequent)) > 0:
            console.print(f"              and {more:,} relations more")
        console.print(f"{result.bytes / 1e6:,.1f} MB, digest {result.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("query")
def query(
    place: Place,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="NAME", help='Where to begin: a name, <IRI>, prefix:name or "literal"; one or more.'
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="PATH", help='Relations with " / " between them, ^ before one that is gone against.'),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Say how many answers there are, and none of them.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Show so many answers, and say how many there are; default: all.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask for what is at the end of a path: one answer a line, in the order of their names."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_query(place, from_=start or (), path=path, count=count, limit=limit)

    def show(console: Console) -> None:
        if count:
            console.print(str(len(result.terms)))
            return
        for answer in result.to_dict()["answers"]:
            console.print(answer, soft_wrap=True)
        note(str(result), quiet=quiet)

    print_result(result.to_dict(), show, as_json=as_json)
