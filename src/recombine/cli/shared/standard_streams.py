"""Standard output that fails in one known way, and standard error that never fails.

A result that cannot be written ends the command with `OutputLost`, whatever the printing library is; afterwards the
stream takes everything and writes nothing, so that the flush at the interpreter's end has nothing to complain of. A
message that cannot be written is lost: there is no place left to say so.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

OUT, ERR = 1, 2


class OutputLost(Exception):  # noqa: N818  # no error of the user's where a reader went away
    """Standard output takes nothing more: its reader went away, or there is no space."""

    def __init__(self, error: OSError) -> None:
        self.reader_gone = isinstance(error, BrokenPipeError)
        self.reason = error.strerror or str(error)
        super().__init__(self.reason)


class _Stream(io.FileIO):
    """A file that is written until that fails, and then only in appearance; opened where it was closed."""

    def __init__(self, number: int) -> None:
        self._failed = False
        self._closed = not _is_open(number)
        if self._closed:
            _occupy(number)  # else the next file that is opened would be the standard stream
        super().__init__(number, "wb", closefd=False)

    def write(self, data: ReadableBuffer, /) -> int:
        size = memoryview(data).nbytes
        if self._failed:
            return size
        try:
            if self._closed:
                raise OSError(9, "it is closed")
            return super().write(data)
        except OSError as error:
            self._failed = True
            self.lost(error)
            return size

    def lost(self, error: OSError) -> None:
        """What to do when a write fails."""


class _Output(_Stream):
    def lost(self, error: OSError) -> None:
        raise OutputLost(error) from error


def guard_streams() -> None:
    """Put the streams of this process in place; those that someone else has put there are left alone."""
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(OUT), sys.__stdout__)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Stream(ERR), sys.__stderr__, errors="backslashreplace", line_buffering=True)


def _text(raw: _Stream, old: Any, *, errors: str = "strict", line_buffering: bool = False) -> io.TextIOWrapper:
    """A text stream like the one that was there."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=old.encoding if old is not None else "utf-8",
        errors=old.errors if old is not None else errors,
        line_buffering=line_buffering or raw.isatty(),
    )


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _occupy(number: int) -> None:
    opened = os.open(os.devnull, os.O_WRONLY)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
