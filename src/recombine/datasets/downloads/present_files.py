"""Which files of the data directory are what a download gives.

A file whose content is pinned is compared with that. What other downloads gave is noted in `downloads.json` of the data
directory: the digest of the file, and of all that it was made of.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import read_bytes, read_text, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.datasets.downloads.sources import Source

NOTES = "downloads.json"
MISSING, THERE, ANOTHER = "missing", "there", "another"
"""The states of a file: not there, what a download gives, something else of its name."""


def present_path(directory: Path, file: str) -> Path | None:
    """The path of a file of the data directory, gzipped or not; none where it is missing."""
    other = file.removesuffix(".gz") if file.endswith(".gz") else f"{file}.gz"
    return next((path for path in (directory / file, directory / other) if path.is_file()), None)


def file_state(directory: Path, source: Source, notes: Mapping[str, Any]) -> str:
    """Whether a file is missing, there, or another one."""
    path = present_path(directory, source.file)
    if path is None:
        return MISSING
    try:
        digest = content_digest(read_bytes(path))
    except InputFileError:  # such as half of a gzip file
        return ANOTHER
    if digest in (source.result, source.known):
        return THERE
    return THERE if not source.result and notes.get(source.file) == noted(source, digest) else ANOTHER


def content_digest(content: bytes) -> str:
    """The sha256 of a file's content, unpacked."""
    return hashlib.sha256(content).hexdigest()


def noted(source: Source, digest: str) -> dict[str, str]:
    """What is noted of a file that was made."""
    return {"sha256": digest, "recipe": source.recipe}


def read_notes(directory: Path) -> dict[str, Any]:
    """The notes of a data directory; none where they are missing or cannot be read, so that files are made again."""
    path = directory / NOTES
    try:
        notes = json.loads(read_text(path)) if path.is_file() else {}
    except ValueError:
        return {}
    return notes if isinstance(notes, dict) else {}


def write_notes(directory: Path, notes: Mapping[str, Any]) -> None:
    """Write the notes, whole."""
    write_whole(directory / NOTES, (json.dumps(dict(sorted(notes.items())), indent=1) + "\n").encode())
