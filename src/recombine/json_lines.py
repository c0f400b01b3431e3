"""JSON lines: one object a line, and a line that is none is an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def iter_json_lines(
    text: str | bytes, path: Path | str, refuse: Callable[[RecordError], None] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a text, or of its UTF-8, with the numbers of their lines; the path is for errors.

    `refuse` is told of a line that is none, after which the others are read; where it is not given, that is raised.

    >>> list(iter_json_lines('{"id": 1}\\n{"id": 2}\\n', "mine.jsonl"))
    [(1, {'id': 1}), (2, {'id': 2})]
    """
    lines = _iter_lines(text.encode() if isinstance(text, str) else text)
    for number, (start, line) in enumerate(lines, start=1):
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            fault = _fault(line, path, f"line {number}", start)
        else:
            if isinstance(record, dict):
                yield number, record
                continue
            fault = RecordError(
                path, f"line {number}", "is not a JSON object", "write one {…} per line", reason="wrong_type"
            )
        if refuse is None:
            raise fault
        refuse(fault)


def _iter_lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines one by one, each after its offset; a list of all would take as much again."""
    end = len(text) - text.endswith(b"\n")
    start = 0
    while (stop := text.find(b"\n", start, end)) >= 0:
        yield start, text[start:stop]
        start = stop + 1
    yield start, text[start:end]


def _fault(line: bytes, path: Path | str, where: str, offset: int) -> RecordError:
    """What is wrong with a line that is no JSON."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        found = f"is not UTF-8 (byte {line[error.start]:#04x} at offset {offset + error.start})"
        return RecordError(path, where, found, "convert it to UTF-8", reason="encoding")
    if not text.strip():
        return RecordError(path, where, "is empty", "remove it", reason="empty")
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        column = f"broken JSON at column {error.colno} ({error.msg})"
        return RecordError(path, where, column, "mend it", reason="broken_json")
    return RecordError(path, where, "broken JSON", "mend it", reason="broken_json")
