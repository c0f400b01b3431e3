"""`recombine prompt`: the questions of a part as prompts for a language model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, SplitName, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.results.prompt_result import PromptResult


def prompt(
    data: Data,
    split: SplitName,
    number: Annotated[int, typer.Option("-k", help="How many examples to show in each prompt; 0 for none.")],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            help="Which examples: for each question similar (words of questions) or coverage (structures of a "
            "program); the same for all: local-structure, template or random.",
        ),
    ] = "similar",
    part: Annotated[str, typer.Option(help="The part whose questions are asked.")] = "test",
    from_: Annotated[
        str, typer.Option("--from", help="The part whose examples are shown; never those of the part that is asked.")
    ] = "train",
    predictions: Annotated[
        Path | None, typer.Option(help='coverage: JSON lines with "id" and "prediction", first guesses to cover.')
    ] = None,
    gold: Annotated[
        bool, typer.Option("--gold", help="coverage: cover the right program of each question, as an upper bound.")
    ] = False,
    structures: Annotated[
        str | None, typer.Option(metavar="DEF", help="coverage, local-structure: which structures, as for select.")
    ] = None,
    order: Annotated[
        str, typer.Option(help="The order of examples: best-last (next to the question) or best-first.")
    ] = "best-last",
    style: Annotated[
        str, typer.Option(help="turns: a system message, and a pair of turns for each example; text: one user message.")
    ] = "turns",
    to: Annotated[
        str | None,
        typer.Option(help="Answers that are logical forms as sexpression or sparql; default: as the data has them."),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Entities in questions: linker (default where there is a knowledge base), gold, none, or a FILE of "
            'lines {"id", "entities"}, or that kb link writes.',
        ),
    ] = None,
    schema: Annotated[
        int, typer.Option(metavar="N", help="List at most N relations and N classes near the entities; 0 for none.")
    ] = 50,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="NAME", help="Say this field of examples and questions; can be repeated."),
    ] = None,
    instruction: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An instruction of your own, in place of the usual one.")
    ] = None,
    max_characters: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Cut each prompt to N characters: its least good examples go first, then its schema."
        ),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of an ontology; default: what facts say, for Freebase the data directory's."
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(help="freebase, wikidata, dbpedia or plain, or the path of your own; default: as the programs."),
    ] = None,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the questions of a part as prompts with examples; without -o the first one is shown."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.prompt(
            data,
            split,
            k=number,
            by=by,
            part=part,
            from_=from_,
            predictions=predictions,
            gold=gold,
            structures=structures,
            order=order,
            style=style,
            to=to,
            links=links,
            schema=schema,
            field=field or (),
            instruction=instruction,
            max_characters=max_characters,
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    if out is not None:
        result.write(out)
    value = {**result.to_dict(), "file": None if out is None else str(out)}

    def show(console: Console) -> None:
        _show(console, result, out)
        print_signature(console, value["signature"])

    print_result(value, show, as_json=as_json)
    for text in result.notes():
        note(text, quiet=quiet)


def _show(console: Console, result: PromptResult, out: Path | None) -> None:
    value = result.to_dict()
    if out is None:
        for message in result.prompts[0].prompt.messages():
            console.print(f"[{message['role']}]", soft_wrap=True, markup=False)
            console.print(message["content"], soft_wrap=True, markup=False, highlight=False)
    console.print(f"{result}{'' if out is None else f' → {out}'}", soft_wrap=True, markup=False)
    lengths = value["characters"]
    console.print(f"characters: median {lengths['median']:,.0f}, most {lengths['most']:,}", soft_wrap=True)
    schema = value["schema"]
    if schema is None:
        return
    covered = f"all items of {schema['covered']:,} of {schema['comparable']:,} gold forms are listed"
    cut = f"; cut in {schema['cut']:,} prompts, {schema['items_cut']:,} items" if schema["cut"] else ""
    listed = f"schema of up to {schema['most']} relations and classes: {covered}{cut}; " if schema["most"] else ""
    console.print(f"{listed}links: {value['links']}", soft_wrap=True, markup=False)
