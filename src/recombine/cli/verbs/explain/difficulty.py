"""`recombine difficulty`: how easy each test example is for those who know train, and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import print_result, print_signature, working
from recombine.cli.shared.options import Json, Language, Quiet, Seed, Source, Target
from recombine.cli.shared.split_argument import split_argument
from recombine.cli.shared.split_names import split_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness
    from recombine.records.dataset import Dataset


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
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,
) -> None:
    """Predict which test examples are hard, and say why."""
    from recombine.files import check_writable

    definition = _definition(order, structures)
    options: dict[str, Any] = {"structures": definition, "similarity": similarity, "tokenisation": tokenisation}
    _check(data, splits, train, test, number, seed)
    if report is not None:
        check_writable(report)
    with working("loading", quiet=quiet):
        named = {"source": source, "target": target, "language": language}
        if data is not None and splits:
            predicted = _of_splits(_load(data, splits, **named), splits, against, options, quiet=quiet)
        else:
            shown, asked = (_load(str(path), [], **named) for path in (train, test))
            predicted = _of_files(shown, asked, str(train), str(test), options)
    correct = _correctness(predicted, predictions) if predictions else None
    value = _value(predicted, correct, gold, seed)
    if report is not None:
        with working("writing the report", quiet=quiet):
            value["report"] = _write_report(report, predicted, correct, gold, seed)

    def show(console: Console) -> None:
        if len(predicted.difficulties) == 1:
            _show(console, next(iter(predicted.difficulties.values())), value, number)
        else:
            _show_splits(console, predicted, value)
        if report is not None:
            console.print(f"written to {report} ({value['report']['bytes'] / 1e6:.1f} MB)", soft_wrap=True)
        for signature in dict.fromkeys(str(result.signature) for result in predicted.difficulties.values()):
            print_signature(console, signature)

    print_result(value, show, as_json=as_json)


@dataclass(frozen=True)
class _Predicted:
    """The data with the test examples, and the difficulty of each split under its name."""

    asked: Dataset
    difficulties: Mapping[str, Difficulty]


def _of_splits(
    dataset: Dataset, splits: Sequence[str], against: str, options: Mapping[str, Any], *, quiet: bool
) -> _Predicted:
    from recombine.easiness.split_difficulty import split_difficulty

    difficulties = {}
    for name, split in zip(split_names(splits), splits, strict=True):
        loaded = split_argument(dataset, split, quiet=quiet)
        difficulties[name] = split_difficulty(dataset, loaded, against=against, **options)
    return _Predicted(dataset, difficulties)


def _of_files(shown: Dataset, asked: Dataset, train: str, test: str, options: Mapping[str, Any]) -> _Predicted:
    from recombine.easiness.predict_difficulty import predict_difficulty

    result = predict_difficulty(
        list(shown), list(asked), language=asked.language, data=train, test_data=test, **options
    )
    return _Predicted(asked, {asked.name: result})


def _correctness(predicted: _Predicted, predictions: Sequence[str]) -> dict[str, Correctness]:
    """What files say of each split; one that names no split is for all of them."""
    from recombine.evaluation.difficulty.correctness import read_split_correctness

    files: dict[str, list[str]] = {name: [] for name in predicted.difficulties}
    for given in predictions:
        named = next((name for name in files if given.startswith(f"{name}=")), None)
        for name in files if named is None else [named]:
            files[name].append(given if named is None else given.removeprefix(f"{named}="))
    ids = {name: [example.id for example in result.test] for name, result in predicted.difficulties.items()}
    return read_split_correctness(files, ids, known=predicted.asked.index)


def _value(predicted: _Predicted, correct: Mapping[str, Correctness] | None, gold: str, seed: int) -> dict[str, Any]:
    """The result as JSON: of one split as it is, of several under their names."""
    from recombine.evaluation.difficulty.judge_difficulty import judge_difficulty, judge_splits

    rows = []
    for name, result in predicted.difficulties.items():
        row = {"split": name, **result.to_record(), "auc": None, "negatives": None}
        rows.append(row if correct is None else row | judge_difficulty(result, correct[name], gold=gold))
    if len(rows) == 1:
        return {key: value for key, value in rows[0].items() if key != "split"}
    judged = {"auc": None, "negatives": None}
    if correct is not None:
        judged = judge_splits(predicted.difficulties, correct, gold=gold, seed=seed).to_record()
    return {"splits": rows, **judged}


def _write_report(
    path: Path, predicted: _Predicted, correct: Mapping[str, Correctness] | None, gold: str, seed: int
) -> dict[str, Any]:
    from recombine.files import write_whole
    from recombine.pages.difficulty.build_difficulty_report import build_difficulty_report

    page = build_difficulty_report(predicted.asked, predicted.difficulties, correct, gold=gold, seed=seed)
    write_whole(path, page)
    return {"file": str(path), "bytes": len(page)}


def _load(name: str, splits: Sequence[str], **options: Any) -> Dataset:
    from recombine import workbench

    return workbench.load_for(name, splits, **options)


def _definition(order: int, structures: str | None) -> str:
    from recombine.errors import OptionError
    from recombine.structures.local_structures import LocalDefinition

    if order not in (2, 3, 4):
        raise OptionError(f"the order is {order}", "give 2, 3 or 4")
    return str(LocalDefinition.parse(structures or f"local:{order}"))


def _check(
    data: str | None, splits: list[str] | None, train: Path | None, test: Path | None, number: int, seed: int
) -> None:
    from recombine.errors import OptionError
    from recombine.seeds import check_seed

    check_seed(seed)
    given = (data is not None, bool(splits), train is not None, test is not None)
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
    _show_areas(console, value)
    rows = [row for row in result.easiness.scores.argsort(kind="stable") if result.reasons[row] is not None][:number]
    for row in rows:
        console.print(
            f"{result.easiness.scores[row]:.3f}  {result.test[row].id}  {result.test[row].target}", soft_wrap=True
        )
        console.print(f"       {result.reasons[row]}", soft_wrap=True)


def _show_splits(console: Console, predicted: _Predicted, value: dict[str, Any]) -> None:
    for name, result in predicted.difficulties.items():
        counts = result.counts
        console.print(
            f"{result.mean_easiness:.3f}  {name}: {counts['test']:,} examples, {counts['train']:,} to train, "
            f"{counts['unobserved_examples']:,} with structures that train does not show",
            soft_wrap=True,
        )
    _show_areas(console, value)
    if value["negatives"] is not None:
        console.print(
            f"within splits {_number(value['within'])}; the mean of each split alone {_number(value['constant'])}; "
            f"correlation of mean easiness and accuracy {_number(value['pearson'])}"
        )


def _show_areas(console: Console, value: dict[str, Any]) -> None:
    if value["negatives"] is None:
        return
    console.print(
        f"AUC {_number(value['auc'])} against {value['gold']}: {value['positives']:,} right, "
        f"{value['negatives']:,} wrong, {value['dropped']:,} dropped; models: {', '.join(value['models'])}"
    )
    if value["elsewhere"]:
        console.print(f"{value['elsewhere']:,} predictions are of other examples")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
