"""Files that are too large to be held: read piece by piece, and written so, whole or not at all.

What is written has no name until it is complete, where the system has files without a name (Linux, on most file
systems): a process that is killed in the middle leaves nothing behind. Elsewhere it is a hidden folder beside the file.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from recombine.errors import InputFileError, OutputFileError
from recombine.files import check_file, check_writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@contextmanager
def open_pieces(path: Path | str) -> Iterator[BinaryIO]:
    """A file to be read piece by piece, unpacked where its name ends in `.gz`."""
    path = check_file(path)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast("BinaryIO", stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: not a whole gzip file ({error})", "copy it again") from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})", "check its permissions") from error


def write_pieces(path: Path | str, pieces: Iterable[bytes]) -> None:
    """Write a file so that it is there complete or not at all; `.gz` names are packed with no time stamp."""
    with writing_pieces(path) as stream:
        stream.writelines(pieces)


@contextmanager
def writing_pieces(path: Path | str) -> Iterator[BinaryIO]:
    """A stream to write a file with, which is there complete after the block or not at all; see `write_pieces`."""
    path = check_writable(path)
    try:
        nameless = _nameless_file(path.parent)
        if nameless is None:
            with _hidden_place(path) as place, place.open("wb") as stream:
                with _packed(stream, path) as packed:
                    yield packed
                place.replace(path)
        else:
            with os.fdopen(nameless, "wb") as stream:
                with _packed(stream, path) as packed:
                    yield packed
                with _hidden_place(path) as place:
                    _give_name(nameless, place)
                    place.replace(path)
    except OSError as error:
        raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error


@contextmanager
def _packed(stream: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """What is written to, all of which is in the file after the block."""
    if path.suffix == ".gz":
        with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packing:
            yield cast("BinaryIO", packing)
    else:
        yield stream
    stream.flush()


def _nameless_file(folder: Path) -> int | None:
    """A new file in a folder that has no name there; none where the system has no such files."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").exists():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:  # not every file system has them
        return None


@contextmanager
def _hidden_place(path: Path) -> Iterator[Path]:
    """A place of the same file system that nobody looks at, gone after the block."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        yield Path(folder) / path.name


def _give_name(nameless: int, place: Path) -> None:
    """Let a file that has no name be at a place."""
    folder = os.open(place.parent, os.O_RDONLY)
    try:
        # Only with an open folder does a link lead to the file itself, and not to the entry of /proc.
        os.link(f"/proc/self/fd/{nameless}", place.name, dst_dir_fd=folder)
    finally:
        os.close(folder)
