"""`recombine report`: one page on what splits hold out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import (
    Definition,
    Json,
    Language,
    Literals,
    Names,
    NearDuplicates,
    Quiet,
    Seed,
    Source,
    Target,
    World,
)
from recombine.cli.shared.render import print_sentences
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console


def report(
    splits: Annotated[
        list[str],
        typer.Argument(metavar="SPLIT…", help="Split ids such as scan/mcd1, or split files, all of one data set."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATA", help="The data, where the split does not name it.")
    ] = None,
    structures: Definition = None,
    literals: Literals = None,
    names: Names = None,
    against: Annotated[str, typer.Option(help="The part that train is compared with.")] = "test",
    examples: Annotated[int, typer.Option(help="How many examples of each part the page keeps for browsing.")] = 200,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="DIR", help="A directory for figures (SVG) and tables (CSV).")
    ] = None,
    parser: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A page on this NQG parser instead: rules and derivations.")
    ] = None,
    subqueries: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Count these subqueries (TOML), or `cfq`: the CFQ paper's Tables 8 and 9."),
    ] = None,
    near_duplicates: NearDuplicates = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what splits hold out, as one HTML page; or a parser."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.results.report_result import ReportResult

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.report(
            splits,
            data=data,
            structures=structures,
            literals=literals,
            names=names,
            against=against,
            examples=examples,
            figures=figures,
            parser=parser,
            subqueries=subqueries,
            near_duplicates=near_duplicates,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    result.write(out)
    value = result.to_dict()

    def show(console: Console) -> None:
        kept = f", {len(value['figures'])} files in {figures}" if value.get("figures") else ""
        console.print(f"written to {out} ({len(result.page) / 1e6:.1f} MB){kept}", soft_wrap=True)
        if isinstance(result, ReportResult):
            print_sentences(console, result.not_measured)
        for row in value.get("splits", [value]):
            print_signature(console, row["signature"])

    print_result({"file": str(out), **value}, show, as_json=as_json)
