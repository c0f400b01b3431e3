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
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError, OutputFileError
from recombine.max_unpacked import VARIABLE, max_unpacked, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

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
    with _named_faults(path):
        return _read_limited(path)


@contextmanager
def open_bytes(path: Path | str) -> Iterator[BinaryIO]:
    """A file to be read piece by piece, unpacked where its name ends in `.gz`; it has no limit."""
    path = check_file(path)
    with _named_faults(path), gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        yield stream  # type: ignore[misc]  # a gzip file is one of bytes in all but its type


@contextmanager
def _named_faults(path: Path) -> Iterator[None]:
    """What goes wrong in reading a file becomes an error that names it."""
    try:
        yield
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


def write_pieces(path: Path | str, pieces: Iterable[bytes]) -> None:
    """Write a file piece by piece, so that it is there complete or not at all; `.gz` names are packed.

    Where the system has files without a name, it has none until it is complete: a process that is killed leaves
    nothing behind either.
    """
    path = check_writable(path)
    temporary: Path | None = None
    try:
        handle, temporary = _unfinished_file(path)
        with os.fdopen(handle, "wb") as stream:
            _write_all(stream, pieces, packed=path.suffix == ".gz")
            stream.flush()
            os.fchmod(handle, 0o666 & ~_umask())
            if temporary is None:
                _name_file(handle, path)
        if temporary is not None:
            temporary.replace(path)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error
        raise


def _write_all(stream: BinaryIO, pieces: Iterable[bytes], *, packed: bool) -> None:
    if not packed:
        stream.writelines(pieces)
        return
    with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packing:
        packing.writelines(pieces)


def _unfinished_file(path: Path) -> tuple[int, Path | None]:
    """A new file beside a path, and its name where it must have one."""
    if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").exists():
        try:
            return os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o600), None
        except OSError:  # not every file system has files without a name
            pass
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    return handle, Path(name)


def _name_file(handle: int, path: Path) -> None:
    """Let a file that has no name have this one, in place of a file that has it."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        place = os.open(folder, os.O_RDONLY)
        try:
            # Only a link into an open folder goes to the file itself, and not to the entry of /proc.
            os.link(f"/proc/self/fd/{handle}", path.name, dst_dir_fd=place)
        finally:
            os.close(place)
        (Path(folder) / path.name).replace(path)


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
