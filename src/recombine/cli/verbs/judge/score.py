"""`recombine score`: predictions against the gold programs of a part of a split."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature, working
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, SplitName, Target
from recombine.cli.shared.split_argument import data_and_split

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.match.judge import Tally
    from recombine.evaluation.score import Score
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

Part = Annotated[str, typer.Option(help="The part of the split that was predicted.")]
Match = Annotated[
    str | None,
    typer.Option(help="The form of exact match: normalised (the default where the language is known) or text."),
]
MatchOn = Annotated[str, typer.Option(help="The field that joins predictions to examples: id, source or target.")]
PredictionField = Annotated[str, typer.Option("--prediction", help="The field that holds the output.")]
AllowMissing = Annotated[
    bool, typer.Option("--allow-missing", help="Count examples without a prediction as abstained.")
]


def score(
    data: Data,
    split: SplitName,
    predictions: Annotated[
        Path, typer.Argument(metavar="PREDICTIONS", help='JSON lines {"id": …, "prediction": …}; .gz is read too.')
    ],
    part: Part = "test",
    match: Match = None,
    match_on: MatchOn = "id",
    prediction: PredictionField = "prediction",
    model: Annotated[str | None, typer.Option(help="Whose predictions to take from a file of several models.")] = None,
    allow_missing: AllowMissing = False,
    answers: Annotated[
        bool, typer.Option("--answers", help="GeoQuery: also compare what programs answer over its facts.")
    ] = False,
    errors: Annotated[
        bool,
        typer.Option("--errors", help="Also take the errors apart: lengths, what train lacks, wrong clauses."),
    ] = False,
    at_least: Annotated[float | None, typer.Option(help="Exit code 1 where the exact match is lower.")] = None,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> None:
    """Score predictions; -o FILE writes them again with what is correct."""
    from recombine.errors import OptionError
    from recombine.evaluation.match.matchers import further_matchers
    from recombine.evaluation.predictions import read_predictions
    from recombine.evaluation.score import score as score_predictions
    from recombine.files import check_writable, write_whole

    if at_least is not None and not 0 <= at_least <= 1:
        raise OptionError(f"the exact match cannot be {at_least}", "give a share between 0 and 1")
    if out is not None:
        check_writable(out)
    read = read_predictions(predictions, match_on=match_on, prediction=prediction, model=model)
    with working(f"loading {data}", quiet=quiet):
        dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, quiet=quiet)
    with working("scoring", quiet=quiet):
        further = further_matchers(dataset.language)
        if answers:
            from recombine.evaluation.answers.geoquery_answers import geoquery_answers

            world = geoquery_answers(dataset)
            further["denotation"] = world.matcher()
        scored = score_predictions(
            dataset, loaded, read, part=part, match=match, matchers=further, allow_missing=allow_missing
        )
        apart = _taken_apart(dataset, loaded, scored) if errors else None
        answered = world.accuracy(dataset, scored.assigned.outputs) if answers else None
    if out is not None:
        write_whole(out, scored.to_lines())
    print_notes(scored, predictions.name, quiet=quiet)
    signature = str(scored.signature if apart is None else apart.signature)

    def show(console: Console) -> None:
        console.print(score_table(scored, f"{part} of {split}"))
        if answered is not None:
            console.print(f"of the outputs, {answered}", soft_wrap=True)
        if apart is not None:
            _show_errors(console, apart)
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, signature)

    value = {**scored.to_record(), "signature": signature, "file": None if out is None else str(out)}
    if answers:
        value["answers"] = None if answered is None else answered.to_record()
    if apart is not None:
        value["errors"] = apart.to_record()
    print_result(value, show, as_json=as_json)
    if at_least is not None and scored.exact_match < at_least:
        note(f"the exact match of {scored.exact_match:.4f} is below {at_least}", quiet=quiet)
        raise typer.Exit(1)


def _taken_apart(dataset: Dataset, split: Split, scored: Score) -> Breakdown:
    from recombine.evaluation.errors.breakdown import breakdown

    return breakdown(dataset, split, scored)


def _show_errors(console: Console, apart: Breakdown) -> None:
    from recombine.cli.shared.score_errors import error_tables

    for table in error_tables(apart):
        console.print(table)


def print_notes(scored: Score, name: str, *, quiet: bool) -> None:
    """What was left aside or shared out in joining predictions to examples."""
    if scored.assigned.elsewhere:
        note(
            f"{name}: {scored.assigned.elsewhere:,} predictions are for examples outside of {scored.part}", quiet=quiet
        )
    if scored.assigned.shared:
        note(f"{name}: {scored.assigned.shared:,} examples share the prediction of another like them", quiet=quiet)


def score_table(scored: Score, title: str) -> Table:
    """A score as a table: shares, with their intervals and counts."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    tallies = scored.tallies
    exact = tallies["exact_match"]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    for name in ("value", "95 % interval", "count"):
        table.add_column(name, justify="right")
    for metric, tally in tallies.items():
        table.add_row(_label(metric, scored), *_share(tally))
    outputs = f"{exact.outputs:,}"
    table.add_row("coverage: has an output", f"{exact.coverage:.3f}", "", f"{outputs} of {exact.n:,}")
    precision = "–" if exact.precision is None else f"{exact.precision:.3f}"
    table.add_row("precision: exact match among outputs", precision, "", f"{exact.right:,} of {outputs}")
    malformed = "language unknown" if scored.malformed is None else f"{scored.malformed:,}"
    table.add_row("malformed outputs", "", "", malformed)
    table.add_row("abstentions / of them missing", "", "", f"{exact.abstained:,} / {scored.assigned.missing:,}")
    if scored.stated_correct is not None:
        table.add_row("correct, says the file", f"{scored.stated_correct:.3f}", "", f"{scored.disputed:,} disputed")
    return table


def _label(metric: str, scored: Score) -> str:
    name = metric.replace("_", " ")
    return f"{name} ({scored.signature.get('match')})" if metric == "exact_match" else name


def _share(tally: Tally) -> tuple[str, str, str]:
    low, high = tally.interval
    return f"{tally.accuracy:.3f}", f"{low:.3f} to {high:.3f}", f"{tally.right:,} of {tally.n:,}"
