"""A folder with all that the cells of a study need to be trained elsewhere: arrays, rows, settings. Needs numpy alone.

    schema.npz                     the items that forms are written with
    questions/NUMBER.npz           questions over that schema, by name: a way of linking them, or another set of them
    rows.npz                       the questions of each part, by name
    study.json                     settings, and the cells in the order of their training

Cells that train on the same questions name the same rows, and all may be asked the same ones.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError, OutputFileError
from recombine.files import make_folder, read_text, write_whole
from recombine.models.kbqa.arrays.array_file import (
    read_arrays,
    read_questions,
    read_schema,
    write_arrays,
    write_questions,
    write_schema,
)
from recombine.models.kbqa.arrays.packed import pack_rows, unpack_rows
from recombine.models.kbqa.arrays.ragged import Ragged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

    Rows = NDArray[np.int32]

FORM = "recombine-kbqa/1"
STUDY, ROWS, SCHEMA, QUESTIONS = "study.json", "rows.npz", "schema.npz", "questions"
_REMEDY = "export again"


@dataclass(frozen=True)
class KbqaCell:
    """One model to train and to ask."""

    name: str
    seed: int
    train: str
    """The name of the rows to learn from; empty for a cell that answers with the weights that it starts from."""
    dev: str
    """Those to stop by; empty where there are none."""
    test: str
    train_questions: str
    """The name of the questions that the rows of train and dev are of."""
    test_questions: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those in which it differs from the study's."""
    start: str = ""
    """The name of another cell whose weights training begins with, or of a file of weights in the folder."""


@dataclass(frozen=True)
class KbqaStudy:
    """The content of a folder."""

    schema: SchemaArrays
    questions: Mapping[str, QuestionArrays]
    rows: Mapping[str, Rows]
    cells: tuple[KbqaCell, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)


def write_study(folder: Path | str, study: KbqaStudy) -> None:
    """Write the folder; it is made where it is missing. What an earlier export wrote there is replaced."""
    folder = Path(folder)
    _check_place(folder)
    _check_cells(study.cells, study.questions, study.rows)
    make_folder(folder)
    make_folder(folder / QUESTIONS)
    (folder / STUDY).unlink(missing_ok=True)  # a folder that is half written is none
    for old in sorted((folder / QUESTIONS).glob("*.npz")):
        old.unlink()
    write_schema(folder / SCHEMA, study.schema)
    for place, questions in enumerate(study.questions.values()):
        write_questions(_questions_file(folder, place), questions)
    write_arrays(folder / ROWS, pack_rows("rows", Ragged.of([_rising(name, at) for name, at in study.rows.items()])))
    record = {
        "form": FORM,
        "questions": list(study.questions),
        "rows": list(study.rows),
        "settings": dict(study.settings),
        "cells": [asdict(cell) for cell in study.cells],
        "notes": dict(study.notes),
    }
    write_whole(folder / STUDY, json.dumps(record, indent=1, ensure_ascii=False).encode() + b"\n")


def read_study(folder: Path | str) -> KbqaStudy:
    """Read the folder; one that is not whole is an `InputFileError`."""
    folder = Path(folder)
    record = read_record(folder)
    schema = read_schema(folder / SCHEMA)
    questions = {
        name: read_questions(_questions_file(folder, place), schema) for place, name in enumerate(record["questions"])
    }
    rows = _read_rows(folder / ROWS, record["rows"])
    cells = tuple(KbqaCell(**values) for values in record["cells"])
    try:
        _check_cells(cells, questions, rows)
    except OptionError as error:
        raise InputFileError(f"{folder / STUDY}: {error.problem}", _REMEDY) from error
    return KbqaStudy(schema, questions, rows, cells, record["settings"], record["notes"])


def read_record(folder: Path | str) -> dict[str, Any]:
    """What `study.json` of a folder says, checked: names of questions and rows, settings, cells, notes."""
    path = Path(folder) / STUDY
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", _REMEDY) from None
    form = record.get("form") if isinstance(record, dict) else None
    if form != FORM:
        raise InputFileError(f"{folder}: not a folder of this form ({form!r})", f"{_REMEDY}: {FORM}")
    kinds = {"questions": list, "rows": list, "settings": dict, "cells": list, "notes": dict}
    wrong = next((name for name, kind in kinds.items() if not isinstance(record.get(name), kind)), None)
    if wrong is not None:
        raise InputFileError(f"{path}: {wrong} is missing", _REMEDY)
    try:
        for values in record["cells"]:
            KbqaCell(**values)
    except TypeError as error:
        raise InputFileError(f"{path}: not cells of this form ({error})", _REMEDY) from None
    return dict(record)


def _questions_file(folder: Path, place: int) -> Path:
    return folder / QUESTIONS / f"{place}.npz"


def _check_place(folder: Path) -> None:
    """Refuse a folder with files of these names that no earlier export wrote: they would be overwritten."""
    present = [name for name in (STUDY, ROWS, SCHEMA, QUESTIONS) if (folder / name).exists()]
    if not present:
        return
    try:
        form = read_record(folder)["form"]
    except InputFileError:
        form = None
    if form != FORM:
        problem = f"{folder / present[0]}: is not of an export, and would be overwritten"
        raise OutputFileError(problem, "name another folder")


def _check_cells(cells: Sequence[KbqaCell], questions: Mapping[str, QuestionArrays], rows: Mapping[str, Rows]) -> None:
    """Refuse cells that name rows or questions which are not there, or rows beyond their questions."""
    for cell in cells:
        pairs = ((cell.train, cell.train_questions), (cell.dev, cell.train_questions), (cell.test, cell.test_questions))
        for part, name in pairs:
            if not part:
                continue
            if part not in rows or name not in questions:
                missing = f"rows {part!r}" if part not in rows else f"questions {name!r}"
                raise OptionError(f"cell {cell.name}: there are no {missing}", "name those of the study")
            if len(rows[part]) and rows[part][-1] >= len(questions[name]):
                problem = (
                    f"cell {cell.name}: the rows {part!r} go beyond the {len(questions[name]):,} questions {name!r}"
                )
                raise OptionError(problem, "name rows of those questions")


def _rising(name: str, given: Sequence[int] | Rows) -> Rows:
    """Rows as steps from one to the next, which are small numbers."""
    at = np.asarray(given, np.int64)
    if len(at) and (at[0] < 0 or np.any(np.diff(at) <= 0)):
        raise OptionError(f"the rows {name} are not in the order of the questions", "sort them, each once")
    return np.diff(at, prepend=0).astype(np.int32)


def _read_rows(path: Path, names: Sequence[str]) -> dict[str, Rows]:
    try:
        steps = unpack_rows("rows", read_arrays(path))
        if len(steps) != len(names):
            raise ValueError(f"{len(names)} names and {len(steps)} rows")
    except (KeyError, ValueError) as error:
        raise InputFileError(f"{path}: has not the rows that {STUDY} names ({error})", _REMEDY) from error
    return {name: np.cumsum(steps[place]).astype(np.int32) for place, name in enumerate(names)}
