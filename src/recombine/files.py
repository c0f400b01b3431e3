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
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import contextmanager
from io import BytesIO, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from recombine.errors import InputFileError, OutputFileError
from recombine.max_unpacked import VARIABLE, max_unpacked, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    return read_utf8(path).decode()


def read_utf8(path: Path | str) -> bytes:
    """The text of a file as it is in UTF-8, without a mark of its order; refused as by `read_text`."""
    return check_utf8(path, read_text_bytes(path)).removeprefix(BOM_UTF8)


def check_utf8(path: Path | str, data: bytes) -> bytes:
    """The bytes of a file, which must be UTF-8."""
    bad = _first_not_utf8(data)
    if bad is not None:
        line = data.count(b"\n", 0, bad) + 1
        raise InputFileError(
            f"{path}: is not UTF-8 text (byte {data[bad]:#04x} at offset {bad}, in line {line})", "convert it to UTF-8"
        )
    return data


def read_text_bytes(path: Path | str) -> bytes:
    """The bytes of a file that is not binary; they need not be UTF-8."""
    data = read_bytes(path)
    zero = data.find(b"\0")
    if zero >= 0 and data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise InputFileError(f"{path}: is UTF-16 text", "save it as UTF-8, or convert it")
    if zero >= 0:
        raise InputFileError(f"{path}: is a binary file (a zero byte at offset {zero})", "give a UTF-8 text file")
    return data


def _first_not_utf8(data: bytes) -> int | None:
    """Where the first byte is that is no UTF-8; found piece by piece, as the whole text would be as large again."""
    view, start = memoryview(data), 0
    while start < len(data):
        stop = min(start + _PIECE, len(data))
        while stop < len(data) and stop > start + _PIECE - 4 and data[stop] & 0xC0 == 0x80:
            stop -= 1  # not in the middle of a character
        try:
            str(view[start:stop], "utf-8")
        except UnicodeDecodeError as error:
            return start + error.start
        start = stop
    return None


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
    with writing_whole(path) as stream:
        stream.write(data)


@contextmanager
def writing_whole(path: Path | str) -> Iterator[BinaryIO]:
    """A stream to write a file piece by piece, which is there complete after the block or not at all.

    `.gz` names are packed with no time stamp, to the same bytes however they are cut into pieces.
    """
    path = check_writable(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            if path.suffix == ".gz":
                with PackedStream(stream) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield stream
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OutputFileError(
            f"{path}: cannot be written ({error.strerror or error})", "choose another place"
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


class PackedStream(RawIOBase):
    """Packs what is written to it as `gzip.compress` does, with no time stamp."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._packer = zlib.compressobj(9, zlib.DEFLATED, wbits=31)
        self._written = 0

    def writable(self) -> bool:
        """That it takes bytes."""
        return True

    def write(self, data: Any, /) -> int:
        """Pack some bytes."""
        view = memoryview(data)
        self._stream.write(self._packer.compress(view))
        self._written += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        """How many bytes were packed so far."""
        return self._written

    def close(self) -> None:
        """Write what is still held; the stream below stays open."""
        if not self.closed:
            self._stream.write(self._packer.flush())
        super().close()


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
