"""`recombine kb candidates`: forms around what is linked, and the recall of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result
from recombine.cli.shared.options import Json, Language, Quiet, Source, Target
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.kb_candidates import KbCandidateRecall


@app.command("candidates")
def candidates(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="A knowledge base: an index, or a file of triples.")],
    entity: Annotated[
        list[str] | None,
        typer.Option(
            "--entity", metavar="NAME", help='What is linked in the question: a name, <IRI> or "literal"; one or more.'
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DATA", help="Say how many forms of a data set are among the candidates."),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(
            "--links",
            metavar="FILE",
            help="For --data: JSON lines {id, entities} of what is linked; default: what each form names.",
        ),
    ] = None,
    hops: Annotated[int, typer.Option("--hops", help="Relations from an entity to what is asked for: 1 or 2.")] = 2,
    count: Annotated[bool, typer.Option("--count/--no-count", help="Each form also with COUNT.")] = True,
    beyond: Annotated[
        list[str] | None,
        typer.Option("--beyond", metavar="NAME", help="Beyond the paper: classes, superlatives, comparatives."),
    ] = None,
    vocabulary: Annotated[
        bool, typer.Option("--vocabulary", help="The words that a form may be written with, in place of forms.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Show so many, and say how many there are; default: all.")
    ] = None,
    ontology: Annotated[
        str | None,
        typer.Option(
            "--ontology",
            metavar="DIR",
            help="By which a class is implied; default: as facts state, else Freebase's commons, else as facts show.",
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", help="The profile of a file of triples; that of an index is its own.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the logical forms within two hops of what is linked in a question, or say how many gold forms they hold."""
    from recombine import workbench
    from recombine.workbench.kb_candidates import KbCandidateRecall

    with terminal(quiet=quiet):
        result = workbench.kb_candidates(
            place,
            entity=entity or (),
            data=data,
            links=links,
            hops=hops,
            count=count,
            beyond=beyond or (),
            vocabulary=vocabulary,
            limit=limit,
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
        )

    def show(console: Console) -> None:
        if isinstance(result, KbCandidateRecall):
            _show_recall(console, result)
            return
        for text in result.words() if result.vocabulary is not None else result.texts():
            shown = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
            console.print(shown, soft_wrap=True, markup=False, highlight=False)
        for said in (*result.candidates.notes, str(result), result.signature):
            note(said, quiet=quiet)

    print_result(result.to_dict(), show, as_json=as_json)


def _show_recall(console: Console, result: KbCandidateRecall) -> None:
    """The share that is covered, and why the rest is not."""
    values = result.to_dict()
    console.print(str(result), soft_wrap=True)
    for outcome, number in values["outcomes"].items():
        if outcome != "covered":
            console.print(f"{number:>12,}  not covered: {outcome}")
    if values["questions"]:
        console.print(
            f"by answers {values['recall_by_answers']:.1%}; candidates: median {values['median_candidates']:g}, "
            f"most {values['most_candidates']:,}; links: {result.links}",
            soft_wrap=True,
        )
    for key, why in list(result.unreadable.items())[:1]:
        console.print(f"the first that cannot be read: {key}: {why}", soft_wrap=True, markup=False, highlight=False)
    if unknown := values["unknown_links"]:
        links = "link is" if unknown == 1 else "links are"
        console.print(f"{unknown:,} {links} to nothing that has a fact, or to no entity")
    console.print(f"{values['signature']}, digest {values['digest']}", style="dim", soft_wrap=True)
