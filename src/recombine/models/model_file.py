"""The file `model.json` of a folder that holds a parser: which family it is of, and how it was made.

`form` names the family and the version of its files, `signature` says how the parser was made, and the rest is the
family's own. It is written last, so that a folder without one is not whole.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson

from recombine.errors import InputFileError, OutputFileError
from recombine.files import check_writable, make_folder, read_bytes, write_whole
from recombine.version import __version__

MODEL = "model.json"
_REMEDY = "give a folder that `recombine train` made"


def write_model_file(folder: Path | str, form: str, signature: str, **values: Any) -> None:
    """Write `model.json` to a folder, which is made where it is missing; `form` is `NAME/VERSION`."""
    record = {"form": form, "version": __version__, "signature": signature, **values}
    write_whole(make_folder(folder) / MODEL, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def read_model_file(folder: Path | str) -> dict[str, Any]:
    """What the folder of a parser says of it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputFileError(f"{folder}: {'is a file' if folder.exists() else 'no such folder'}", _REMEDY)
    if not (folder / MODEL).is_file():
        raise InputFileError(f"{folder}: holds no parser, since it has no {MODEL}", _REMEDY)
    try:
        record = orjson.loads(read_bytes(folder / MODEL))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{folder / MODEL}: broken JSON ({error.msg})", "train the parser again") from None
    if not isinstance(record, dict) or not isinstance(record.get("form"), str):
        form = record.get("form") if isinstance(record, dict) else None
        raise InputFileError(f"{folder}: holds no parser, but {form!r}", _REMEDY)
    return record


def file_digest(path: Path | str) -> str:
    """The digest of a file, as `model.json` keeps it."""
    return hashlib.blake2b(read_bytes(path), digest_size=16).hexdigest()


def check_model_folder(path: Path) -> None:
    """Refuse a folder that cannot be made or written to, or that holds something other than a parser."""
    if path.is_dir():
        check_writable(path / MODEL)
        if any(path.iterdir()) and not (path / MODEL).is_file():
            raise OutputFileError(f"{path}: has files, but no parser", "give a new folder, or one with a parser")
    elif path.exists():
        raise OutputFileError(f"{path}: is a file", "give a folder for the parser")
    else:
        check_writable(path)
