"""Tab-separated values: which line is the header, and what double quotes mean.

The first line is the header where it has the columns that are asked for. Columns may be asked for by number, the first
being 1, and then there is no header. Where nothing is asked for and no columns are named `source` and `target`, a file
of two columns has no header, which is said in a warning; a first line that looks like one is refused. Fields are read
as they stand; only where every field of a file is in double quotes are these undone. A file quoted in part is refused.
"""

from __future__ import annotations

import re
import shlex
import warnings
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import InputFileError, InputWarning, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

DEFAULT = ("source", "target")
_SOURCES = (
    "source src input inputs question questions utterance sentence text command nl nlq naturallanguage english prompt "
    "instruction paraphrase request"
)
_TARGETS = (
    "target tgt output outputs query queries program programs sql sparql funql lambda lf logicalform mr meaning parse "
    "meaningrepresentation code action actions answer label labels form formula sexpr sexpression response gold"
)
_OTHERS = "id ids index idx split part db dbid database domain type category template"
SOURCE_NAMES, TARGET_NAMES, OTHER_NAMES = (frozenset(names.split()) for names in (_SOURCES, _TARGETS, _OTHERS))
"""What columns are usually called, in lower case and without blanks, dots, hyphens and underscores."""
JSON_COLUMNS = frozenset(("derivation", "tags"))
"""Columns that hold JSON text, which has double quotes of its own."""

_WORD = re.compile(r"[^\W\d][\w.-]*")
_IN_QUOTES = re.compile(r'"[^"]*(?:""[^"]*)*"')
_QUOTED_FIELD = re.compile(r'"([^"]*(?:""[^"]*)*)"(\t|\r?\n|\Z)')
_PLAIN = "write it as .jsonl or .parquet, or as TSV with every field in quotes, the header's too, or none"


class Line(NamedTuple):
    """The fields of a record, and the line that it begins on."""

    number: int
    fields: list[str]


def parse_tsv(
    text: str, path: Path, *, source: str, target: str, columns: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of a text, each after its line; `columns` names those of a file without header and quotes."""
    if not text.strip():
        return
    quoted = not columns and _is_quoted(text)
    lines = _Lines(text, quoted=quoted)
    if not quoted and not columns and all(_IN_QUOTES.fullmatch(field) for field in lines.first.fields):
        raise RecordError(path, "line 1", "its fields are in double quotes, but not every field of the file is", _PLAIN)
    header = list(columns) or _header(path, lines, source, target)
    named = not columns and header == lines.first.fields
    records = lines.after_header() if named else lines
    _check_lines(path, header, records)
    if not quoted and not columns and '"' in text:
        _check_quotes(path, header, records)
    if quoted:
        _warn(f"{path}: every field is in double quotes, which are read as quoting")
    if not columns and header == list(DEFAULT) and not named:
        one, two = (_short(field) for field in lines.first.fields)
        _warn(
            f"{path}: no header with the columns 'source' and 'target', so line 1 is taken as an example "
            f"({one} → {two}); if it is a header, name its columns with --source and --target"
        )
    for number, fields in records:
        yield number, dict(zip(header, fields, strict=True))


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


# -- the header ---------------------------------------------------------------------------------------------------


def _by_number(source: str, target: str) -> bool:
    return all(name.isascii() and name.isdigit() and name[0] != "0" for name in (source, target))


def _header(path: Path, lines: _Lines, source: str, target: str) -> list[str]:
    """The names of the columns: those of the first line, or numbers, or the two defaults."""
    first = lines.first.fields
    named = source in first and target in first
    if _by_number(source, target):
        return _numbers(path, first, source, target, named=named)
    if named:
        repeated = next((name for name in first if first.count(name) > 1), None)
        if repeated is not None:
            raise RecordError(path, "line 1", f"two columns are named {repeated!r}", "give every column its own name")
        return first
    if (source, target) != DEFAULT:
        missing = source if source not in first else target
        raise RecordError(
            path,
            "line 1",
            f"no column {missing!r}",
            f"the first line has: {', '.join(first)}; without a header, number the columns: --source 1 --target 2",
        )
    if _looks_like_names(lines):
        _refuse_names(path, first)
    return list(DEFAULT)


def _numbers(path: Path, first: Sequence[str], source: str, target: str, *, named: bool) -> list[str]:
    if named:
        raise RecordError(
            path,
            "line 1",
            f"has the fields {source!r} and {target!r}, so these could be names or numbers of columns",
            "put a line with other names before it, and give those",
        )
    last = max(int(source), int(target))
    if last > len(first):
        raise RecordError(path, "line 1", f"no column {last}: there are {len(first)}", "count the columns from 1")
    return [str(number) for number in range(1, len(first) + 1)]


def _looks_like_names(lines: _Lines) -> bool:
    """Whether the first line reads like a header: usual names of columns, or words that occur in no other line.

    One usual name is enough where every other field is one word. Without any, all fields are one word, no other line is
    like that, and none of the words occurs again in its column.
    """
    first = lines.first.fields
    usual = [_is_usual(field) for field in first]
    words = [_WORD.fullmatch(field.strip()) is not None for field in first]
    if len(first) > 1 and any(usual) and all(known or word for known, word in zip(usual, words, strict=True)):
        return True
    if len(first) < 2 or not all(words):
        return False
    others = 0
    for line in lines.after_header():
        if len(line.fields) == len(first):
            others += 1
            if all(_WORD.fullmatch(field.strip()) for field in line.fields):
                return False
            if any(word.strip() in field.split() for word, field in zip(first, line.fields, strict=True)):
                return False
    return others > 0


def _is_usual(field: str) -> bool:
    return _bare(field.strip().strip('"')) in SOURCE_NAMES | TARGET_NAMES | OTHER_NAMES


def _bare(name: str) -> str:
    """A name in lower case without blanks, dots, hyphens and underscores."""
    return re.sub(r"[\s_.-]+", "", name).lower()


def _refuse_names(path: Path, first: Sequence[str]) -> None:
    """Say that the first line looks like a header, with both remedies."""
    source, target = _suggested(first)
    raise RecordError(
        path,
        "line 1",
        f"looks like a header ({', '.join(first)}) without the columns 'source' and 'target'",
        f"name the columns, such as --source {shlex.quote(source)} --target {shlex.quote(target)}, or where it is an "
        "example and the file has no header, number them: --source 1 --target 2",
    )


def _suggested(first: Sequence[str]) -> tuple[str, str]:
    """The columns that are most likely meant."""

    def usual(names: frozenset[str]) -> str | None:
        return next((name for name in first if _bare(name) in names), None)

    source, target = usual(SOURCE_NAMES), usual(TARGET_NAMES)
    rest = [name for name in first if name not in (source, target)]
    rest.sort(key=_is_usual)  # an id or a part is the last to be meant
    source = source or rest.pop(0)
    return source, target or rest.pop(0)


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"


def _warn(message: str) -> None:
    warnings.warn(message, InputWarning, stacklevel=3)


# -- what cannot be read --------------------------------------------------------------------------------------------


def _check_lines(path: Path, header: Sequence[str], records: _Lines) -> None:
    """Refuse lines that are empty or have another number of fields."""
    if next(iter(records), None) is None:
        raise InputFileError(f"{path}: has a header and no records", "give a file with at least one")
    for number, fields in records:
        if len(fields) == len(header):
            continue
        if fields == [""]:
            raise RecordError(path, f"line {number}", "is empty", "remove it")
        open_quote = any(field.startswith('"') and not _IN_QUOTES.fullmatch(field) for field in fields)
        remedy = "mend the line"
        if open_quote:
            remedy = f"it has a double quote that is not closed on the line; if the file is quoted, {_PLAIN}"
        elif number == 1 and len(fields) == 1:
            remedy = "separate the fields by tabs"
        elif number == 1:
            remedy = "name the columns with --source and --target; without a header, number them: --source 1 --target 2"
        raise RecordError(path, f"line {number}", f"{len(fields)} fields where {len(header)} are expected", remedy)


def _check_quotes(path: Path, header: Sequence[str], records: _Lines) -> None:
    """Refuse a file in which some fields are quoted and others are not: what its quotes mean cannot be known."""
    for place, name in enumerate(header):
        if name in JSON_COLUMNS:
            continue
        everywhere = True
        for line in records:
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
