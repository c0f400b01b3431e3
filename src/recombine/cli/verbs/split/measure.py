"""`recombine measure`: everything measurable about a split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import (
    Cluster,
    Data,
    Definition,
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
from recombine.cli.shared.render import measured_table, print_sentences, said
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console


def measure(
    data: Data,
    split: SplitName,
    structures: Definition = None,
    literals: Literals = None,
    names: Names = None,
    against: Annotated[str, typer.Option(help="The part that train is measured against.")] = "test",
    atom_alpha: Annotated[float, typer.Option(help="The α of the atom divergence.")] = 0.5,
    compound_alpha: Annotated[
        float | None, typer.Option(help="The α of the compound divergence; default: as the definition says, or 0.1.")
    ] = None,
    near_duplicates: NearDuplicates = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    cluster: Cluster = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,
) -> None:
    """Measure everything about a split."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.measure(
            data,
            split,
            structures=structures,
            literals=literals,
            names=names,
            against=against,
            atom_alpha=atom_alpha,
            compound_alpha=compound_alpha,
            near_duplicates=near_duplicates,
            source=source,
            target=target,
            language=language,
            world=world,
            cluster=cluster,
            seed=seed,
        )

    def show(console: Console) -> None:
        console.print(measured_table({split: result}))
        print_sentences(console, said(result.measured))
        print_signature(console, result["signature"])

    print_result(result.to_dict(), show, as_json=as_json)
