"""`recombine difficulty`: how easy each test example is for those who know train, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.console import print_result, print_signature, working
from recombine.cli.load_split import load_split
from recombine.cli.options import Json, Language, Quiet, Seed, Source, Target

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.difficulty.predict_difficulty import Difficulty
    from recombine.records.dataset import Dataset


def difficulty(
    data: Annotated[
        str | None, typer.Argument(metavar="DATA", help="A data set of the catalogue, or a file of programs.")
    ] = None,
    split: Annotated[str | None, typer.Argument(metavar="SPLIT", help="A split id or file; see `measure`.")] = None,
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
        list[Path] | None, typer.Option(help='JSON lines with "id", "correct" and perhaps "model"; may be repeated.')
    ] = None,
    gold: Annotated[
        str, typer.Option(help="What counts as right: majority, 'all agree', 'each model' or a model's name.")
    ] = "majority",
    against: Annotated[str, typer.Option(help="The part whose difficulty is asked for.")] = "test",
    number: Annotated[int, typer.Option("-n", help="How many of the least easy examples to show.")] = 5,
    source: Source = "source",
    target: Target = "target",
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> None:
    """Predict which test examples are hard, and say why."""
    from recombine.difficulty.predict_difficulty import predict_difficulty
    from recombine.difficulty.split_difficulty import split_difficulty
    from recombine.evaluation.correctness import read_correctness
    from recombine.evaluation.judge_difficulty import judge_difficulty

    definition = _definition(order, structures)
    options: dict[str, Any] = {"structures": definition, "similarity": similarity, "tokenisation": tokenisation}
    _check(data, split, train, test, number)
    with working("loading", quiet=quiet):
        named = {"source": source, "target": target, "language": language}
        if data is not None and split is not None:
            asked = _load(data, **named)
            found = load_split(asked, split, quiet=quiet)
            result = split_difficulty(asked, found, against=against, **options)
        else:
            shown, asked = _load(str(train), **named), _load(str(test), **named)
            files: dict[str, Any] = {"data": str(train), "test_data": str(test)}
            result = predict_difficulty(shown.examples, asked.examples, language=asked.language, **files, **options)
    value = {**result.to_record(), "auc": None, "negatives": None}
    if predictions:
        ids = [example.id for example in result.test]
        correct = read_correctness(predictions, ids, known=asked.index)
        value |= judge_difficulty(result, correct, gold=gold)

    def show(console: Console) -> None:
        _show(console, result, value, number)

    print_result(value, show, as_json=as_json)


def _load(name: str, **options: Any) -> Dataset:
    from recombine import workbench

    return workbench.load(name, **options)


def _definition(order: int, structures: str | None) -> str:
    from recombine.errors import OptionError
    from recombine.structures.local_structures import LocalDefinition

    if order not in (2, 3, 4):
        raise OptionError(f"the order is {order}", "give 2, 3 or 4")
    return str(LocalDefinition.parse(structures or f"local:{order}"))


def _check(data: str | None, split: str | None, train: Path | None, test: Path | None, number: int) -> None:
    from recombine.errors import OptionError

    given = (data is not None, split is not None, train is not None, test is not None)
    if given not in ((True, True, False, False), (False, False, True, True)):
        raise OptionError("it is not clear what to train and test on", "give DATA SPLIT, or --train FILE --test FILE")
    if number < 0:
        raise OptionError(f"cannot show {number} examples", "give a count of 0 or more")


def _show(console: Console, result: Difficulty, value: dict[str, Any], number: int) -> None:
    counts = result.counts
    console.print(
        f"mean easiness {result.mean_easiness:.3f} of {counts['test']:,} examples, {counts['train']:,} to train"
    )
    console.print(f"{counts['unobserved_examples']:,} hold structures that train does not show")
    for key, words in (("unseen_symbol_examples", "symbols unseen in train"), ("without_structures", "no structures")):
        if counts[key]:
            console.print(f"{counts[key]:,} have {words}")
    if value["negatives"] is not None:
        area = "–" if value["auc"] is None else f"{value['auc']:.3f}"
        console.print(
            f"AUC {area} against {value['gold']}: {value['positives']:,} right, {value['negatives']:,} wrong, "
            f"{value['dropped']:,} dropped; models: {', '.join(value['models'])}"
        )
        if value["elsewhere"]:
            console.print(f"{value['elsewhere']:,} predictions are of other examples")
    rows = [row for row in result.easiness.scores.argsort(kind="stable") if result.reasons[row] is not None][:number]
    for row in rows:
        console.print(
            f"{result.easiness.scores[row]:.3f}  {result.test[row].id}  {result.test[row].target}", soft_wrap=True
        )
        console.print(f"       {result.reasons[row]}", soft_wrap=True)
    print_signature(console, str(result.signature))
