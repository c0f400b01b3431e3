"""Predictions: JSON lines `{"id": …, "prediction": …}`, and which example each belongs to.

A record can also say whether it is `correct`, of which `model` it is, and the `guesses` that its output was drawn from.
An empty or null prediction is an abstention.
Records without ids are joined on their source or target. Nothing is guessed: an id of no example, an example with two
predictions, and, unless it is allowed, an example with none are errors. Predictions for other parts are counted.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, OptionError, RecordError, UnknownNameError
from recombine.files import read_text
from recombine.json_lines import iter_json_lines
from recombine.records.example import identity_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.dataset import Dataset

MATCH_ON = ("id", "source", "target")
GivenPredictions = Path | str | Mapping[str, str | None] | Iterable[Mapping[str, Any]]
"""Predictions as a program has them."""


@dataclass(frozen=True)
class PredictionRecord:
    """One prediction, where it is in its file, and by what it is joined: an id, a source or a target."""

    where: str
    key: str
    output: str
    correct: bool | None = None
    model: str | None = None
    guesses: tuple[str, ...] = ()
    """Outputs of equal chance, of which the output is one; empty where the record has none."""


@dataclass(frozen=True)
class Predictions:
    """The predictions of one model."""

    name: str
    rows: tuple[PredictionRecord, ...]
    match_on: str = "id"

    @classmethod
    def of(cls, outputs: Mapping[str, str], name: str = "predictions") -> Predictions:
        """Predictions by id."""
        return cls(name, tuple(PredictionRecord(f"id {key}", key, output) for key, output in outputs.items()))


@dataclass(frozen=True)
class Assigned:
    """Predictions by the id of their example, for the examples of one part."""

    outputs: Mapping[str, str]
    missing: int
    """Entries of the part without a prediction."""
    elsewhere: int
    """Predictions for examples of the data that are not in the part."""
    shared: int
    """Examples that take the one prediction there is for their source or target, beyond the first."""
    stated: Mapping[str, bool] = field(default_factory=dict)
    """What the file itself says is correct."""
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The guesses that an output was drawn from, where the file has some."""

    @property
    def digest(self) -> str:
        """A digest of the outputs, and of the guesses that they were drawn from."""
        digest = hashlib.blake2b(digest_size=4)
        for row in sorted(self.outputs.items()):
            digest.update(orjson.dumps(row))
        for guessed in sorted(self.guesses.items()):
            digest.update(orjson.dumps(guessed))
        return digest.hexdigest()


# -- reading ------------------------------------------------------------------------------------------------------


def read_predictions(
    path: Path | str,
    *,
    match_on: str = "id",
    prediction: str = "prediction",
    model: str | None = None,
    values: bool = False,
) -> Predictions:
    """The predictions in a file.

    `match_on` says by which field records are joined to examples, `prediction` which field holds the output, and
    `model` whose predictions to take from a file that holds those of several. With `values`, outputs may be numbers,
    true and false besides texts.
    """
    if match_on not in MATCH_ON:
        raise UnknownNameError("field to match on", match_on, MATCH_ON)
    return _predictions(path, Path(path).name, _read_records(path), match_on, prediction, model, values=values)


def take_predictions(
    given: GivenPredictions,
    *,
    match_on: str = "id",
    prediction: str = "prediction",
    model: str | None = None,
    values: bool = False,
) -> Predictions:
    """Predictions as a program has them: the path of a file, outputs by id, or records as a file has them.

    Outputs are by source or target where `match_on` says so; an output of none is an abstention.

    >>> take_predictions({"a1": "I_JUMP", "a2": None}).rows[1].output
    ''
    """
    if isinstance(given, str | Path):
        return read_predictions(given, match_on=match_on, prediction=prediction, model=model, values=values)
    if match_on not in MATCH_ON:
        raise UnknownNameError("field to match on", match_on, MATCH_ON)
    name = "predictions"
    records: list[tuple[str, Mapping[str, Any]]]
    if isinstance(given, Mapping):
        prediction = "prediction"
        records = [(f"{match_on} {key}", {match_on: key, prediction: output}) for key, output in given.items()]
    else:
        records = [(f"record {number}", record) for number, record in enumerate(given, start=1)]
    for where, record in records:
        if not isinstance(record, Mapping):
            raise RecordError(name, where, "is not a mapping", f"give {{{match_on!r}: …, {prediction!r}: …}}")
    return _predictions(name, name, records, match_on, prediction, model, values=values)


def _predictions(
    path: Path | str,
    name: str,
    records: list[tuple[str, Mapping[str, Any]]],
    match_on: str,
    prediction: str,
    model: str | None,
    *,
    values: bool,
) -> Predictions:
    rows = [_row(path, where, record, match_on, prediction, values=values) for where, record in records]
    for field_name in ("correct", "model"):
        bare = next((row.where for row in rows if getattr(row, field_name) is None), None)
        if bare is not None and any(getattr(row, field_name) is not None for row in rows):
            problem = f"no {field_name!r}, though other records have one"
            raise RecordError(path, bare, problem, "give it to all or to none")
    return Predictions(name, tuple(_of_model(path, rows, model)), match_on)


def _read_records(path: Path | str) -> list[tuple[str, Mapping[str, Any]]]:
    text = read_text(path)
    if not text.strip():
        raise InputFileError(f"{path}: has no predictions", "give a file with at least one")
    return [(f"line {number}", record) for number, record in iter_json_lines(text, path)]


def _row(
    path: Path | str, where: str, record: Mapping[str, Any], match_on: str, prediction: str, *, values: bool
) -> PredictionRecord:
    have = ", ".join(record) or "nothing"
    if match_on not in record:
        raise RecordError(path, where, f"no field {match_on!r}", f"it has: {have}; choose another with --match-on")
    if prediction not in record:
        raise RecordError(path, where, f"no field {prediction!r}", f"it has: {have}; name the field with --prediction")
    key, output = record[match_on], record[prediction]
    if match_on == "id" and isinstance(key, int) and not isinstance(key, bool):
        key = str(key)
    if values and isinstance(output, bool | int | float):
        output = str(output)
    model, correct = record.get("model"), record.get("correct")
    guesses = record.get("guesses") if values else None
    texts = {match_on: key, prediction: "" if output is None else output, "model": "" if model is None else model}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise RecordError(path, where, f"the field {name!r} is not text", "write it as a string")
    if not isinstance(correct, bool | None):
        raise RecordError(path, where, "the field 'correct' is neither true nor false", "mend it")
    if guesses is not None and not (isinstance(guesses, list | tuple) and all(isinstance(g, str) for g in guesses)):
        raise RecordError(path, where, "the field 'guesses' is no list of texts", "mend it")
    joined = key if match_on == "id" else _words(key)
    return PredictionRecord(where, joined, texts[prediction], correct, model, tuple(guesses or ()))


def _of_model(path: Path | str, rows: list[PredictionRecord], model: str | None) -> list[PredictionRecord]:
    models = sorted({row.model for row in rows if row.model is not None})
    if model is None:
        if len(models) > 1:
            raise OptionError(
                f"{path} holds predictions of {len(models)} models: {', '.join(models)}", "choose one with --model"
            )
        return rows
    if model not in models:
        raise UnknownNameError(f"model in {path}", model, models)
    return [row for row in rows if row.model == model]


def _words(text: str) -> str:
    return " ".join(text.split())


# -- joining ------------------------------------------------------------------------------------------------------


def assign(
    predictions: Predictions, dataset: Dataset, ids: Sequence[str], *, part: str, allow_missing: bool = False
) -> Assigned:
    """The predictions for these examples of a data set; `part` is what errors call them."""
    known = _known(dataset, predictions.match_on)
    wanted = dict.fromkeys(ids)
    by_id: dict[str, PredictionRecord] = {}
    elsewhere = shared = 0
    for key, rows in _grouped(predictions, dataset, known).items():
        _refuse_unlike(predictions, dataset, rows, known[key])
        here = [place for place in known[key] if place in wanted]
        if not here:
            elsewhere += len(rows)
        elif len(rows) in (1, len(here)):
            shared += len(here) - len(rows)
            by_id.update(zip(here, rows * len(here) if len(rows) == 1 else rows, strict=True))
        elif len(rows) == len(known[key]):
            by_id.update((place, row) for place, row in zip(known[key], rows, strict=True) if place in wanted)
            elsewhere += len(rows) - len(here)
        else:
            what = f"{len(rows)} predictions with this {predictions.match_on}, the first in {rows[0].where}"
            raise RecordError(
                predictions.name,
                rows[1].where,
                f"{what}, for {len(here)} examples of {part}",
                "give one for each or one for all, or join on ids",
            )
    missing = [key for key in wanted if key not in by_id]
    if missing and not allow_missing:
        raise InputFileError(
            f"{predictions.name}: no prediction for {len(missing):,} of {len(wanted):,} examples of {part}, the first "
            f"is {missing[0]}",
            "predict them too, or count them as abstentions with --allow-missing",
        )
    outputs = {key: by_id[key].output for key in wanted if key in by_id}
    stated = {key: row.correct for key, row in by_id.items() if row.correct is not None}
    guesses = {key: by_id[key].guesses for key in outputs if by_id[key].guesses}
    return Assigned(outputs, sum(key not in by_id for key in ids), elsewhere, shared, stated, guesses)


def _refuse_unlike(
    predictions: Predictions, dataset: Dataset, rows: Sequence[PredictionRecord], ids: Sequence[str]
) -> None:
    """Refuse to join on a text that examples share which their identity keeps apart: whose it is cannot be known."""
    if predictions.match_on == "id" or len({identity_text(dataset[key].context, dataset.identity) for key in ids}) < 2:
        return
    raise RecordError(
        predictions.name,
        rows[0].where,
        f"its {predictions.match_on} is that of {len(ids)} examples which differ in {', '.join(dataset.identity)}",
        "join on ids",
    )


def _known(dataset: Dataset, match_on: str) -> dict[str, list[str]]:
    """The ids of the examples that a record with this id, source or target can mean."""
    known: dict[str, list[str]] = defaultdict(list)
    for example in dataset:
        known[example.id if match_on == "id" else _words(getattr(example, match_on))].append(example.id)
    return dict(known)


def _grouped(
    predictions: Predictions, dataset: Dataset, known: Mapping[str, object]
) -> dict[str, list[PredictionRecord]]:
    """The predictions by what they are joined on, which must all be known."""
    groups: dict[str, list[PredictionRecord]] = defaultdict(list)
    unknown = [row for row in predictions.rows if row.key not in known]
    if unknown:
        first, others = unknown[0], len(unknown) - 1
        also = f", nor are those of {others:,} more records" if others else ""
        raise RecordError(
            predictions.name,
            first.where,
            f"the {predictions.match_on} {first.key!r} is not in {dataset.name}{also}",
            "give the data that was predicted",
        )
    for row in predictions.rows:
        same = groups[row.key]
        if same and predictions.match_on == "id":
            problem = f"the id {row.key!r} stands already in {same[0].where}"
            raise RecordError(predictions.name, row.where, problem, "give one prediction for each id")
        same.append(row)
    return groups
