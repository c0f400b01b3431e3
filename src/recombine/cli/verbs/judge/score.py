"""`recombine score`: predictions against the gold programs of a part of a split."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Json, Language, Out, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.match.judge import Tally
    from recombine.evaluation.score import Score
    from recombine.workbench.score import ScoreResult

Part = Annotated[str, typer.Option(help="The part of the split that was predicted.")]
Match = Annotated[
    str | None,
    typer.Option(
        help="The form of exact match: normalised (the default where the language is known) or text; or another way to "
        "match, such as set_match or spider."
    ),
]
MatchOn = Annotated[str, typer.Option(help="The field that joins predictions to examples: id, source or target.")]
PredictionField = Annotated[str, typer.Option("--prediction", help="The field that holds the output.")]
AllowMissing = Annotated[
    bool, typer.Option("--allow-missing", help="Count examples without a prediction as abstained.")
]

On = Annotated[
    str, typer.Option(help="What outputs are: target (programs), or answer: words, compared with the field answer.")
]
AnswerTable = Annotated[
    Path | None, typer.Option(metavar="FILE", help="How answers in words are read: a table of your own, in TOML.")
]
Metric = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="NAME", help="Also score by this matcher, such as set_match; can be repeated."),
]
Ontology = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Logical forms are the same under this ontology; default: that of the data directory for Freebase, else "
        "none.",
    ),
]
ProfileName = Annotated[
    str | None,
    typer.Option(
        "--profile",
        help="What names of logical forms look like: freebase, wikidata, dbpedia, plain or the path of your own; "
        "default: that of --kb, else as the programs.",
    ),
]


def score(
    data: Annotated[
        str | None, typer.Argument(metavar="DATA", help="A data set of the catalogue, a file, or hub:OWNER/NAME.")
    ] = None,
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="A split id, a split file, or all: all is test.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Argument(metavar="PREDICTIONS", help='JSON lines {"id": …, "prediction": …}; .gz is read too.'),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='In place of DATA, SPLIT and PREDICTIONS: JSON lines {"gold": …, "prediction": …, "db_id": …}.',
        ),
    ] = None,
    schemas: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The databases that SQL is about, as in Spider's tables.json; for spider and set_match.",
        ),
    ] = None,
    part: Part = "test",
    on: On = "target",
    answer_table: AnswerTable = None,
    match: Match = None,
    match_on: MatchOn = "id",
    prediction: PredictionField = "prediction",
    fenced: Annotated[
        bool,
        typer.Option("--fenced", help="Take outputs of a chat model out of the one code fence that holds the program."),
    ] = False,
    written_in: Annotated[
        str | None,
        typer.Option(
            metavar="NOTATION",
            help="Outputs are logical forms in another notation than the targets: sexpression or sparql.",
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Whose predictions to take from a file of several models.")] = None,
    allow_missing: AllowMissing = False,
    metric: Metric = None,
    ontology: Ontology = None,
    profile: ProfileName = None,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Also compare what programs answer: GeoQuery's over its facts, logical forms over --kb (F1).",
        ),
    ] = False,
    gold_answers: Annotated[
        str, typer.Option(help="Right answers of logical forms: executed, or published, those that the data lists.")
    ] = "executed",
    errors: Annotated[
        bool,
        typer.Option("--errors", help="Also take the errors apart: lengths, what train lacks, wrong clauses."),
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Also take the score apart, by template, tag:NAME, property:PREDICATE, properties (all named), level, "
            "relations, function, answers, or several with commas between.",
        ),
    ] = None,
    shown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Levels against what each prompt showed: JSON lines {"id", "shown"}.'),
    ] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Levels as a field of the data says them, not against train.")
    ] = None,
    robustness: Annotated[
        bool,
        typer.Option("--robustness", help="Also bound the accuracy within groups of paraphrases and of templates."),
    ] = False,
    properties: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Properties of your own for --by, in TOML.")
    ] = None,
    at_least: Annotated[
        float | None, typer.Option(help="Exit code 1 where the exact match, or the accuracy of answers, is lower.")
    ] = None,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,
) -> None:
    """Score predictions, or --pairs; -o FILE writes them again with what is correct."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        done = workbench.score(
            data,
            split,
            predictions,
            pairs=pairs,
            schemas=schemas,
            part=part,
            on=on,
            answer_table=answer_table,
            match=match,
            match_on=match_on,
            prediction=prediction,
            fenced=fenced,
            written_in=written_in,
            model=model,
            allow_missing=allow_missing,
            metric=metric or (),
            ontology=ontology,
            profile=profile,
            answers=answers,
            gold_answers=gold_answers,
            errors=errors,
            by=by or (),
            shown=shown,
            levels=levels,
            robustness=robustness,
            properties=properties,
            at_least=at_least,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    if out is not None:
        done.write(out)

    from recombine.cli.shared.answer_table import answer_table as answer_table_of
    from recombine.cli.shared.pair_table import pair_table

    def show(console: Console) -> None:
        if done.of_pairs is not None and pairs is not None:
            console.print(pair_table(done.of_pairs.score, pairs.name))
        else:
            title = f"{part} of {split}"
            console.print(score_table(done.score, title) if done.words is None else answer_table_of(done.words, title))
            _show_forms(console, done)
        if done.errors is not None:
            _show_errors(console, done.errors)
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, done.signature)

    print_result({**done.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)
    if done.is_below:
        what = "exact match" if done.words is None and done.of_pairs is None else "accuracy"
        note(f"the {what} of {done.accuracy:.4f} is below {at_least}", quiet=quiet)
        raise typer.Exit(1)


def _show_forms(console: Console, done: ScoreResult) -> None:
    """Show what there is of logical forms, and what answers are like."""
    from recombine.cli.shared.score_groups import (
        bounds_table,
        group_tables,
        leniency_line,
        property_table,
        verdict_table,
    )

    if done.score.gold_unsupported:
        console.print(verdict_table(done.score))
    if done.score.leniencies is not None:
        console.print(leniency_line(done.score.leniencies), soft_wrap=True)
    if done.answers is not None:
        console.print(f"of the outputs, {done.answers}", soft_wrap=True)
    for table in group_tables(done.by):
        console.print(table)
    if done.properties is not None:
        console.print(property_table(done.properties))
    if done.robustness is not None:
        console.print(bounds_table(done.robustness))


def _show_errors(console: Console, apart: Breakdown) -> None:
    from recombine.cli.shared.score_errors import error_tables

    for table in error_tables(apart):
        console.print(table)


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
    if scored.unsupported:
        table.add_row("outputs of a kind that is not read", "", "", f"{scored.unsupported:,}")
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
