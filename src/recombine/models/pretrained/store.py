"""A fitted parser as a directory: a checkpoint that transformers reads, and how it was made as JSON.

The directory of a copying decoder holds its encoder, and the decoder in `decoder/`. A directory is written under
another name and renamed when it is whole. Nothing in it is code.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from recombine.errors import InputFileError, OutputFileError, RecombineError
from recombine.files import make_folder, read_text, write_whole
from recombine.models.model_file import MODEL, read_model_file, write_model_file
from recombine.models.pretrained.local_checkpoint import quiet
from recombine.models.pretrained.parser import Pretrained, make_kind
from recombine.models.pretrained.settings import FineTuningSettings
from recombine.models.pretrained.texts.words import Words
from recombine.version import __version__

FORM = "recombine-pretrained/1"
RECORD = "recombine.json"


def save(parser: Pretrained, folder: Path | str) -> None:
    """Write a fitted parser to a directory that does not exist yet."""
    if parser.kind is None:
        raise RecombineError("the parser has not been fitted", "call `fit` first")
    folder = Path(folder)
    if folder.exists():
        raise OutputFileError(f"{folder}: is there already", "choose another name")
    if not folder.parent.is_dir():
        raise OutputFileError(f"{folder}: the directory {folder.parent} does not exist", "make it first")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as name:
        place = Path(name) / "whole"
        place.mkdir()
        with quiet():
            more = parser.kind.save(place)
        record = {
            "form": FORM,
            "version": __version__,
            "settings": parser.settings.to_dict(),
            "seed": parser.seed,
            "counted": dict(sorted(parser.counted.items())),
            **more,
        }
        write_whole(place / RECORD, json.dumps(record, indent=1, ensure_ascii=False).encode() + b"\n")
        shutil.move(place, folder)


CHECKPOINT = "checkpoint"
"""The directory of the checkpoint within the folder of a parser that `train` keeps."""
PARSER_FORM = "recombine-pretrained-parser/1"


def save_with_signature(parser: Pretrained, folder: Path | str, signature: str) -> None:
    """Write a fitted parser to a folder as `train` keeps it, which is made where it is missing.

    The checkpoint is in `checkpoint/`; one that is there already is replaced, and `model.json` comes last.
    """
    folder = make_folder(folder)
    place = folder / CHECKPOINT
    with tempfile.TemporaryDirectory(dir=folder, prefix=".checkpoint.") as name:
        save(parser, Path(name) / "new")
        if place.exists():
            shutil.move(place, Path(name) / "old")
        shutil.move(Path(name) / "new", place)
    write_model_file(folder, PARSER_FORM, signature, files=_digests(place))


def load_with_signature(folder: Path | str, *, device: str = "") -> Pretrained:
    """The parser in a folder that `save_with_signature` wrote."""
    folder = Path(folder)
    present = _digests(folder / CHECKPOINT)
    written = read_model_file(folder).get("files")
    written = written if isinstance(written, dict) else {}
    for name in sorted({*present, *written}):
        if present.get(name) != written.get(name):
            raise InputFileError(
                f"{folder / CHECKPOINT / name}: is not the file that {MODEL} was written with", "train the parser again"
            )
    return load(folder / CHECKPOINT, device=device)


def _digests(folder: Path) -> dict[str, str]:
    """The digests of all files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(path: Path) -> str:
    with path.open("rb") as stream:  # weights may be larger than what is read at once
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def load(folder: Path | str, *, device: str = "") -> Pretrained:
    """The parser in a directory."""
    folder = Path(folder)
    record = _record(folder / RECORD)
    parser = Pretrained(folder, FineTuningSettings.from_dict(record["settings"]), record["seed"], device)
    words = Words(tuple(record["words"]), record["blanks"]) if "words" in record else None
    # What was trained lies here, whatever it was trained from.
    parser.kind = make_kind(folder, replace(parser.settings, random_weights=False), words)
    if words is not None:
        _load_decoder(parser.kind.module, folder / "decoder" / "decoder.safetensors")
    parser.place()
    return parser


def _load_decoder(module: Any, path: Path) -> None:
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    tensors, _ = load_checkpoint(path)
    module.decoder.load_state_dict(tensors)


def _record(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", "save the parser again") from None
    if not isinstance(record, dict) or record.get("form") != FORM:
        raise InputFileError(f"{path}: is not a saved parser", f"its form must be {FORM}")
    missing = [key for key in ("settings", "seed") if key not in record]
    if missing:
        raise InputFileError(f"{path}: the key {missing[0]!r} is missing", "save the parser again")
    return record
