"""Writes examples as JSON lines while they are made, so that they need not be in memory together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.files.tables import check_table_writable, table_format, table_line
from recombine.errors import OptionError
from recombine.files import writing_whole
from recombine.records.dataset import written_example

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.records.example import Example


def check_stream_writable(path: Path | str) -> Path:
    """The path, when JSON lines can be written there."""
    if table_format(path) != "jsonl":
        raise OptionError(f"{path}: is written while it is made, as JSON lines", "use .jsonl or .jsonl.gz")
    return check_table_writable(path)


def write_json_lines(examples: Iterable[Example], path: Path | str) -> None:
    """Write examples one by one; the file is there complete or not at all."""
    path = check_stream_writable(path)
    with writing_whole(path) as stream:
        for example in examples:
            stream.write(table_line(written_example(example), tuple(example.context), path))
