"""Schema2QA from its raw files, as the local-structures paper has it (App. A.3).

A file is tab-separated, with double quotes around fields that have some: a column with programs, the first that begins
`now =>`, and the questions in the column before it. Programs lose their scope, and strings and numbers become constants
(`languages/thingtalk.py`); a repeated `compute count` is removed. In questions, the columns that strings are compared
with stand in their place. A program of a kind that the language does not read is left out and counted.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.own.converted import Converted
from recombine.errors import InputFileError, ProgramError, RecordError
from recombine.files import read_text
from recombine.languages.thingtalk import (
    parse_thingtalk,
    render_thingtalk,
    utterance_with_columns,
    without_repeated_count,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PROGRAM = "now =>"


def schema2qa_pairs(paths: Sequence[Path]) -> Converted:
    """Records with `source`, `target` and the `file` and `line` that they are from."""
    converted = Converted()
    for path in paths:
        column: int | None = None
        reader = csv.reader(io.StringIO(read_text(path)), delimiter="\t", strict=True)
        try:
            for row in reader:
                if not row:
                    continue
                column = _program_column(row) if column is None else column
                if column is None:
                    continue  # a header
                if len(row) <= column or not row[column].lstrip().startswith(PROGRAM):
                    problem = f"has no program in column {column + 1}"
                    raise RecordError(path, f"line {reader.line_num}", problem, f"write one that begins `{PROGRAM}`")
                _convert(converted, path, reader.line_num, row[column - 1], row[column])
        except csv.Error as error:
            raise RecordError(path, f"line {reader.line_num}", f"is no such table ({error})", "mend it") from None
        if column is None:
            raise InputFileError(f"{path}: no column has programs", f"give a file with programs that begin `{PROGRAM}`")
    return converted


def _program_column(row: list[str]) -> int | None:
    """The column of programs; there is none before the first question."""
    return next((place for place, cell in enumerate(row) if place and cell.lstrip().startswith(PROGRAM)), None)


def _convert(converted: Converted, path: Path, line: int, question: str, program: str) -> None:
    try:
        tree = without_repeated_count(parse_thingtalk(program))
    except ProgramError as error:
        converted.leave_out(error.problem.partition(": ")[2], f"{path.name}, line {line}")
        return
    source = utterance_with_columns(" ".join(question.split()), program)
    record = {"source": source, "target": render_thingtalk(tree), "file": path.name, "line": line}
    converted.records.append(record)
