"""Reading text and writing files whole or not at all.

Text is UTF-8, gzipped where the name ends in `.gz`. What is read is held whole, so that it has a limit: `max_unpacked`.
Files are unpacked piece by piece, and no more than the limit and a piece is ever held.

A write goes to a temporary name in the same directory and is then renamed, so a reader never sees half a file and a
failure leaves nothing behind.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from io import BytesIO
from pathlib import Path

from recombine.errors import InputFileError, OutputFileError
from recombine.max_unpacked import VARIABLE, max_unpacked, size_text

_PIECE = 1 << 20


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
        return _read_limited(path)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: not a whole gzip file ({error})", "copy it again") from error
    except MemoryError:
        raise InputFileError(f"{path}: does not fit into memory", f"give a smaller file, or lower {VARIABLE}") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})", "check its permissions") from error


def _read_limited(path: Path) -> bytes:
    packed, limit = path.suffix == ".gz", max_unpacked()
    buffer = BytesIO()
    with gzip.open(path) if packed else path.open("rb") as stream:
        if not packed and path.stat().st_size > limit:
            raise too_large(path, "is larger", limit)
        while piece := stream.read(_PIECE):
            buffer.write(piece)
            if buffer.tell() > limit:
                raise too_large(path, "unpacks to more" if packed else "is larger", limit)
    return buffer.getvalue()


def too_large(path: Path | str, what: str, limit: int) -> InputFileError:
    """What to raise for a file that would be held whole and is larger than the limit."""
    remedy = f"raise the limit with --max-unpacked or {VARIABLE}, if there is memory for it, or give a smaller file"
    return InputFileError(f"{path}: {what} than {size_text(limit)}", remedy)


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
