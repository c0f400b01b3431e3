"""Reading the files of a cell's result: what is not whole is an error that names the file, never a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError
from recombine.files import read_bytes
from recombine.studies.cells.cell_key import FORM
from recombine.studies.cells.digest import bytes_digest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DONE, FAILED = "done", "failed"
_MEND = "restore it, or delete it and run the study again"
_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "form": str,
    "key": str,
    "name": str,
    "data": str,
    "split": dict,
    "split.name": str,
    "split.recipe": dict,
    "split.measured": (dict, type(None)),
    "split.sizes": (dict, type(None)),
    "part": str,
    "model": dict,
    "model.preset": str,
    "model.settings": dict,
    "seed": int,
    "version": str,
    "state": str,
    "error": (str, type(None)),
    "notes": dict,
    "curve": list,
}
_FIELDS_OF_NOW: Mapping[str, type | tuple[type, ...]] = {
    "split.key": str,
    "model.family": str,
    "model.revision": int,
    "predictions": (str, type(None)),
}
_SCORE: Mapping[str, type | tuple[type, ...]] = {"n": int, "signature": str}
_ROW: Mapping[str, type] = {"id": str, "prediction": str, "correct": bool}


def read_record(path: Path, form: str = FORM) -> dict[str, Any]:
    """The record of a cell in a file of its key's name, whole, with its predictions beside it."""
    record = read_object(path)
    key = path.name.removesuffix(".json")
    if record.get("form") != form or record.get("key") != key:
        raise InputFileError(f"{path}: not the result of the cell {key} in the form {form}", _MEND)
    for name, kind in {**_FIELDS, **(_FIELDS_OF_NOW if form == FORM else {})}.items():
        _check_field(path, record, name, kind)
    _check_curve_and_divergence(path, record)
    if record.get("metric") and not isinstance(record["metric"], dict):
        raise InputFileError(f"{path}: metric is {_short(record['metric'])}", _MEND)
    if record["state"] not in (DONE, FAILED):
        raise InputFileError(f"{path}: the state is {record['state']!r}, not {DONE} or {FAILED}", _MEND)
    if record["state"] == FAILED and not record["error"]:
        raise InputFileError(f"{path}: the cell failed, but there is no error", _MEND)
    if record["state"] == DONE:
        score = record.get("score")
        if not isinstance(score, dict):
            raise InputFileError(f"{path}: the cell is done, but there is no score", _MEND)
        metric = main_metric(record)
        for name, kind in {metric: (int, float), **_SCORE}.items():
            _check_field(path, score, name, kind, front="score.")
        if not 0 <= score[metric] <= 1:
            raise InputFileError(f"{path}: score.{metric} is {score[metric]}", _MEND)
        _check_predictions(path.with_name(f"{key}.jsonl.gz"), score["n"], record.get("predictions"))
    return record


def main_metric(record: Mapping[str, Any]) -> str:
    """The metric that says what is correct: exact match, another one of programs, or the accuracy of answers."""
    if record.get("metric"):
        return str(record["metric"]["name"])
    return "accuracy" if record.get("match") == "answer" else "exact_match"


def _check_curve_and_divergence(path: Path, record: Mapping[str, Any]) -> None:
    """Refuse points of the curve and divergences that are no numbers, since tables and figures are made of them."""
    for number, point in enumerate(record["curve"], start=1):
        if not (isinstance(point, list) and len(point) == 3 and all(map(_is_number, (point[0], point[2])))):
            raise InputFileError(f"{path}: point {number} of the curve is {_short(point)}", _MEND)
        if point[1] is not None and not _is_number(point[1]):
            raise InputFileError(f"{path}: point {number} of the curve is {_short(point)}", _MEND)
    divergence = (record["split"]["measured"] or {}).get("compound_divergence")
    if divergence is not None and not _is_number(divergence):
        raise InputFileError(f"{path}: split.measured.compound_divergence is {_short(divergence)}", _MEND)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        value = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", _MEND) from None
    if not isinstance(value, dict):
        raise InputFileError(f"{path}: not a JSON object but {type(value).__name__}", _MEND)
    return value


def read_predictions(path: Path) -> bytes:
    """The lines of a file of predictions."""
    if not path.exists():
        raise InputFileError(f"{path}: no such file, but the cell is done", "restore it, or delete the cell's record")
    return read_bytes(path)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The predictions of a cell, line by line."""
    rows = []
    for number, line in enumerate(read_predictions(path).splitlines(), start=1):
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputFileError(f"{path}, line {number}: broken JSON ({error.msg})", _MEND) from None
        if not isinstance(row, dict):
            raise InputFileError(f"{path}, line {number}: not a JSON object", _MEND)
        for name, kind in _ROW.items():
            _check_field(path, row, name, kind, front=f"line {number}, ")
        rows.append(row)
    return rows


def _check_predictions(path: Path, n: int, digest: str | None) -> None:
    data = read_predictions(path)
    number = len(data.splitlines())
    # An example that occurs twice in the test part counts twice in the score and has one line.
    if not 1 <= number <= n:
        raise InputFileError(f"{path}: {number} predictions, but {n} are scored", _MEND)
    if digest is not None and bytes_digest(data) != digest:
        raise InputFileError(f"{path}: not the predictions that were scored", _MEND)


def _check_field(
    path: Path, record: Mapping[str, Any], name: str, kind: type | tuple[type, ...], *, front: str = ""
) -> None:
    value: Any = record
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise InputFileError(f"{path}: {front}{name} is missing", _MEND)
        value = value[part]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InputFileError(f"{path}: {front}{name} is {_short(value)}", _MEND)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
