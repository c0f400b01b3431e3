"""The records of a file of logical forms, one JSON object a line, with a progress bar over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def iter_form_records(file: Path | str, doing: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records, each with the words that errors name it by."""
    text = read_utf8(file)
    if not text.strip():
        return
    total = text.count(b"\n") + (not text.endswith(b"\n"))
    for number, record in tracked(iter_json_lines(text, file), doing, total=total):
        yield f"line {number}", record
