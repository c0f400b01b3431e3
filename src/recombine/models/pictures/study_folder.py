"""A folder with all that the cells of a study need to be trained elsewhere: arrays, rows, settings. Needs numpy alone.

    pictures.npz, questions.npz             the pictures of questions, and the questions
    other_pictures.npz, grounding.npz       other pictures, which a model learns to look from, and texts about them
    rows.npz                                the questions of each part, by name, as bits
    study.json                              words, answers, settings, and the cells in the order of their training

Cells that train on the same questions name the same rows, and all may be asked the same ones.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError, OutputFileError
from recombine.files import read_text, write_whole
from recombine.models.pictures.arrays.array_file import read_arrays, write_arrays
from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.question_arrays import QuestionArrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.int32]

FORM = "recombine-pictures/1"
STUDY, ROWS = "study.json", "rows.npz"
PICTURES, OTHER, GROUNDING, QUESTIONS = "pictures.npz", "other_pictures.npz", "grounding.npz", "questions.npz"
FILES = (STUDY, ROWS, PICTURES, OTHER, GROUNDING, QUESTIONS)


@dataclass(frozen=True)
class PictureCell:
    """One model to train and to ask."""

    name: str
    variant: str
    seed: int
    train: str
    """The name of the rows to learn from."""
    dev: str
    """Those to keep the best look by; empty where there are none."""
    test: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those in which it differs from the study's."""


@dataclass(frozen=True)
class PictureStudy:
    """The content of a folder."""

    words: tuple[str, ...]
    answers: tuple[str, ...]
    pictures: PictureArrays
    other: PictureArrays
    grounding: GroundingArrays
    questions: QuestionArrays
    rows: Mapping[str, Rows]
    cells: tuple[PictureCell, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)


def write_study(folder: Path | str, study: PictureStudy) -> None:
    """Write the folder; it is made where it is missing."""
    folder = Path(folder)
    _check_place(folder)
    for cell in study.cells:
        missing = next((n for n in (cell.train, cell.dev, cell.test) if n and n not in study.rows), None)
        if missing is not None:
            raise OptionError(f"cell {cell.name}: there are no rows {missing!r}", "name rows of the study")
    folder.mkdir(parents=True, exist_ok=True)
    study.pictures.write(folder / PICTURES)
    study.other.write(folder / OTHER)
    study.grounding.write(folder / GROUNDING)
    study.questions.write(folder / QUESTIONS)
    write_arrays(folder / ROWS, pack_rows(study.rows, len(study.questions)))
    record = {
        "form": FORM,
        "words": list(study.words),
        "answers": list(study.answers),
        "rows": list(study.rows),
        "settings": dict(study.settings),
        "cells": [asdict(cell) for cell in study.cells],
        "notes": dict(study.notes),
    }
    write_whole(folder / STUDY, json.dumps(record, indent=1, ensure_ascii=False).encode() + b"\n")


def _check_place(folder: Path) -> None:
    """Refuse a folder with files of these names that no earlier export wrote: they would be overwritten."""
    present = [name for name in FILES if (folder / name).exists()]
    if present:
        try:
            record = json.loads(read_text(folder / STUDY))
        except (InputFileError, json.JSONDecodeError):
            record = None
        if not isinstance(record, dict) or record.get("form") != FORM:
            raise OutputFileError(
                f"{folder / present[0]}: is not of an export, and would be overwritten", "name another folder"
            )


def read_study(folder: Path | str) -> PictureStudy:
    """Read the folder."""
    folder = Path(folder)
    record = read_record(folder)
    questions = QuestionArrays.read(folder / QUESTIONS)
    rows = unpack_rows(read_arrays(folder / ROWS), record["rows"], len(questions), folder / ROWS)
    return PictureStudy(
        tuple(record["words"]),
        tuple(record["answers"]),
        PictureArrays.read(folder / PICTURES),
        PictureArrays.read(folder / OTHER),
        GroundingArrays.read(folder / GROUNDING),
        questions,
        rows,
        tuple(PictureCell(**values) for values in record["cells"]),
        record["settings"],
        record["notes"],
    )


def read_record(folder: Path | str) -> dict[str, Any]:
    """What `study.json` of a folder says, checked: words, answers, names of rows, settings, cells, notes."""
    path = Path(folder) / STUDY
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", "export again") from None
    form = record.get("form") if isinstance(record, dict) else None
    if form != FORM:
        raise InputFileError(f"{folder}: not a folder of this form ({form!r})", f"export again: {FORM}")
    kinds = {"words": list, "answers": list, "rows": list, "settings": dict, "cells": list, "notes": dict}
    wrong = next((name for name, kind in kinds.items() if not isinstance(record.get(name), kind)), None)
    if wrong is not None:
        raise InputFileError(f"{path}: {wrong} is missing", "export again")
    try:
        for values in record["cells"]:
            PictureCell(**values)
    except TypeError as error:
        raise InputFileError(f"{path}: not cells of this form ({error})", "export again") from None
    return dict(record)


def read_rows(folder: Path | str, number: int) -> dict[str, Rows]:
    """The rows of a folder by name, of so many questions."""
    path = Path(folder) / ROWS
    return unpack_rows(read_arrays(path), read_record(folder)["rows"], number, path)


def pack_rows(rows: Mapping[str, Sequence[int] | Rows], number: int) -> dict[str, NDArray[np.uint8]]:
    """Rows of so many questions as bits, numbered in the order of their names, which may have any signs.

    >>> packed = pack_rows({"a/train": [0, 2], "a/test": [1]}, 3)
    >>> {name: rows.tolist() for name, rows in unpack_rows(packed, ["a/train", "a/test"], 3).items()}
    {'a/train': [0, 2], 'a/test': [1]}
    """
    packed = {}
    for place, (name, given) in enumerate(rows.items()):
        at = np.asarray(given, dtype=np.int64)
        if len(at) and (np.any(np.diff(at) <= 0) or at[0] < 0 or at[-1] >= number):
            raise OptionError(f"the rows {name} are not in the order of the questions", "sort them, each once")
        bits = np.zeros(number, dtype=bool)
        bits[at] = True
        packed[str(place)] = np.packbits(bits)
    return packed


def unpack_rows(
    packed: Mapping[str, NDArray[np.uint8]], names: Sequence[str], number: int, path: Path | None = None
) -> dict[str, Rows]:
    """The rows by name."""
    if set(packed) != set(map(str, range(len(names)))):
        raise InputFileError(f"{path}: has not the rows that {STUDY} names", "export again")
    return {
        name: np.flatnonzero(np.unpackbits(packed[str(place)], count=number)).astype(np.int32)
        for place, name in enumerate(names)
    }
