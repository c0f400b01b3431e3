"""How easy each test example is for those who know train, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.progress import working
from recombine.records.chosen_examples import texts_of
from recombine.records.split import Split
from recombine.seeds import check_seed
from recombine.workbench.given.correctness import files_by_split
from recombine.workbench.given.data_and_split import find_split
from recombine.workbench.given.named_splits import named_splits
from recombine.workbench.load import load_for
from recombine.workbench.results.difficulty_result import DifficultyResult
from recombine.workbench.results.plain import plain
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness
    from recombine.records.dataset import Dataset
    from recombine.workbench.given.correctness import GivenCorrectness
    from recombine.workbench.given.named_splits import Splits
    from recombine.workbench.load import Data


@verb
def difficulty(
    data: Data | None = None,
    splits: Splits | None = None,
    *,
    train: Data | None = None,
    test: Data | None = None,
    order: int = 2,
    structures: str | None = None,
    similarity: str = "contexts",
    tokenisation: str = "tree",
    predictions: GivenCorrectness | None = None,
    gold: str = "majority",
    against: str = "test",
    report: str | Path | None = None,
    n: int = 5,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    cluster: str | None = None,
    seed: int = 0,
) -> DifficultyResult:
    """How easy each test example is, and why: of a split, of several splits of one data set, or of two sets of data.

    `predictions` say what models got right: files, records with `id`, `correct` and perhaps `model`, or a mapping from
    ids to true and false; for several splits a mapping from their names to these. `report` is a page to write, and `n`
    is how many of the least easy examples the result shows. With `cluster`, the address of a dask scheduler or `local`,
    data is a folder of Parquet parts, and rated there.

    >>> texts = ["count ( dog )", "count ( cat )", "exists ( dog )"]
    >>> shown, asked = ([(text, text) for text in part] for part in (texts, ["exists ( cat )"]))
    >>> print(difficulty(train=shown, test=asked, language="functional"))
    mean easiness 0.750 of 1 example
    """
    options: dict[str, Any] = {
        "structures": _definition(order, structures),
        "similarity": similarity,
        "tokenisation": tokenisation,
    }
    _check(data, splits, train, test, n, seed)
    if cluster is not None:
        given = {"train": train, "test": test, "predictions": predictions, "report": report}
        _only_a_split(given)
        fields = {"source": source, "target": target, "language": language}
        return _on_cluster(cluster, data, splits, against, n, fields, world, options)
    if report is not None:
        from recombine.files import check_writable

        check_writable(report)
    named = {"source": source, "target": target, "language": language, "world": world}
    expected: dict[str, dict[str, Any]] = {}
    with working("loading"):
        if data is not None and splits is not None:
            dataset, difficulties, expected = _of_splits(data, splits, against, named, options)
        elif train is not None and test is not None:
            dataset, difficulties = _of_data(train, test, named, options)
    correct = _correctness(dataset, difficulties, predictions)
    value = _value(difficulties, expected, correct, gold, seed)
    if report is not None:
        with working("writing the report"):
            value["report"] = _write_report(Path(report), dataset, difficulties, correct, gold, seed)
    return DifficultyResult(dataset, difficulties, correct, n, plain(value))


def _only_a_split(given: Mapping[str, Any]) -> None:
    extra = next((name for name, value in given.items() if value is not None), None)
    if extra is not None:
        raise OptionError(f"--{extra} is not for a cluster", "leave out one of them")


def _on_cluster(
    cluster: str,
    data: Data | None,
    splits: Splits | None,
    against: str,
    n: int,
    fields: dict[str, str | None],
    world: str | Path | None,
    options: dict[str, Any],
) -> DifficultyResult:
    """The difficulty of a split of a folder of parts."""
    from recombine.cluster.difficulty_parts import difficulty_parts
    from recombine.workbench.given.cluster_data import ClusterSplit, cluster_data
    from recombine.workbench.on_cluster.difficulty_result import ClusterDifficultyResult

    by_name = named_splits(splits or ())
    if len(by_name) != 1 or data is None:
        raise OptionError("a cluster rates one split at a time", "name one")
    ((name, split),) = by_name.items()
    given = ClusterSplit(split)
    with cluster_data(cluster, data, world=world, **given.joined(**fields)) as (session, folder):
        result = difficulty_parts(
            session,
            folder,
            given.sides(session, folder, against),
            sizes=given.sizes,
            made=given.signature,
            against=against,
            **options,
        )
    return ClusterDifficultyResult(name, result, n)


def _definition(order: int, structures: str | None) -> str:
    from recombine.structures.definition import local_definition

    if order not in (2, 3, 4):
        raise OptionError(f"the order is {order}", "give 2, 3 or 4")
    return str(local_definition(structures or f"local:{order}"))


def _check(data: Data | None, splits: Splits | None, train: Data | None, test: Data | None, n: int, seed: int) -> None:
    check_seed(seed)
    some = splits is not None and (isinstance(splits, str | Path | Split) or len(splits) > 0)
    given = (data is not None, some, train is not None, test is not None)
    if given not in ((True, True, False, False), (False, False, True, True)):
        raise OptionError("it is not clear what to train and test on", "give DATA SPLIT, or --train FILE --test FILE")
    if n < 0:
        raise OptionError(f"cannot show {n} examples", "give a count of 0 or more")


def _of_splits(
    data: Data, splits: Splits, against: str, named: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Dataset, dict[str, Difficulty], dict[str, dict[str, Any]]]:
    """The difficulty of each split, and the accuracy to expect on it."""
    from recombine.easiness.split_difficulty import split_difficulty

    by_name = named_splits(splits)
    dataset = load_for(data, list(by_name.values()), **named)
    found = {name: find_split(dataset, split) for name, split in by_name.items()}
    difficulties = {name: split_difficulty(dataset, split, against=against, **options) for name, split in found.items()}
    return dataset, difficulties, {name: _expected(dataset, split, against) for name, split in found.items()}


def _expected(dataset: Dataset, split: Split, against: str) -> dict[str, Any]:
    """The accuracy to expect of a small model, under the keys that `measure` has; or why there is none."""
    from recombine.measures.expected.expected_accuracy import KEY, expected_accuracy
    from recombine.workbench.features import find_features

    try:
        features = find_features(dataset, None)
    except RecombineError as error:
        return {"not_measured": [f"the expected accuracy was not measured: {error}"]}
    train, test = (split.positions(dataset, part) for part in ("train", against))
    value, why = expected_accuracy(dataset, features, train, test)
    return {"not_measured": [why]} if value is None else {KEY: value, "not_measured": []}


def _of_data(
    train: Data, test: Data, named: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Dataset, dict[str, Difficulty]]:
    from recombine.easiness.predict_difficulty import predict_difficulty

    shown, asked = (load_for(data, [], **named) for data in (train, test))
    result = predict_difficulty(
        shown.part(range(len(shown))),
        asked.part(range(len(asked))),
        language=asked.language,
        data=_name(train, shown),
        test_data=_name(test, asked),
        **options,
    )
    return asked, {asked.name: result}


def _name(given: Data, dataset: Dataset) -> str:
    """What errors and signatures call data: a file as it was typed, other data by name and content."""
    return str(given) if isinstance(given, str | Path) else str(dataset)


def _correctness(
    dataset: Dataset, difficulties: Mapping[str, Difficulty], predictions: GivenCorrectness | None
) -> dict[str, Correctness] | None:
    """What models got right on each split, where it is given."""
    from recombine.evaluation.difficulty.correctness import read_split_correctness

    if predictions is None:
        return None
    ids = {name: texts_of(result.test, "id") for name, result in difficulties.items()}
    return read_split_correctness(files_by_split(predictions, list(difficulties)), ids, known=dataset.index)


def _value(
    difficulties: Mapping[str, Difficulty],
    expected: Mapping[str, Mapping[str, Any]],
    correct: Mapping[str, Correctness] | None,
    gold: str,
    seed: int,
) -> dict[str, Any]:
    """The result as JSON: of one split as it is, of several under their names."""
    from recombine.evaluation.difficulty.judge_difficulty import judge_difficulty, judge_splits

    rows = []
    for name, result in difficulties.items():
        record = {**result.to_record(), **expected.get(name, {})}
        row = {"split": name, **record, "auc": None, "negatives": None, "threshold": None}
        rows.append(row if correct is None else row | judge_difficulty(result, correct[name], gold=gold))
    if len(rows) == 1:
        return {key: value for key, value in rows[0].items() if key != "split"}
    judged: dict[str, Any] = {"auc": None, "negatives": None, "threshold": None}
    if correct is not None:
        judged = judge_splits(difficulties, correct, gold=gold, seed=seed).to_record()
    return {"splits": rows, **judged}


def _write_report(
    path: Path,
    dataset: Dataset,
    difficulties: Mapping[str, Difficulty],
    correct: Mapping[str, Correctness] | None,
    gold: str,
    seed: int,
) -> dict[str, Any]:
    from recombine.files import write_whole
    from recombine.pages.difficulty.build_difficulty_report import build_difficulty_report

    page = build_difficulty_report(dataset, difficulties, correct, gold=gold, seed=seed)
    write_whole(path, page)
    return {"file": str(path), "bytes": len(page)}
