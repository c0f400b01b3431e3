"""Which examples each model got right, and one gold label from several models.

A file is JSON lines `{"id": …, "correct": true, "model": …}`; other fields are left alone, `model` may be missing where
there is one model. Nothing is guessed: an id of no example, an example that a model lacks and a second answer of one
model are errors. A gold label (`local_structures` paper, §5) is one of

    majority   what more than half of the models are; a tie has no label
    all agree  what all models are; where they differ there is no label
    NAME       what one model is

Files know examples, not splits. An example may be tested by two splits, and then by different models, though they may
share a name. A file therefore belongs to the splits it was given for; where two of these test one example, its records
could be of either, and that is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError, RecordError, UnknownNameError
from recombine.files import read_text
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

GOLD = ("majority", "all agree", "each model")


@dataclass(frozen=True)
class Correctness:
    """Examples × models: right or wrong."""

    ids: tuple[str, ...]
    models: tuple[str, ...]
    correct: NDArray[np.bool_] = field(repr=False)
    elsewhere: int = 0
    """Records of examples that were not asked for."""

    def accuracies(self) -> dict[str, float]:
        """The share of examples that each model got right."""
        return {name: float(value) for name, value in zip(self.models, self.correct.mean(axis=0), strict=True)}

    def gold(self, which: str = "majority") -> NDArray[np.int8]:
        """A label for each example: 1 right, 0 wrong, -1 none.

        >>> table = np.array([[True, True, True], [True, False, False]])
        >>> Correctness(("a", "b"), ("x", "y", "z"), table).gold("all agree").tolist()
        [1, -1]
        """
        models = len(self.models)
        right = self.correct.sum(axis=1)
        if which == "majority":
            return np.where(2 * right > models, 1, np.where(2 * right < models, 0, -1)).astype(np.int8)
        if which == "all agree":
            return np.where(right == models, 1, np.where(right == 0, 0, -1)).astype(np.int8)
        if which not in self.models:
            raise UnknownNameError("gold label", which, (*GOLD, *self.models))
        return self.correct[:, self.models.index(which)].astype(np.int8)

    def labels(self, which: str = "majority") -> dict[str, NDArray[np.int8]]:
        """The labels under one name, or under the name of each model."""
        return {name: self.gold(name) for name in (self.models if which == "each model" else (which,))}


@dataclass(frozen=True, eq=False)
class CorrectnessRecords:
    """Records that no file holds, such as those of a program, under the name that errors call them by."""

    name: str
    records: tuple[Mapping[str, Any], ...]

    def __str__(self) -> str:
        return self.name


CorrectnessFile = Path | str | CorrectnessRecords


def read_correctness(paths: Sequence[CorrectnessFile], ids: Sequence[str], *, known: Mapping[str, Any]) -> Correctness:
    """What these files say of these examples; `known` are all ids of the data, so that others are refused.

    Where a record names no model, its model is called by the name of the file.
    """
    places = {key: place for place, key in enumerate(ids)}
    answers: dict[str, dict[int, tuple[bool, str]]] = {}
    elsewhere = 0
    for path in paths:
        for where, record in _iter_records(path):
            key, model, correct = _fields(path, where, record)
            if key not in known:
                raise RecordError(
                    str(path), where, f"the id {key!r} is not in the data", "give the data that was predicted"
                )
            if key not in places:
                elsewhere += 1
                continue
            given = answers.setdefault(model, {})
            if places[key] in given:
                problem = f"the id {key!r} of {model} stands already in {given[places[key]][1]}"
                raise RecordError(str(path), where, problem, "give one record for each id and model")
            given[places[key]] = correct, f"{path}, {where}"
    if not answers:
        raise InputFileError(
            f"{', '.join(map(str, paths))}: no record is of an example that was asked for", "check data and split"
        )
    table = np.zeros((len(ids), len(answers)), bool)
    models = sorted(answers)
    for column, model in enumerate(models):
        missing = [key for key, place in places.items() if place not in answers[model]]
        if missing:
            raise InputFileError(
                f"{model} has no record for {len(missing):,} of {len(ids):,} examples, the first is {missing[0]}",
                "give them too",
            )
        for place, (correct, _) in answers[model].items():
            table[place, column] = correct
    # An id that a part repeats has one record for all its entries.
    return Correctness(tuple(ids), tuple(models), table[[places[key] for key in ids]], elsewhere)


def _iter_records(path: CorrectnessFile) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(path, CorrectnessRecords):
        yield from ((f"record {number}", record) for number, record in enumerate(path.records, start=1))
        return
    text = read_text(path)
    if not text.strip():
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    for number, record in iter_json_lines(text, path):
        yield f"line {number}", record


def _fields(path: CorrectnessFile, where: str, record: Mapping[str, Any]) -> tuple[str, str, bool]:
    key, correct, model = record.get("id"), record.get("correct"), record.get("model", Path(str(path)).name)
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise RecordError(str(path), where, "no id", "give each record the id of its example")
    if not isinstance(correct, bool):
        raise RecordError(str(path), where, "does not say whether it is correct", 'add "correct": true or false')
    if not isinstance(model, str):
        raise RecordError(str(path), where, "the model is not text", "write it as a string")
    return str(key), model, correct


def read_split_correctness(
    files: Mapping[str, Sequence[CorrectnessFile]], ids: Mapping[str, Sequence[str]], *, known: Mapping[str, Any]
) -> dict[str, Correctness]:
    """For each split what its files say of its test ids; files are read once for all splits that share them.

    What `read_correctness` refuses is refused too. Records of no split's examples are counted with the first split.
    """
    groups: dict[tuple[str | CorrectnessRecords, ...], list[str]] = {}
    for name in ids:
        if not files.get(name):
            raise InputFileError(f"no predictions are of the split {name}", "give them too, or leave the split out")
        shared = tuple(file if isinstance(file, CorrectnessRecords) else str(file) for file in files[name])
        groups.setdefault(shared, []).append(name)
    by_split: dict[str, Correctness] = {}
    for paths, names in groups.items():
        _check_apart(paths, {name: ids[name] for name in names})
        whole = read_correctness(paths, [key for name in names for key in ids[name]], known=known)
        start, elsewhere = 0, whole.elsewhere
        for name in names:
            end = start + len(ids[name])
            by_split[name] = Correctness(whole.ids[start:end], whole.models, whole.correct[start:end], elsewhere)
            start, elsewhere = end, 0
    return {name: by_split[name] for name in ids}


def _check_apart(paths: Sequence[CorrectnessFile], ids: Mapping[str, Sequence[str]]) -> None:
    owner: dict[str, str] = {}
    for name, keys in ids.items():
        for key in keys:
            if owner.setdefault(key, name) != name:
                given = ", ".join(map(str, paths))
                raise OptionError(
                    f"{owner[key]} and {name} both test {key}, and {given} does not say for which it is",
                    f"give each split its own file, as {name}=FILE",
                )
