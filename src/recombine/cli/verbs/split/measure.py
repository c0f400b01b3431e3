"""`recombine measure`: everything measurable about a split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature, working
from recombine.cli.shared.options import Data, Definition, Json, Language, Quiet, Seed, Source, SplitName, Target
from recombine.cli.shared.render import measured_table, print_not_measured
from recombine.cli.shared.split_argument import data_and_split

if TYPE_CHECKING:
    from rich.console import Console


def measure(
    data: Data,
    split: SplitName,
    structures: Definition = None,
    against: Annotated[str, typer.Option(help="The part that train is measured against.")] = "test",
    atom_alpha: Annotated[float, typer.Option(help="The α of the atom divergence.")] = 0.5,
    compound_alpha: Annotated[
        float | None, typer.Option(help="The α of the compound divergence; default: as the definition says, or 0.1.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> None:
    """Measure everything about a split."""
    from recombine import workbench
    from recombine.structures.definition import Structures

    if structures is not None:
        Structures.parse(structures)
    with working(f"loading {data}", quiet=quiet):
        dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, quiet=quiet)
    with working("measuring", quiet=quiet):
        values = workbench.measure(
            dataset,
            loaded,
            structures=structures,
            atom_alpha=atom_alpha,
            compound_alpha=compound_alpha,
            against=against,
        )

    def show(console: Console) -> None:
        console.print(measured_table({split: values}))
        print_not_measured(console, values["not_measured"])
        print_signature(console, values["signature"])

    print_result(values, show, as_json=as_json)
