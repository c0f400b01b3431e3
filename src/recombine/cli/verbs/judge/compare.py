"""`recombine compare`: two systems on the same part of a split."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, SplitName, Target, World
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.judge.score import (
    AllowMissing,
    AnswerTable,
    Match,
    MatchOn,
    Metric,
    On,
    Ontology,
    Part,
    PredictionField,
    ProfileName,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from recombine.evaluation.compare import Comparison


def compare(
    data: Data,
    split: SplitName,
    first: Annotated[Path, typer.Argument(metavar="A", help="The predictions of one system, as `score` reads them.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Those of another.")],
    part: Part = "test",
    on: On = "target",
    answer_table: AnswerTable = None,
    match: Match = None,
    match_on: MatchOn = "id",
    prediction: PredictionField = "prediction",
    model_a: Annotated[str | None, typer.Option(help="The model to take from A, where it holds several.")] = None,
    model_b: Annotated[str | None, typer.Option(help="The model to take from B, where it holds several.")] = None,
    allow_missing: AllowMissing = False,
    metric: Metric = None,
    ontology: Ontology = None,
    profile: ProfileName = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare two systems: difference, interval, McNemar's test."""
    from recombine import workbench

    with terminal(quiet=quiet):
        done = workbench.compare(
            data,
            split,
            first,
            second,
            part=part,
            on=on,
            answer_table=answer_table,
            match=match,
            match_on=match_on,
            prediction=prediction,
            model_a=model_a,
            model_b=model_b,
            allow_missing=allow_missing,
            metric=metric or (),
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    compared = done.comparison
    names = tuple(
        f"{path.name}:{model}" if model else path.name for path, model in ((first, model_a), (second, model_b))
    )

    def show(console: Console) -> None:
        console.print(f"A {names[0]}", f"B {names[1]}", f"{part} of {split}: {compared.first.n:,} examples", sep="\n")
        console.print(comparison_table(compared))
        print_signature(console, str(compared.signature))

    print_result(done.to_dict(), show, as_json=as_json)


def comparison_table(compared: Comparison) -> Table:
    """A comparison as a table, one column for each metric."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    contrasts = compared.contrasts
    for metric in contrasts:
        table.add_column(metric.replace("_", " "), justify="right")
    rows = {
        "A": [f"{c.first:.3f}" for c in contrasts.values()],
        "B": [f"{c.second:.3f}" for c in contrasts.values()],
        "B less A": [f"{c.difference:+.3f}" for c in contrasts.values()],
        "95 % interval of the difference": [
            f"{c.interval[0]:+.3f} to {c.interval[1]:+.3f}" for c in contrasts.values()
        ],
        "p-value of McNemar's exact test": [f"{c.p_value:.3g}" for c in contrasts.values()],
        "right in both": [f"{c.both:,}" for c in contrasts.values()],
        "right in A only": [f"{c.only_first:,}" for c in contrasts.values()],
        "right in B only": [f"{c.only_second:,}" for c in contrasts.values()],
        "right in neither": [f"{c.neither:,}" for c in contrasts.values()],
    }
    for label, cells in rows.items():
        table.add_row(label, *cells)
    table.add_row("the same output", f"{compared.same_outputs:,}", *[""] * (len(contrasts) - 1))
    return table
