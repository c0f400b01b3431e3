"""`recombine difficulty`: how easy each test example is for those who know train, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import print_result, print_signature
from recombine.cli.shared.options import Cluster, Json, Language, Quiet, Seed, Source, Target, World
from recombine.cli.shared.render import EXPECTED_ROW, print_sentences
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from recombine.workbench.results.difficulty_result import DifficultyResult


def difficulty(
    data: Annotated[
        str | None, typer.Argument(metavar="DATA", help="A data set of the catalogue, or a file of programs.")
    ] = None,
    splits: Annotated[
        list[str] | None, typer.Argument(metavar="SPLIT…", help="One or more split ids or files; see `measure`.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="In place of DATA and SPLIT: the file to train on.")] = None,
    test: Annotated[Path | None, typer.Option(help="In place of DATA and SPLIT: the file to test on.")] = None,
    order: Annotated[int, typer.Option(help="The size of local structures: 2, 3 or 4.")] = 2,
    structures: Annotated[
        str | None, typer.Option(metavar="DEF", help="Other structures, such as local:2,no-siblings or ngram:2.")
    ] = None,
    similarity: Annotated[str, typer.Option(help="Of symbols: contexts, relations or none.")] = "contexts",
    tokenisation: Annotated[
        str, typer.Option(help="How labels become symbols: tree or published (words of a label apart).")
    ] = "tree",
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SPLIT=]FILE", help='JSON lines with "id", "correct" and perhaps "model"; may be repeated.'
        ),
    ] = None,
    gold: Annotated[
        str, typer.Option(help="What counts as right: majority, 'all agree', 'each model' or a model's name.")
    ] = "majority",
    against: Annotated[str, typer.Option(help="The part whose difficulty is asked for.")] = "test",
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An HTML page to write: pictures, reasons and examples.")
    ] = None,
    number: Annotated[int, typer.Option("-n", help="How many of the least easy examples to show.")] = 5,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    cluster: Cluster = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,
) -> None:
    """Predict which test examples are hard, and say why."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.difficulty(
            data,
            splits,
            train=train,
            test=test,
            order=order,
            structures=structures,
            similarity=similarity,
            tokenisation=tokenisation,
            predictions=predictions or None,
            gold=gold,
            against=against,
            report=report,
            n=number,
            source=source,
            target=target,
            language=language,
            world=world,
            cluster=cluster,
            seed=seed,
        )
    # On a cluster the test examples may be millions, which only the JSON lists.
    value: dict[str, Any] = result.to_dict() if as_json or cluster is None else _of_a_cluster()

    def show(console: Console) -> None:
        if len(result.difficulties) == 1:
            _show(console, result, value)
        else:
            _show_splits(console, result, value)
        if report is not None:
            console.print(f"written to {report} ({value['report']['bytes'] / 1e6:.1f} MB)", soft_wrap=True)
        for signature in dict.fromkeys(str(one.signature) for one in result.difficulties.values()):
            print_signature(console, signature)

    print_result(value, show, as_json=as_json)


def _of_a_cluster() -> dict[str, Any]:
    from recombine.measures.expected.expected_accuracy import NOT_ON_A_CLUSTER

    return {"negatives": None, "not_measured": [NOT_ON_A_CLUSTER]}


def _show(console: Console, result: DifficultyResult, value: Mapping[str, Any]) -> None:
    (predicted,) = result.difficulties.values()
    counts = predicted.counts
    console.print(
        f"mean easiness {predicted.mean_easiness:.3f} of {counts['test']:,} examples, {counts['train']:,} to train"
    )
    console.print(f"{counts['unobserved_examples']:,} hold structures that train does not show")
    for key, words in (("unseen_symbol_examples", "symbols unseen in train"), ("without_structures", "no structures")):
        if counts[key]:
            console.print(f"{counts[key]:,} have {words}")
    _show_expected(console, value)
    _show_areas(console, value)
    for easiness, example, reason in result.hardest():
        console.print(f"{easiness:.3f}  {example.id}  {example.target}", soft_wrap=True)
        console.print(f"       {reason}", soft_wrap=True)


def _show_splits(console: Console, result: DifficultyResult, value: Mapping[str, Any]) -> None:
    for name, predicted in result.difficulties.items():
        counts = predicted.counts
        console.print(
            f"{predicted.mean_easiness:.3f}  {name}: {counts['test']:,} examples, {counts['train']:,} to train, "
            f"{counts['unobserved_examples']:,} with structures that train does not show",
            soft_wrap=True,
        )
    for row in value["splits"]:
        _show_expected(console, row, f"{row['split']}: ")
    _show_areas(console, value)
    if value["negatives"] is not None:
        console.print(
            f"within splits {_number(value['within'])}; the mean of each split alone {_number(value['constant'])}; "
            f"correlation of mean easiness and accuracy {_number(value['pearson'])}"
        )


def _show_expected(console: Console, value: Mapping[str, Any], of: str = "") -> None:
    """The accuracy to expect, or why there is none."""
    from recombine.measures.expected.expected_accuracy import expected_text

    if "expected_accuracy" in value:
        console.print(f"{of}{EXPECTED_ROW}: {expected_text(value['expected_accuracy'])}", soft_wrap=True)
    print_sentences(console, [f"{of}{sentence}" for sentence in value.get("not_measured", ())])


def _show_areas(console: Console, value: Mapping[str, Any]) -> None:
    if value["negatives"] is None:
        return
    console.print(
        f"AUC {_number(value['auc'])} against {value['gold']}: {value['positives']:,} right, "
        f"{value['negatives']:,} wrong, {value['dropped']:,} dropped; models: {', '.join(value['models'])}"
    )
    for name, best in value["thresholds"].items():
        if best is not None:
            of = f" of {name}" if len(value["thresholds"]) > 1 else ""
            console.print(
                f"best threshold of easiness{of} τ = {best['easiness']:.3f}: F1 {best['f1']:.3f} of right answers, "
                f"precision {best['precision']:.3f}, recall {best['recall']:.3f}"
            )
    if value["elsewhere"]:
        console.print(f"{value['elsewhere']:,} predictions are of other examples")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
