"""A parser that `recombine train` has kept, whatever its kind."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, RecombineError
from recombine.files import read_bytes

if TYPE_CHECKING:
    from recombine.models.parser import TextParser

MODEL = "model.json"
KINDS = {"recombine-nqg": "nqg", "recombine-seq2seq-parser": "seq2seq"}
_REMEDY = "give a folder that `recombine train` made"


def read_record(folder: Path | str) -> dict[str, Any]:
    """What the folder of a parser says of it; `kind` is added: nqg or seq2seq."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputFileError(f"{folder}: {'is a file' if folder.exists() else 'no such folder'}", _REMEDY)
    if not (folder / MODEL).is_file():
        raise InputFileError(f"{folder}: holds no parser, since it has no {MODEL}", _REMEDY)
    try:
        record = orjson.loads(read_bytes(folder / MODEL))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{folder / MODEL}: broken JSON ({error.msg})", "train the parser again") from None
    form = record.get("form") if isinstance(record, dict) else None
    kind = KINDS.get(str(form).rpartition("/")[0])
    if kind is None:
        raise InputFileError(f"{folder}: holds no parser, but {form!r}", _REMEDY)
    return {**record, "kind": kind}


def digest(folder: Path | str) -> str:
    """A digest of how a parser was made; unlike that of its weights, it is the same on all platforms."""
    return hashlib.blake2b(str(read_record(folder).get("signature")).encode(), digest_size=4).hexdigest()


def load_parser(folder: Path | str, *, device: str = "") -> TextParser:
    """The parser in a folder; `device` is for those that need torch."""
    if read_record(folder)["kind"] == "nqg":
        from recombine.models.nqg.store import load as load_nqg

        return load_nqg(folder, device=device or "cpu")
    try:
        from recombine.models.seq2seq.parser import load as load_seq2seq
    except ModuleNotFoundError:
        raise RecombineError(f"{folder}: needs torch, which is not installed", "install recombine[neural]") from None
    return load_seq2seq(folder, device=device)
