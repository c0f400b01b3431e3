"""JSON lines: one object a line, and a line that is none is an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def iter_json_lines(text: str, path: Path | str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a text with the numbers of their lines; the path is for errors.

    >>> list(iter_json_lines('{"id": 1}\\n{"id": 2}\\n', "mine.jsonl"))
    [(1, {'id': 1}), (2, {'id': 2})]
    """
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        where = f"line {number}"
        if not line.strip():
            raise RecordError(path, where, "is empty", "remove it")
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it") from None
        if not isinstance(record, dict):
            raise RecordError(path, where, "is not a JSON object", "write one {…} per line")
        yield number, record
