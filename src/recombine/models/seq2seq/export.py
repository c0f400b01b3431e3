"""A folder with all that training needs: symbols, splits, settings and the cells to train.

It is made where the data is and read on the machine that trains, which may have nothing but torch and numpy:

    data.npz     source and target symbols of every example, ends included, padded with 0
    splits.npz   rows of the data for each part of each split, as `SPLIT/PART`
    study.json   the vocabulary, the settings of each model by name, and the cells
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from recombine.errors import InputFileError, OptionError, OutputFileError
from recombine.files import read_text, write_whole
from recombine.models.seq2seq.settings import Seq2SeqSettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FORM = "recombine-seq2seq/1"
SPECIAL = ("<pad>", "<end>")


@dataclass(frozen=True)
class ExportedCell:
    """One model to train and test."""

    name: str
    model: str
    """The name of its settings."""
    split: str
    seed: int
    factor: float = 1.0
    """What the learning rate is multiplied with."""


@dataclass(frozen=True)
class Study:
    """The content of a folder."""

    vocabulary: tuple[str, ...]
    source: Ints
    target: Ints
    splits: Mapping[str, Mapping[str, Ints]]
    models: Mapping[str, Seq2SeqSettings]
    cells: tuple[ExportedCell, ...]
    notes: Mapping[str, Any] = field(default_factory=dict)

    def check(self, cell: ExportedCell, part: str = "test") -> None:
        """Refuse a cell that cannot be trained or tested, by name; symbols unseen in train where they are not kept."""
        parts = self.splits[cell.split]
        for name in ("train", part):
            if len(parts.get(name, ())) == 0:
                raise OptionError(f"cell {cell.name}: the {name} part is empty", "give another split")
        if self.notes.get("unseen") == "keep":
            return
        seen = np.union1d(self.source[parts["train"]], self.target[parts["train"]])
        used = np.union1d(self.source[parts[part]], self.target[parts[part]])
        unseen = np.setdiff1d(used, seen)
        if len(unseen):
            word = self.vocabulary[int(unseen[0])]
            raise OptionError(
                f"cell {cell.name}: {len(unseen)} symbols of the {part} part are not in train, such as {word!r}",
                "give a split whose train part has all symbols",
            )


def number_symbols(texts: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Ints:
    """The symbols of texts by number, each ended, padded with 0 to one length.

    >>> number_symbols([["a"], ["b", "a"]], [*SPECIAL, "a", "b"]).tolist()
    [[2, 1, 0], [3, 2, 1]]
    """
    number = {word: place for place, word in enumerate(vocabulary)}
    table = np.zeros((len(texts), max(map(len, texts)) + 1), dtype=np.int64)
    for row, text in enumerate(texts):
        table[row, : len(text) + 1] = [*(number[word] for word in text), 1]
    return table


def make_study(
    pairs: Sequence[tuple[str, str]],
    splits: Mapping[str, Mapping[str, Sequence[int]]],
    models: Mapping[str, Seq2SeqSettings],
    cells: Sequence[ExportedCell],
    notes: Mapping[str, Any] | None = None,
) -> Study:
    """A study of texts whose symbols stand between spaces; source and target share one vocabulary."""
    texts = [(source.split(), target.split()) for source, target in pairs]
    vocabulary = (*SPECIAL, *sorted({word for pair in texts for text in pair for word in text}))
    source, target = (number_symbols([pair[side] for pair in texts], vocabulary) for side in (0, 1))
    rows = {name: {part: np.asarray(r, dtype=np.int64) for part, r in parts.items()} for name, parts in splits.items()}
    return Study(vocabulary, source, target, rows, dict(models), tuple(cells), dict(notes or {}))


def write_study(folder: Path | str, study: Study) -> None:
    """Write the folder; it is made where it is missing."""
    folder = Path(folder)
    _check_place(folder)
    folder.mkdir(parents=True, exist_ok=True)
    small = np.uint8 if len(study.vocabulary) <= 256 else np.uint16 if len(study.vocabulary) <= 65536 else np.int64
    write_whole(
        folder / "data.npz", packed({"source": study.source.astype(small), "target": study.target.astype(small)})
    )
    rows = {f"{name}/{part}": r.astype(np.int32) for name, parts in study.splits.items() for part, r in parts.items()}
    write_whole(folder / "splits.npz", packed(rows))
    record = {
        "form": FORM,
        "vocabulary": study.vocabulary,
        "models": {name: settings.to_dict() for name, settings in study.models.items()},
        "cells": [asdict(cell) for cell in study.cells],
        "notes": dict(study.notes),
    }
    write_whole(folder / "study.json", json.dumps(record, indent=1, ensure_ascii=False).encode() + b"\n")


def _check_place(folder: Path) -> None:
    """Refuse a folder with files of these names that no earlier export wrote: they would be overwritten."""
    present = [name for name in ("study.json", "data.npz", "splits.npz") if (folder / name).exists()]
    if present:
        try:
            record = json.loads(read_text(folder / "study.json"))
        except (InputFileError, json.JSONDecodeError):
            record = None
        if not isinstance(record, dict) or record.get("form") != FORM:
            raise OutputFileError(
                f"{folder / present[0]}: is not of an export, and would be overwritten", "name another folder"
            )


def read_study(folder: Path | str) -> Study:
    """Read the folder."""
    folder = Path(folder)
    try:
        record = json.loads(read_text(folder / "study.json"))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{folder / 'study.json'}: broken JSON ({error.msg})", "export again") from None
    if not isinstance(record, dict) or record.get("form") != FORM:
        form = record.get("form") if isinstance(record, dict) else None
        raise InputFileError(f"{folder}: not a folder of this form ({form!r})", f"export again: {FORM}")
    data = unpacked(folder / "data.npz")
    splits: dict[str, dict[str, Ints]] = {}
    for name, rows in unpacked(folder / "splits.npz").items():
        split, _, part = name.rpartition("/")
        splits.setdefault(split, {})[part] = rows
    try:
        models = {name: Seq2SeqSettings.from_dict(values) for name, values in record["models"].items()}
        cells = tuple(ExportedCell(**values) for values in record["cells"])
        vocabulary, arrays = tuple(record["vocabulary"]), (data["source"], data["target"])
    except (AttributeError, KeyError, TypeError) as error:
        problem = f"not a folder of this form ({type(error).__name__}: {error})"
        raise InputFileError(f"{folder}: {problem}", f"export again: {FORM}") from None
    return Study(vocabulary, *arrays, splits, models, cells, record.get("notes", {}))


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays as one compressed file."""
    stream = BytesIO()
    np.savez_compressed(stream, **dict(arrays))  # type: ignore[arg-type]
    return stream.getvalue()


def unpacked(path: Path) -> dict[str, Ints]:
    """The arrays of a file, as 64-bit numbers."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            return {name: arrays[name].astype(np.int64) for name in arrays.files}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise InputFileError(f"{path}: cannot be read ({error})", "export again") from error
