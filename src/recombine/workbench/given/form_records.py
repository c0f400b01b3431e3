"""The records of a file of logical forms, one JSON object a line, or of a release, with a progress bar over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def iter_form_records(file: Path | str, doing: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records, each with the words that errors name it by; of a release, its questions with `source`, `target`."""
    from recombine.datasets.kbqa.known import find_form
    from recombine.datasets.kbqa.read_form import read_form

    if (form := find_form(file)) is not None:
        data = read_form(file, form)
        for example in tracked(data, doing, total=len(data)):
            tags = {name: value for name, value in example.tags.items() if name not in ("qid", "id")}
            yield (
                f"question {example.id}",
                {"id": example.id, "source": example.source, "target": example.target} | tags,
            )
        return
    text = read_utf8(file)
    if not text.strip():
        return
    total = text.count(b"\n") + (not text.endswith(b"\n"))
    for number, record in tracked(iter_json_lines(text, file), doing, total=total):
        yield f"line {number}", record
