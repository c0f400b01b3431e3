"""`recombine levels`: which test examples are i.i.d., compositional or zero-shot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, SplitName, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.levels import LevelsResult


def levels(
    data: Data,
    split: SplitName,
    shown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Compare each example with what its own prompt showed, not with train: JSON lines {"id", "shown"}.',
        ),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The folder of an ontology; default: that of the data directory for Freebase, else none.",
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(help="freebase, wikidata, dbpedia or plain, or the path of your own; default: as the programs."),
    ] = None,
    constructs: Annotated[
        bool, typer.Option("--constructs", help="SPARQL's constructs, such as ASK and UNION, are schema items too.")
    ] = False,
    merge_reverses: Annotated[
        bool, typer.Option("--merge-reverses", help="A relation and its reverse are one schema item.")
    ] = False,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which test examples are i.i.d., compositional or zero-shot against train, or against their prompts."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.levels(
            data,
            split,
            shown=shown,
            ontology=ontology,
            profile=profile,
            constructs=constructs,
            merge_reverses=merge_reverses,
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
        _show(console, result)
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, value["signature"])

    print_result(value, show, as_json=as_json)
    if unreadable := result.unreadable:
        key, why = next(iter(unreadable.items()))
        many = len(unreadable) > 1
        text = f"{len(unreadable):,} program{'s' * many} cannot be read and {'have' if many else 'has'} no level"
        note(f"{text}; {'the first: ' * many}{key}: {why}", quiet=quiet)
    if value["without_prompt"]:
        note(f"{value['without_prompt']:,} examples have no line in {shown}, and no level", quiet=quiet)


def _show(console: Console, result: LevelsResult) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from recombine.measures.levels.levels import LEVELS

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("part")
    for name in ("examples", *LEVELS):
        table.add_column(name, justify="right")
    for name, part in result.parts.items():
        record = part.to_record()
        cells = [
            f"{record['counts'][level]:,}" + (f" ({record['shares'][level]:.1%})" if record["n"] else "")
            for level in LEVELS
        ]
        table.add_row(name, f"{record['n']:,}", *cells)
    console.print(table)
    for name, rows in result.tagged.items():
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column(f"{name}, as tagged")
        for level in LEVELS:
            table.add_column(level, justify="right")
        for tag, counts in rows.items():
            table.add_row(tag, *(f"{counts[level]:,}" for level in LEVELS))
        console.print(table)
