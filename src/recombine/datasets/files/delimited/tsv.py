"""Tab-separated values: what double quotes mean in them.

Fields are read as they stand; only where every field of a file is in double quotes are these undone. A file that is
quoted in part, as spreadsheets and pandas quote what needs it, cannot be read as it stands where the quotes matter: its
header is in quotes, a field in quotes has doubled ones inside, or a tab or line break within quotes tears lines. It is
read as CSV with tabs where that is whole: every quote closed and every record of as many fields. All else that is
quoted in part is refused, such as a column all in quotes and nothing else: what its quotes mean cannot be known.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from recombine.datasets.files.delimited.csv_file import SeparatedLines, is_whole
from recombine.datasets.files.delimited.header import Header, Line, find_header, warn
from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from recombine.datasets.files.delimited.header import Lines

JSON_COLUMNS = frozenset(("derivation", "tags"))
"""Columns that hold JSON text, which has double quotes of its own."""

_IN_QUOTES = re.compile(r'"[^"]*(?:""[^"]*)*"')
_QUOTED_FIELD = re.compile(r'"([^"]*(?:""[^"]*)*)"(\t|\r?\n|\Z)')
_PLAIN = (
    "write it as .jsonl or .parquet, or as TSV with every field in quotes, the header's too, or none; where its quotes "
    "are quoting, name it .csv"
)


def parse_tsv(
    text: str,
    path: Path,
    *,
    source: str,
    target: str,
    columns: Sequence[str] = (),
    refuse: Callable[[RecordError], None] | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of a text, each after its line; `columns` names those of a file without header and quotes.

    `refuse` is told of a line that is none, after which the others are read; where it is not given, that is raised.
    """
    if not text.strip():
        return
    quoted = not columns and _is_quoted(text)
    in_part = not columns and not quoted and '"' in text and _is_quoted_in_part(text)
    lines: Lines = SeparatedLines(text, path, "\t") if in_part else _Lines(text, quoted=quoted)
    if not (quoted or in_part or columns) and all(_IN_QUOTES.fullmatch(field) for field in lines.first.fields):
        raise RecordError(path, "line 1", "its fields are in double quotes, but not every field of the file is", _PLAIN)
    header = Header(list(columns), named=False) if columns else find_header(path, lines, source, target)
    records = header.records(path, lines)
    if len((first := next(iter(records))).fields) != len(header.names) and first.number == 1:
        raise _ragged(path, header.names, first)  # what is wrong is the header, and not this line
    if not (quoted or in_part or columns) and '"' in text:
        _check_quotes(path, header.names, records)
    if quoted:
        warn(f"{path}: every field is in double quotes, which are read as quoting")
    if in_part:
        warn(f"{path}: some fields are in double quotes, which are read as quoting, as in CSV")
    if not columns:
        header.say_if_guessed(path, lines.first.fields)
    for line in records:
        if len(line.fields) == len(header.names):
            yield line.number, dict(zip(header.names, line.fields, strict=True))
        elif refuse is None:
            raise _ragged(path, header.names, line)
        else:
            refuse(_ragged(path, header.names, line))


class _Lines:
    """The lines of a text, each made when it is asked for: a list of all would take many times the text."""

    def __init__(self, text: str, *, quoted: bool, skipped: int = 0) -> None:
        self._text, self._quoted, self._skipped = text, quoted, skipped

    @property
    def first(self) -> Line:
        """The first line; there is one."""
        return next(iter(self))

    def after_header(self) -> _Lines:
        """All lines but the first."""
        return _Lines(self._text, quoted=self._quoted, skipped=1)

    def __iter__(self) -> Iterator[Line]:
        lines = _iter_quoted(self._text) if self._quoted else _iter_plain(self._text)
        return islice(lines, self._skipped, None)


def _iter_plain(text: str) -> Iterator[Line]:
    end = len(text) - text.endswith("\n")
    start, number = 0, 1
    while (stop := text.find("\n", start, end)) >= 0:
        yield Line(number, text[start:stop].removesuffix("\r").split("\t"))
        start, number = stop + 1, number + 1
    yield Line(number, text[start:end].removesuffix("\r").split("\t"))


def _is_quoted(text: str) -> bool:
    """Whether every field of a text is in double quotes."""
    try:
        for _ in _iter_quoted(text):
            pass
    except _NotQuotedError:
        return False
    return True


def _is_quoted_in_part(text: str) -> bool:
    """Whether a text cannot be read as it stands because of its quotes, and can be read as CSV with tabs."""
    lines = _Lines(text, quoted=False)
    first = lines.first.fields
    json = [place for place, name in enumerate(first) if name in JSON_COLUMNS]
    torn = opened = False
    told = all(_IN_QUOTES.fullmatch(field) for field in first)
    for line in lines:
        if told:
            break
        torn = torn or len(line.fields) != len(first)
        for place, field in enumerate(line.fields):
            if field.startswith('"') and place not in json:
                closed = is_in_quotes(field)
                opened = opened or not closed
                told = told or (closed and '""' in field[1:-1])
        told = told or (torn and opened)
    return told and is_whole(text, "\t")


class _NotQuotedError(Exception):
    """A field of a text is not in double quotes."""


def _iter_quoted(text: str) -> Iterator[Line]:
    """The lines of a file whose every field is in double quotes."""
    fields: list[str] = []
    place, number, begun = 0, 1, 1
    while place < len(text) or fields:
        match = _QUOTED_FIELD.match(text, place)
        if match is None:
            raise _NotQuotedError
        fields.append(match[1].replace('""', '"'))
        place = match.end()
        number += match[0].count("\n")
        if match[2] != "\t":
            yield Line(begun, fields)
            fields, begun = [], number


# -- what cannot be read --------------------------------------------------------------------------------------------


def _ragged(path: Path, header: Sequence[str], line: Line) -> RecordError:
    """What is wrong with a line that is empty or has another number of fields."""
    number, fields = line
    if fields == [""]:
        return RecordError(path, f"line {number}", "is empty", "remove it", reason="empty")
    open_quote = any(field.startswith('"') and not _IN_QUOTES.fullmatch(field) for field in fields)
    remedy = "mend the line"
    if open_quote:
        remedy = f"it has a double quote that is not closed on the line; if the file is quoted, {_PLAIN}"
    elif number == 1 and len(fields) == 1:
        remedy = "separate the fields by tabs"
    elif number == 1:
        remedy = "name the columns with --source and --target; without a header, number them: --source 1 --target 2"
    problem = f"{len(fields)} fields where {len(header)} are expected"
    return RecordError(path, f"line {number}", problem, remedy, reason="ragged")


def _check_quotes(path: Path, header: Sequence[str], records: Lines) -> None:
    """Refuse a file in which some fields are quoted and others are not: what its quotes mean cannot be known."""
    for place, name in enumerate(header):
        if name in JSON_COLUMNS:
            continue
        everywhere = True
        for line in records:
            if len(line.fields) != len(header):
                continue
            field = line.fields[place]
            quoted = is_in_quotes(field)
            everywhere = everywhere and quoted
            if quoted and '""' in field[1:-1]:
                raise RecordError(
                    path,
                    f"line {line.number}",
                    f"the field {name!r} is in double quotes, with doubled ones inside, but not every field is",
                    _PLAIN,
                )
        if everywhere:
            raise RecordError(
                path,
                f"line {next(iter(records)).number}",
                f"the field {name!r} is in double quotes, as in all lines, but not every field is",
                _PLAIN,
            )


def is_in_quotes(field: str) -> bool:
    """Whether a field would be taken for quoted, so that every field of its file must be.

    >>> is_in_quotes('"a"'), is_in_quotes('say "a"')
    (True, False)
    """
    return field.startswith('"') and _IN_QUOTES.fullmatch(field) is not None


def write_line(fields: Sequence[str], *, quoted: bool) -> str:
    """Fields as a line; `quoted` is whether every field of the file is in quotes."""
    if quoted:
        fields = ['"' + field.replace('"', '""') + '"' for field in fields]
    return "\t".join(fields) + "\n"
