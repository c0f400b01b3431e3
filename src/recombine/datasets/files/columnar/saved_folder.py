"""Folders that `save_to_disk` of the library `datasets` writes, read without that library.

A data set is `state.json`, which names its Arrow files, `dataset_info.json` and these files. Several parts are
`dataset_dict.json`, which names them, and a folder for each. Every record of a part has its name as the field `part`; a
field of its own that has this name and another value becomes `own_part`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import orjson

from recombine.errors import InputFileError
from recombine.files import read_bytes

STATE, PARTS = "state.json", "dataset_dict.json"


class SavedPart(NamedTuple):
    """A part of a data set: its name, none where it is the whole, and its files."""

    name: str | None
    files: list[Path]

    def record(self, record: dict[str, Any], field: str) -> dict[str, Any]:
        """A record with the name of its part."""
        if self.name is None or record.get(field) == self.name:
            return record
        own = {"own_part": record[field]} if field in record else {}
        return {**record, **own, field: self.name}


def saved_parts(folder: Path) -> list[SavedPart] | None:
    """The parts of a folder; none where it is of another kind."""
    if (folder / PARTS).exists():
        names = _object(folder / PARTS).get("splits")
        if not isinstance(names, list) or not names or not all(map(_is_name, names)):
            raise InputFileError(f"{folder / PARTS}: names no splits", "save the data set again")
        return [SavedPart(name, _files(folder / name)) for name in names]
    return [SavedPart(None, _files(folder))] if (folder / STATE).exists() else None


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and Path(name).name == name and name not in (".", "..")


def _files(folder: Path) -> list[Path]:
    """The Arrow files of a folder, all of which must be there."""
    if not (folder / STATE).exists():
        raise InputFileError(f"{folder}: has no {STATE}, as a saved data set has", "copy or save it again")
    state = _object(folder / STATE)
    if state.get("_indices_data_files"):
        raise InputFileError(
            f"{folder}: is a choice of rows of its files", "call flatten_indices() before save_to_disk(), and save it"
        )
    listed = state.get("_data_files")
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise InputFileError(f"{folder / STATE}: names no files", "save the data set again")
    names = [each.get("filename") for each in listed]
    if not all(map(_is_name, names)):
        raise InputFileError(f"{folder / STATE}: names a file that is not of its folder", "save the data set again")
    for name in names:
        if not (folder / str(name)).is_file():
            raise InputFileError(
                f"{folder}: the file {name} is missing, one of {len(names):,}", "copy or save the data set again"
            )
    return [folder / str(name) for name in names]


def _object(path: Path) -> dict[str, Any]:
    try:
        record = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputFileError(f"{path}: broken JSON ({where}: {error.msg})", "copy or save it again") from None
    if not isinstance(record, dict):
        raise InputFileError(f"{path}: is not a JSON object", "copy or save it again")
    return record
