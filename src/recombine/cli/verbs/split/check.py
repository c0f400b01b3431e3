"""`recombine check`: whether a split is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import (
    Data,
    Json,
    Language,
    Literals,
    Names,
    NearDuplicates,
    Quiet,
    Seed,
    Source,
    SplitName,
    Target,
    World,
)
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

_WORST = 3
"""The nearest pairs that are named; --json has ten."""


def check(
    data: Data,
    split: SplitName,
    train: Annotated[int | None, typer.Option(help="The number of entries train should have.")] = None,
    dev: Annotated[int | None, typer.Option(help="The number of entries dev should have.")] = None,
    test: Annotated[int | None, typer.Option(help="The number of entries test should have.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="What could not be checked is no pass: exit code 1 there too.")
    ] = False,
    profile: Annotated[
        str | None, typer.Option(help="For a split by levels: the profile it was made by, where it is your own.")
    ] = None,
    ontology: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="For a split by levels: the ontology it was made by, where it is your own."),
    ] = None,
    properties: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="For a split by property: the file it was made by, where it is your own."),
    ] = None,
    literals: Literals = None,
    names: Names = None,
    near_duplicates: NearDuplicates = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,
) -> None:
    """Check a split; exit code 1 on problems."""
    from recombine import workbench

    with terminal(quiet=quiet):
        report = workbench.check(
            data,
            split,
            train=train,
            dev=dev,
            test=test,
            strict=strict,
            profile=profile,
            ontology=ontology,
            properties=properties,
            literals=literals,
            names=names,
            near_duplicates=near_duplicates,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )

    def show(console: Console) -> None:
        for problem in report["problems"]:
            console.print(f"problem: {problem}", style="red", soft_wrap=True)
        if any(" hold atoms unseen in train: " in problem and " more" in problem for problem in report["problems"]):
            console.print("--json lists all unseen atoms")
        for sentence in report["held_out"]:
            console.print(f"held out: {sentence}", soft_wrap=True)
        for sentence in report["not_checked"]:
            console.print(sentence, style="yellow", soft_wrap=True)
        if not report["problems"]:
            unsure = bool(report["not_checked"])
            console.print("no problems" + (" in what was checked" if unsure else ""), style="" if unsure else "green")
        sizes_text = ", ".join(f"{name} {size:,}" for name, size in report["sizes"].items())
        console.print(f"sizes: {sizes_text}; not used: {report['unused']:,}")
        for name, count in report["repeats"].items():
            if count:
                console.print(f"{name} repeats {count:,} entries")
        for name, near in report.to_dict().get("near_duplicates", {}).items():
            console.print(f"{near['examples']:,} examples of {name} are nearly in train (at {near['threshold']:g})")
            for pair in near["worst"][:_WORST]:
                both = f"{pair['source']:.2f}, {pair['target']:.2f}"
                console.print(f"  {pair['id']} near {pair['near']} ({both})", markup=False, soft_wrap=True)
        if report["empty"]:
            console.print(f"empty: {', '.join(report['empty'])}")

    print_result(report.to_dict(), show, as_json=as_json)
    if not report.passed:
        raise typer.Exit(1)
