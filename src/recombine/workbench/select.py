"""Examples to train on, or to show in a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.progress import working
from recombine.workbench.given.data_and_split import find_split, loading
from recombine.workbench.load import load_for
from recombine.workbench.predict import outputs_of
from recombine.workbench.results.select_result import SelectPromptsResult, SelectResult
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.records.dataset import Dataset
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data

_OPTIONS = {
    "structures": (None, ("local-structure", "coverage")),
    "similarity": ("contexts", ("local-structure",)),
    "tokenisation": ("tree", ("local-structure", "coverage")),
}
"""Options that not every method has: their defaults, and the methods that have them."""
Programs = str | Path | Mapping[str, str] | Iterable[Mapping[str, Any]]
"""Programs to cover: a file of predictions, programs by id, or records with `id` and `prediction`."""


@verb
def select(
    data: Data,
    *,
    k: int,
    by: str = "local-structure",
    split: SplitLike | None = None,
    part: str = "train",
    program: str | None = None,
    predictions: Programs | None = None,
    structures: str | None = None,
    similarity: str = "contexts",
    tokenisation: str = "tree",
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> SelectResult | SelectPromptsResult:
    """`k` examples of data, or of a part of a split; with programs to cover, `k` for each.

    `by` is local-structure, coverage, random or template; coverage wants `program`, or `predictions`: a file, programs
    by id, or records with `id` and `prediction`.

    >>> texts = ["count ( dog )", "count ( cat )", "exists ( dog )", "exists ( cat )"]
    >>> select([(text, text) for text in texts], k=1, by="coverage", program="exists ( cat )", language="functional")
    <SelectResult: 1 example of records by coverage>
    """
    from recombine.selection.select_examples import part_of, select_examples, select_prompts

    _check(by, program, predictions)
    _check_options(by, structures=structures, similarity=similarity, tokenisation=tokenisation)
    with working(loading(data)):
        dataset = load_for(
            data, [] if split is None else [split], source=source, target=target, language=language, world=world
        )
        pool = dataset if split is None else part_of(dataset, find_split(dataset, split).part(part))
    options: dict[str, Any] = {"structures": structures, "tokenisation": tokenisation, "seed": seed}
    with working("selecting"):
        if program is not None:
            return _for_program(pool, program, k, options)
        if predictions is not None:
            return SelectPromptsResult(
                pool, select_prompts(pool, programs_by_id(outputs_of(predictions), dataset), k, **options)
            )
        return SelectResult(pool, select_examples(pool, k, by=by, similarity=similarity, **options))


def _check(by: str, program: str | None, predictions: Programs | None) -> None:
    from recombine.selection.select_examples import METHODS

    if by not in METHODS:
        raise UnknownNameError("way to select", by, METHODS)
    given = sum(value is not None for value in (program, predictions))
    if by == "coverage" and given != 1:
        raise OptionError("it is not clear what to cover", "give --program TEXT or --predictions FILE")
    if by != "coverage" and given:
        raise OptionError(f"--by {by} covers no program", "leave out --program and --predictions, or use --by coverage")


def _check_options(by: str, **given: str | None) -> None:
    """Refuse an option that the method does not use."""
    for name, value in given.items():
        default, methods = _OPTIONS[name]
        if value != default and by not in methods:
            raise OptionError(f"--by {by} has no option --{name}", f"it is for --by {' and '.join(methods)}")


def _for_program(pool: Dataset, program: str, k: int, options: Mapping[str, Any]) -> SelectResult:
    from recombine.selection.select_examples import select_prompts

    prompts = select_prompts(pool, {"": program}, k, **options)
    if prompts.unparsable:
        raise OptionError(f"the program cannot be read: {prompts.unparsable['']}", "mend it")
    return SelectResult(pool, prompts.selections[""])


def programs_by_id(predictions: Programs, dataset: Dataset) -> dict[str, str]:
    """The predicted programs by id; an id that the data does not have is an error, as everywhere."""
    name = str(predictions) if isinstance(predictions, str | Path) else "predictions"
    programs: dict[str, str] = {}
    for where, key, program in _iter_programs(predictions):
        if key not in dataset:
            raise RecordError(name, where, f"the id {key!r} is not in {dataset.name}", "give its data")
        if key in programs:
            raise RecordError(name, where, f"the id {key!r} stands there twice", "give one for each id")
        programs[key] = program
    return programs


def _iter_programs(predictions: Programs) -> Iterator[tuple[str, str, str]]:
    """Where each program stands, its id and the program."""
    from recombine.evaluation.predictions import read_predictions

    if isinstance(predictions, str | Path):
        yield from ((row.where, row.key, row.output) for row in read_predictions(str(predictions)).rows)
        return
    named: Iterable[tuple[str, Mapping[str, Any]]]
    if isinstance(predictions, Mapping):
        named = ((f"id {key}", {"id": key, "prediction": text}) for key, text in predictions.items())
    else:
        named = ((f"record {number}", record) for number, record in enumerate(predictions, start=1))
    for where, record in named:
        key, text = record.get("id"), record.get("prediction", 0)
        text = "" if text is None else text  # an abstention, as in a file
        if not isinstance(key, str) or not isinstance(text, str):
            raise RecordError("predictions", where, "has no id and prediction of text", "give both as strings")
        yield where, key, text
