"""`recombine kb check`: what a knowledge base lacks for a data set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Data, Json, Language, Quiet, Source, Target
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("check")
def check(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="A knowledge base: an index, a file of triples, or an address.")
    ],
    data: Data,
    profile: Annotated[
        str | None, typer.Option("--profile", help="The profile of a file or an address; that of an index is its own.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what a knowledge base lacks for a data set, and which questions stay answerable; exit code 1 if not all."""
    from recombine import workbench
    from recombine.workbench.kb_check import ONE, SHOWN

    with terminal(quiet=quiet):
        result = workbench.kb_check(place, data, profile=profile, source=source, target=target, language=language)

    def show(console: Console) -> None:
        coverage = result.coverage
        for kind, named in coverage.named.items():
            lacking = len(coverage.lacking[kind])
            of = f"{named:,} {ONE[kind] if named == 1 else kind} named"
            if not lacking:
                if named:
                    console.print(f"{of}, none lacking")
                continue
            questions = coverage.questions_lacking[kind]
            console.print(f"{of}, {lacking:,} lacking in {questions:,} question{'s' * (questions != 1)}")
            for name, count in result.lacking(kind, SHOWN).items():
                console.print(f"{count:>12,}  {name}", soft_wrap=True)
            if lacking > SHOWN:
                console.print(f"              and {lacking - SHOWN:,} more; --json lists all")
        if coverage.placeholders:
            console.print(f"placeholders such as M0 are not looked up, in {coverage.placeholders:,} questions")
        if result.unreadable:
            key, why = next(iter(result.unreadable.items()))
            many = len(result.unreadable) > 1
            text = f"{len(result.unreadable):,} question{'s' * many} cannot be read{', the first' * many}: {key}: {why}"
            console.print(text, style="yellow", soft_wrap=True)
        console.print(str(result), style="green" if result.passed else "")

    print_result(result.to_dict(), show, as_json=as_json)
    if not result.passed:
        raise typer.Exit(1)
