"""Reading text and writing files whole or not at all.

Text is UTF-8, gzipped where the name ends in `.gz`. A write goes to a temporary name in the same directory and is then
renamed, so a reader never sees half a file and a failure leaves nothing behind.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from pathlib import Path

from recombine.errors import InputFileError, OutputFileError


def check_file(path: Path | str) -> Path:
    """The path, when there is a file."""
    path = Path(path)
    if not path.exists():
        raise InputFileError(f"{path}: no such file", "check the path")
    if path.is_dir():
        raise InputFileError(f"{path}: is a directory", "name a file in it")
    return path


def read_bytes(path: Path | str) -> bytes:
    """The content of a file, unpacked where its name ends in `.gz`."""
    path = check_file(path)
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: not a whole gzip file ({error})", "copy it again") from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})", "check its permissions") from error


def read_text(path: Path | str) -> str:
    """The text of a file; binary content is refused with the place of the first bad byte."""
    data = read_bytes(path)
    zero = data.find(b"\0")
    if zero >= 0:
        raise InputFileError(f"{path}: is a binary file (a zero byte at offset {zero})", "give a UTF-8 text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{path}: is not UTF-8 text (byte {data[error.start]:#04x} at offset {error.start})",
            "convert it to UTF-8",
        ) from error


def check_writable(path: Path | str) -> Path:
    """The path, when a file can be written there; called before long work, so that nothing is computed in vain."""
    path = Path(path)
    if path.is_dir():
        raise OutputFileError(f"{path}: is a directory", "give a file name")
    parent = path.parent
    if not parent.is_dir():
        raise OutputFileError(f"{path}: the directory {parent} does not exist", "make it first")
    try:
        handle, name = tempfile.mkstemp(dir=parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error
    os.close(handle)
    Path(name).unlink()
    return path


def write_whole(path: Path | str, data: bytes) -> None:
    """Write a file so that it is there complete or not at all; `.gz` names are packed with no time stamp."""
    path = check_writable(path)
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def make_folder(path: Path | str) -> Path:
    """A folder, made where it is missing; what holds it must be there."""
    path = Path(path)
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputFileError(f"{path}: cannot be made ({error.strerror})", "choose another place") from error
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
