"""`recombine sample`: a part of a large pool with as many combinations of rules as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from recombine.workbench.sample import SampleResult


def sample(
    data: Data,
    number: Annotated[int, typer.Option("-n", help="How many examples.")],
    structures: Annotated[
        str | None,
        typer.Option(
            metavar="DEF",
            help="The compounds whose entropy is to be high; default: sub-graphs of 2 and 3 rules of any kind.",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(metavar="TAG", help="The tag that says levels; default: the number of grammar rules."),
    ] = None,
    max_level: Annotated[int | None, typer.Option(help="The highest level that is taken.")] = None,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take a part of a pool, even over levels, in which rules are combined in as many ways as possible."""
    from recombine import workbench
    from recombine.datasets.files.tables import check_table_writable

    if out is not None:
        check_table_writable(out)
    with terminal(quiet=quiet):
        result = workbench.sample(
            data,
            n=number,
            structures=structures,
            level=level,
            max_level=max_level,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    if out is not None:
        result.write(out)

    def show(console: Console) -> None:
        _show(console, result, out)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


def _show(console: Console, result: SampleResult, out: Path | None) -> None:
    taken = result.subsample.taken
    most = max(taken.sizes.values())
    levels = [level for level, size in taken.sizes.items() if size]
    short = sum(taken.sizes[level] < most - 1 for level in levels)
    fewer = f"; {short} levels have fewer, and all of them are taken" if short else ""
    console.print(str(result) if out is None else f"{result} → {out}", soft_wrap=True)
    console.print(f"levels {min(levels)} to {max(levels)}, {most:,} examples each{fewer}", soft_wrap=True)
    made = result.subsample
    compounds = made.features.structures.compounds
    console.print(
        f"entropy of {compounds}: {made.entropy:.3f} nats, {made.pool_entropy:.3f} in the pool", soft_wrap=True
    )
    print_signature(console, str(made.signature))
