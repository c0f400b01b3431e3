"""The objects of a JSON file that is one array of them, read piece by piece.

Where an object ends is found by counting braces outside of texts, a whole piece at a time with numpy, and each object
is then parsed by itself. So no more is held than a piece and the object that it ends in, however long the file is. What
stands between the objects is checked too: a file that is cut off anywhere is an error that says where it ends.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import too_large
from recombine.max_unpacked import max_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PIECE = 1 << 22
"""The bytes that are read at a time; an object longer than that is read in larger pieces."""
_QUOTE, _BACKSLASH, _OPEN, _CLOSE = b'"\\{}'
_BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*\[[ \t\r\n]*")
_BETWEEN = re.compile(rb"[ \t\r\n]*,[ \t\r\n]*")
_END = re.compile(rb"[ \t\r\n]*\][ \t\r\n]*")
_CUT_OFF = "copy or download it again"


def iter_json_array(stream: BinaryIO, path: Path | str, *, piece: int = PIECE) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of an array with their numbers from 1; the path is for errors.

    >>> from io import BytesIO
    >>> list(iter_json_array(BytesIO(b'[{"a": "}"},\\n {"a": {}}]'), "mine.json"))
    [(1, {'a': '}'}), (2, {'a': {}})]
    """
    buffer, offset, number, wanted = b"", 0, 0, piece
    while read := stream.read(wanted):
        buffer += read
        spans, last = object_spans(buffer), 0
        for start, end in spans:
            number += 1
            _check_gap(buffer[last:start], path, number, offset + last)
            yield number, _parse(buffer[start:end], path, number, offset + start)
            last = end
        buffer, offset = buffer[last:], offset + last
        if len(buffer) > max_unpacked():
            raise too_large(path, f"has a record {number + 1} of more", max_unpacked())
        wanted = max(piece, len(buffer))  # what is begun is looked through again, so that it must grow by its own size
    _check_end(buffer, path, number, offset)


def object_spans(buffer: bytes) -> list[tuple[int, int]]:
    """Where the whole objects at the top level of a text begin and end; the text begins outside of all objects.

    >>> object_spans(b'[{"a": "\\\\"}"}, {"b": {}}, {"c"')
    [(1, 13), (15, 24)]
    """
    import numpy as np

    data = np.frombuffer(buffer, np.uint8)
    is_mark = np.zeros(256, bool)
    is_mark[[_QUOTE, _OPEN, _CLOSE]] = True
    places = np.flatnonzero(is_mark[data])
    backslashes = np.flatnonzero(data == _BACKSLASH)
    if backslashes.size:
        # Of a run of backslashes the first escapes the second, the third the fourth, and so on.
        order = np.arange(backslashes.size)
        begins = np.diff(backslashes, prepend=-2) != 1
        within = order - np.maximum.accumulate(np.where(begins, order, 0))
        escaped = np.zeros(data.size + 1, bool)
        escaped[backslashes[within % 2 == 0] + 1] = True
        places = places[~escaped[places]]
    marks = data[places]
    outside = (np.cumsum(marks == _QUOTE) % 2 == 0) & (marks != _QUOTE)
    places, marks = places[outside], marks[outside]
    depths = np.cumsum(np.where(marks == _OPEN, 1, -1))
    stray = np.flatnonzero(depths < 0)
    if stray.size:  # what closes nothing stays in the text between objects, and is refused there
        places, marks, depths = (values[: stray[0]] for values in (places, marks, depths))
    ends = places[(depths == 0) & (marks == _CLOSE)] + 1
    starts = places[(depths == 1) & (marks == _OPEN)]
    return list(zip(starts[: ends.size].tolist(), ends.tolist(), strict=True))


def _parse(text: bytes, path: Path | str, number: int, offset: int) -> dict[str, Any]:
    try:
        record: dict[str, Any] = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        where = f"broken JSON at byte {offset + error.pos} ({error.msg})"
        raise RecordError(path, f"record {number}", where, "mend it") from None
    return record


def _check_gap(gap: bytes, path: Path | str, number: int, offset: int) -> None:
    """Refuse what is not a comma between two objects, or the beginning of the array before the first."""
    wanted = _BEGIN if number == 1 else _BETWEEN
    if not wanted.fullmatch(gap):
        raise _stray(gap, path, number, offset)


def _check_end(rest: bytes, path: Path | str, number: int, offset: int) -> None:
    """Refuse a file that does not end with its array."""
    if number == 0:
        begin = _BEGIN.match(rest)
        if begin is None:
            raise InputFileError(f"{path}: is not an array of records", "write [{…}, {…}]")
        rest, offset = rest[begin.end() :], offset + begin.end()
    if _END.fullmatch(rest):
        return
    comma = _BETWEEN.match(rest)
    begun = rest[comma.end() if comma else 0 :]
    if not begun.strip() or begun.startswith(b"{"):
        inside = f"inside of record {number + 1}" if begun.strip() else f"after record {number}, before the array ends"
        end = offset + len(rest)
        raise InputFileError(f"{path}: is cut off at byte {end}, {inside}", _CUT_OFF)
    raise _stray(rest, path, number + 1, offset)


def _stray(text: bytes, path: Path | str, number: int, offset: int) -> RecordError:
    shown = text.strip()[:20].decode(errors="replace")
    return RecordError(
        path, f"record {number}", f"{shown!r} at byte {offset} is not a JSON object", "write an array of {…}"
    )
