"""`recombine predict`: what a trained parser gives for a part of a split, alone or with a fallback."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, SplitName, Target, World
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.judge.score import AllowMissing, Match, MatchOn, PredictionField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from recombine.evaluation.answer_score import AnswerScore
    from recombine.evaluation.score import Score
    from recombine.workbench.predict import Predicted


def predict(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A parser that `recombine train` made.")],
    data: Data,
    split: SplitName,
    part: Annotated[str, typer.Option(help="The part of the split to predict.")] = "test",
    strict: Annotated[
        bool, typer.Option("--strict", help="nqg: abstain where the best derivation's target is not valid.")
    ] = False,
    fallback: Annotated[
        Path | None, typer.Option(metavar="FILE|FOLDER", help="Where the parser abstains: predictions or a parser.")
    ] = None,
    match: Match = None,
    match_on: MatchOn = "id",
    prediction: PredictionField = "prediction",
    model: Annotated[str | None, typer.Option(help="Whose predictions to take from a fallback of several.")] = None,
    allow_missing: AllowMissing = False,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting that may change after training, such as inference of kbqa."
        ),
    ] = None,
    device: Annotated[str, typer.Option(help="Where torch computes, for models that need it: cpu or cuda.")] = "",
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Predict a part of a split, and score what comes out."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        predicted = workbench.predict(
            folder,
            data,
            split,
            part=part,
            strict=strict,
            fallback=fallback,
            match=match,
            match_on=match_on,
            prediction=prediction,
            model=model,
            allow_missing=allow_missing,
            set=set_,
            device=device,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    if out is not None:
        predicted.write(out)
    value = predicted.to_dict()

    def show(console: Console) -> None:
        _show(console, predicted, value, f"{part} of {split}")

    print_result(value, show, as_json=as_json)
    if out is None:
        note("nothing was written; give -o FILE to keep the predictions", quiet=quiet)


def _show(console: Console, predicted: Predicted, value: dict[str, Any], title: str) -> None:
    scores = predicted.scores
    speed = f"{len(predicted.own):,} examples in {value['seconds']:.1f} s"
    if value["fallback_seconds"] is not None:
        speed += f" (parser {value['parser_seconds']:.1f} s, fallback {value['fallback_seconds']:.1f} s)"
    if not scores:
        console.print(f"{title}: {predicted.covered:,} of {speed} have an output")
    else:
        console.print(_table(scores, predicted.words, title))
    if predicted.counted:
        console.print(", ".join(f"{number:,} {what}" for what, number in predicted.counted.items()), soft_wrap=True)
    if value["contrast"] is not None:
        _show_contrast(console, value["contrast"], list(scores.values())[:2])
    console.print(speed + (f", written to {value['file']}" if value["file"] else ""), soft_wrap=True)
    if "signature" in value:
        print_signature(console, value["signature"])


def _table(scores: Mapping[str, Score], words: Mapping[str, AnswerScore], title: str) -> Table:
    """Coverage, precision and accuracy, as in Table 5 of the NQG-T5 paper; of guesses, what is expected of them."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    guessed = [name for name, each in words.items() if each.expected is not None]
    expected = ["expected"] if guessed else []
    for name in ("coverage", "precision", "accuracy", "95 % interval", "right", *expected):
        table.add_column(name, justify="right")
    for name, score in scores.items():
        tally = score.tally
        precision = "–" if tally.precision is None else f"{tally.precision:.3f}"
        low, high = tally.interval
        shares = (f"{tally.coverage:.3f}", precision, f"{tally.accuracy:.3f}", f"{low:.3f} to {high:.3f}")
        found = words[name].expected if name in guessed else None
        table.add_row(name, *shares, f"{tally.right:,}", *([f"{found.accuracy:.3f}"] if found is not None else []))
    return table


def _show_contrast(console: Console, contrast: dict[str, Any], both: Sequence[Score]) -> None:
    from recombine.evaluation.match.judge import Verdict

    own, other = (score.verdicts[score.main] for score in both)
    rows = [(one, two) for one, two in zip(own, other, strict=True) if one is not Verdict.ABSTAINED]
    if rows:
        rights = [sum(row[place] is Verdict.RIGHT for row in rows) / len(rows) for place in (0, 1)]
        console.print(
            f"where the parser has an output, it is right in {rights[0]:.3f}, the fallback in {rights[1]:.3f}"
        )
    low, high = contrast["interval"]
    console.print(
        f"hybrid less fallback {contrast['difference']:+.3f} ({low:+.3f} to {high:+.3f}): {contrast['only_second']:,} "
        f"gained, {contrast['only_first']:,} lost; McNemar's exact test p = {contrast['p_value']:.3g}",
        soft_wrap=True,
    )
