"""A text file, gzipped or not, in blocks of whole lines: bounded memory, and every fault with its line.

A file is taken for gzipped by its first two bytes, whatever it is called. Text is UTF-8 without zero bytes; a mark of
its order at the start is left out. No more is held than a block and a line, and a line has a limit.
"""

from __future__ import annotations

import gzip
import zlib
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from recombine.errors import InputFileError, RecordError
from recombine.files import check_file
from recombine.max_unpacked import size_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = 4 << 20
"""How many bytes of text are held at once."""
MAX_LINE = 4 << 20
"""The longest line that is read; the longest of the public dumps are texts of about a million characters."""
_GZIP = b"\x1f\x8b"


class LineBlock(NamedTuple):
    """Whole lines of a file, the last one with its end, and the number of the first, counted from 1."""

    text: bytes
    first_line: int


def iter_line_blocks(path: Path, *, block: int = BLOCK, max_line: int = MAX_LINE) -> Iterator[LineBlock]:
    """The lines of a file, many at a time."""
    line, held = 1, b""
    for piece in iter_pieces(path, block):
        end = piece.rfind(b"\n") + 1
        if end:
            whole = held + piece[:end]
            _check(path, whole, line, max_line)
            yield LineBlock(whole, line)
            line += whole.count(b"\n")
            held = piece[end:]
        else:
            held += piece
        if len(held) > max_line:
            raise _too_long(path, line, max_line)
    if held:
        _check(path, held, line, max_line)
        yield LineBlock(held + b"\n", line)


def iter_pieces(path: Path, size: int) -> Iterator[bytes]:
    """The bytes of a file in pieces, unpacked, without a mark of their order."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw
            piece = stream.read(size).removeprefix(BOM_UTF8)
            while piece:
                yield piece
                piece = stream.read(size)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: not a whole gzip file ({error})", "copy it again") from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})", "check its permissions") from error


def first_bytes(path: Path | str, size: int = 1 << 16) -> bytes:
    """What a file begins with, unpacked."""
    return next(iter_pieces(check_file(path), size), b"")


def line_of(block: LineBlock, offset: int) -> int:
    """The line in which a byte of a block stands."""
    return block.first_line + block.text.count(b"\n", 0, offset)


def _check(path: Path, text: bytes, first_line: int, max_line: int) -> None:
    block = LineBlock(text, first_line)
    zero = text.find(b"\0")
    if zero >= 0:
        raise RecordError(path, f"line {line_of(block, zero)}", "holds a zero byte", "give a text file, or take it out")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise RecordError(
            path,
            f"line {line_of(block, error.start)}",
            f"is not UTF-8 text (byte {text[error.start]:#04x})",
            "convert the file to UTF-8",
        ) from error
    if len(text) > max_line:
        _check_lines(path, block, max_line)


def _check_lines(path: Path, block: LineBlock, max_line: int) -> None:
    """Refuse a line above the limit, where a block is large enough to hold one."""
    start = 0
    while start < len(block.text):
        # No line that ends within the limit from here can be too long: on to the one after them.
        stop = block.text.rfind(b"\n", start, start + max_line + 1)
        if stop < 0:
            if len(block.text) - start > max_line:
                raise _too_long(path, line_of(block, start), max_line)
            return
        start = stop + 1


def _too_long(path: Path, line: int, max_line: int) -> RecordError:
    return RecordError(path, f"line {line}", f"is longer than {size_text(max_line)}", "shorten it, or leave it out")
