"""JSON lines: one object a line, and a line that is none is an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def iter_json_lines(text: str | bytes, path: Path | str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a text, or of its UTF-8, with the numbers of their lines; the path is for errors.

    >>> list(iter_json_lines('{"id": 1}\\n{"id": 2}\\n', "mine.jsonl"))
    [(1, {'id': 1}), (2, {'id': 2})]
    """
    for number, line in enumerate(_iter_lines(text.encode() if isinstance(text, str) else text), start=1):
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            raise _fault(line.decode(), path, f"line {number}") from None
        if not isinstance(record, dict):
            raise RecordError(path, f"line {number}", "is not a JSON object", "write one {…} per line")
        yield number, record


def _iter_lines(text: bytes) -> Iterator[bytes]:
    """The lines one by one; a list of all would take as much again."""
    end = len(text) - text.endswith(b"\n")
    start = 0
    while (stop := text.find(b"\n", start, end)) >= 0:
        yield text[start:stop]
        start = stop + 1
    yield text[start:end]


def _fault(line: str, path: Path | str, where: str) -> RecordError:
    """What is wrong with a line that is no JSON."""
    if not line.strip():
        return RecordError(path, where, "is empty", "remove it")
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it")
    return RecordError(path, where, "broken JSON", "mend it")
