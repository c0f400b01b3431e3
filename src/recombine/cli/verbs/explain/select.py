"""`recombine select`: examples to train on, or to show in a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.results.select_result import SelectPromptsResult, SelectResult


def select(
    data: Data,
    number: Annotated[int, typer.Option("-k", help="How many examples; with programs to cover, how many for each.")],
    by: Annotated[
        str, typer.Option("--by", help="How: local-structure, coverage, random or template.")
    ] = "local-structure",
    split: Annotated[str | None, typer.Option(help="Select from one part of this split only.")] = None,
    part: Annotated[str, typer.Option(help="The part of the split to select from.")] = "train",
    program: Annotated[str | None, typer.Option(help="coverage: the program whose structures to cover.")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help='coverage: JSON lines with "id" and "prediction", the programs to cover.')
    ] = None,
    structures: Annotated[
        str | None, typer.Option(metavar="DEF", help="Which structures; default local:2, for coverage local:4.")
    ] = None,
    similarity: Annotated[str, typer.Option(help="local-structure: contexts or relations.")] = "contexts",
    tokenisation: Annotated[str, typer.Option(help="How labels become symbols: tree or published.")] = "tree",
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Select examples to train on, or to show in a prompt."""
    from recombine import workbench
    from recombine.datasets.files.tables import check_table_writable

    if out is not None:
        check_table_writable(out)
    with terminal(quiet=quiet):
        result = workbench.select(
            data,
            k=number,
            by=by,
            split=split,
            part=part,
            program=program,
            predictions=predictions,
            structures=structures,
            similarity=similarity,
            tokenisation=tokenisation,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    if out is not None:
        result.write(out)
    value = result.to_dict()

    def show(console: Console) -> None:
        _show(console, result)

    print_result({**value, "file": None if out is None else str(out)}, show, as_json=as_json)
    if value.get("unparsable"):
        note(f"{len(value['unparsable']):,} programs cannot be read, so nothing was selected for them", quiet=quiet)


def _show(console: Console, result: SelectResult | SelectPromptsResult) -> None:
    from recombine.workbench.results.select_result import SelectPromptsResult

    value = result.to_dict()
    if isinstance(result, SelectPromptsResult):
        for key, record in value["prompts"].items():
            console.print(f"{key}  {' '.join(record['ids'])}", soft_wrap=True)
    else:
        for example, reason in zip(result.examples, value["reasons"], strict=True):
            console.print(f"{example.id}  {example.target}", soft_wrap=True)
            if reason:
                console.print(f"    for {reason}", soft_wrap=True)
        if value["note"]:
            console.print(value["note"], soft_wrap=True)
    if value["signature"]:
        print_signature(console, value["signature"])
