"""Comma-separated values, as spreadsheets, pandas and databases write them.

A field may be in double quotes, and then holds separators, line breaks and doubled quotes. A file may be separated by
semicolons or tabs instead of commas: that under which its first line has the columns that are asked for; where columns
have numbers, the first of the three under which the first records have as many fields, two at least, which is said
unless it is the comma. A first line `sep=;`, as spreadsheets know it, says it too. A column without a name, such as the
index that pandas writes, is called `column_1` by its place. Where quotes are broken, the end of a record cannot be
known, so that the file is refused whole.
"""

from __future__ import annotations

import csv
import re
import sys
from itertools import islice
from typing import TYPE_CHECKING

from recombine.datasets.files.delimited.header import Line, find_header, warn
from recombine.errors import InputFileError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_SAID = re.compile(r"(?:\"sep=(.)\"|sep=(.))\r?\n", re.IGNORECASE)
_LOOKED_AT = 20


def parse_csv(
    text: str, path: Path, *, source: str, target: str, refuse: Callable[[RecordError], None] | None = None
) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of a text, each after the line that it begins on.

    `refuse` is told of a record of another number of fields, after which the others are read; else that is raised.
    """
    if not text.strip():
        return
    said = _SAID.match(text)
    separator = (said[1] or said[2]) if said else _find_separator(text, path, (source, target))
    lines = SeparatedLines(text, path, separator, skipped=1 if said else 0, named=True)
    first = lines.first.fields
    if len(first) < 2:
        raise RecordError(
            path, f"line {lines.first.number}", "1 field where 2 or more are expected", "separate fields by commas"
        )
    header = find_header(path, lines, source, target)
    records = header.records(path, lines)
    header.say_if_guessed(path, first)
    for line in records:
        if len(line.fields) == len(header.names):
            yield line.number, dict(zip(header.names, line.fields, strict=True))
            continue
        fault = _ragged(path, header.names, line, separator)
        if refuse is None or (not header.named and line.number == 1):
            raise fault
        refuse(fault)


def _find_separator(text: str, path: Path, wanted: tuple[str, str]) -> str:
    """What separates the fields of a text."""
    beginnings = {each: _beginning(text, path, each) for each in SEPARATORS}
    for separator, rows in beginnings.items():
        if rows and all(name in rows[0] for name in wanted):
            return separator
    for separator, rows in beginnings.items():
        if rows and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            if separator != ",":
                warn(f"{path}: its fields are taken to be separated by {SEPARATORS[separator]}")
            return separator
    return next((each for each, rows in beginnings.items() if rows and len(rows[0]) > 1), ",")


def _beginning(text: str, path: Path, separator: str) -> list[list[str]]:
    """The first records of a text under a separator, as far as it can be read so."""
    rows: list[list[str]] = []
    try:
        for line in islice(SeparatedLines(text, path, separator), _LOOKED_AT):
            rows.append(line.fields)  # those before a broken quote count too
    except InputFileError:
        pass
    return rows


class SeparatedLines:
    """The records of a text as `csv` reads them, each made when it is asked for; broken quotes are raised."""

    def __init__(self, text: str, path: Path, separator: str, *, skipped: int = 0, named: bool = False) -> None:
        self._text, self._path, self._separator, self._skipped = text, path, separator, skipped
        self._named = named  # whether the first record's empty fields get names

    @property
    def first(self) -> Line:
        """The first record; there is one."""
        line = next(iter(self))
        if not self._named:
            return line
        return Line(line.number, [name or f"column_{place}" for place, name in enumerate(line.fields, start=1)])

    def after_header(self) -> SeparatedLines:
        """All records but the first."""
        return SeparatedLines(self._text, self._path, self._separator, skipped=self._skipped + 1)

    def __iter__(self) -> Iterator[Line]:
        return islice(self._iter(), self._skipped, None)

    def _iter(self) -> Iterator[Line]:
        if csv.field_size_limit() < sys.maxsize:
            csv.field_size_limit(sys.maxsize)  # the text is held whole, and has a limit of its own
        reader = csv.reader(_iter_lines(self._text), delimiter=self._separator, strict=True)
        number = 1
        try:
            for fields in reader:
                yield Line(number, fields)
                number = reader.line_num + 1
        except csv.Error as error:
            raise _broken(self._path, number, reader.line_num, str(error)) from None


def _iter_lines(text: str) -> Iterator[str]:
    start = 0
    while (stop := text.find("\n", start)) >= 0:
        yield text[start : stop + 1]
        start = stop + 1
    if start < len(text):
        yield text[start:]


def _broken(path: Path, begun: int, line: int, problem: str) -> InputFileError:
    if "end of data" in problem:
        return InputFileError(
            f"{path}, line {begun}: a double quote is opened in this record and never closed", "close it"
        )
    if "new-line character" in problem:
        return InputFileError(f"{path}, line {line}: a lone carriage return", "end lines with LF or CRLF")
    return InputFileError(
        f"{path}, line {line}: text after a closing double quote", "double the quotes that are within a quoted field"
    )


def _ragged(path: Path, header: Sequence[str], line: Line, separator: str) -> RecordError:
    """What is wrong with a record of another number of fields."""
    where = f"line {line.number}"
    if not line.fields:
        return RecordError(path, where, "is empty", "remove it", reason="empty")
    remedy = f"put a field that holds {SEPARATORS.get(separator, repr(separator))} in double quotes, or mend the line"
    if line.number == 1:
        remedy = "name the columns with --source and --target; without a header, number them: --source 1 --target 2"
    elif len(line.fields) < len(header):
        remedy = "mend the line"
    problem = f"{len(line.fields)} fields where {len(header)} are expected"
    return RecordError(path, where, problem, remedy, reason="ragged")


def is_whole(text: str, separator: str) -> bool:
    """Whether all quotes of a text are closed, and all its records have as many fields, two at least."""
    reader = csv.reader(_iter_lines(text), delimiter=separator, strict=True)
    try:
        widths = {len(fields) for fields in reader}
    except csv.Error:
        return False
    return len(widths) == 1 and min(widths) > 1


def write_csv_line(fields: Sequence[str]) -> str:
    """Fields as a line; those that need it are in double quotes.

    >>> write_csv_line(["1", 'say "a", b', "x"])
    '1,"say ""a"", b",x\\n'
    """
    return ",".join(_quoted(field) for field in fields) + "\n"


def _quoted(field: str) -> str:
    plain = field and not any(mark in field for mark in '",;\t\r\n') and field.strip() == field
    return field if plain else '"' + field.replace('"', '""') + '"'
