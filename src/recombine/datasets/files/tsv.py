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
    quoted = None if columns else _quoted_lines(text)
    lines = quoted or _plain_lines(text)
    if quoted is None and not columns and all(_IN_QUOTES.fullmatch(field) for field in lines[0].fields):
        raise RecordError(path, "line 1", "its fields are in double quotes, but not every field of the file is", _PLAIN)
    header = list(columns) or _header(path, lines, source, target)
    named = not columns and header == lines[0].fields
    records = lines[named:]
    _check_lines(path, header, records)
    if quoted is None and not columns and '"' in text:
        _check_quotes(path, header, records)
    if quoted is not None:
        _warn(f"{path}: every field is in double quotes, which are read as quoting")
    if not columns and header == list(DEFAULT) and not named:
        one, two = (_short(field) for field in lines[0].fields)
        _warn(
            f"{path}: no header with the columns 'source' and 'target', so line 1 is taken as an example "
            f"({one} → {two}); if it is a header, name its columns with --source and --target"
        )
    for number, fields in records:
        yield number, dict(zip(header, fields, strict=True))


def _plain_lines(text: str) -> list[Line]:
    lines = text.removesuffix("\n").split("\n")
    return [Line(number, line.removesuffix("\r").split("\t")) for number, line in enumerate(lines, start=1)]


def _quoted_lines(text: str) -> list[Line] | None:
    """The lines of a file whose every field is in double quotes; none where one is not."""
    lines: list[Line] = []
    fields: list[str] = []
    place, number, begun = 0, 1, 1
    while place < len(text) or fields:
        match = _QUOTED_FIELD.match(text, place)
        if match is None:
            return None
        fields.append(match[1].replace('""', '"'))
        place = match.end()
        number += match[0].count("\n")
        if match[2] != "\t":
            lines.append(Line(begun, fields))
            fields, begun = [], number
    return lines


# -- the header ---------------------------------------------------------------------------------------------------


def _by_number(source: str, target: str) -> bool:
    return all(name.isascii() and name.isdigit() and name[0] != "0" for name in (source, target))


def _header(path: Path, lines: Sequence[Line], source: str, target: str) -> list[str]:
    """The names of the columns: those of the first line, or numbers, or the two defaults."""
    first = lines[0].fields
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


def _looks_like_names(lines: Sequence[Line]) -> bool:
    """Whether the first line reads like a header: usual names of columns, or words that occur in no other line.

    One usual name is enough where every other field is one word. Without any, all fields are one word, no other line is
    like that, and none of the words occurs again in its column.
    """
    first = lines[0].fields
    usual = [_is_usual(field) for field in first]
    words = [_WORD.fullmatch(field.strip()) is not None for field in first]
    if len(first) > 1 and any(usual) and all(known or word for known, word in zip(usual, words, strict=True)):
        return True
    others = [line.fields for line in lines[1:] if len(line.fields) == len(first)]
    if len(first) < 2 or not others or not all(words):
        return False
    if any(all(_WORD.fullmatch(field.strip()) for field in fields) for fields in others):
        return False
    return not any(
        word.strip() in field.split() for fields in others for word, field in zip(first, fields, strict=True)
    )


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


def _check_lines(path: Path, header: Sequence[str], records: Sequence[Line]) -> None:
    """Refuse lines that are empty or have another number of fields."""
    if not records:
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


def _check_quotes(path: Path, header: Sequence[str], records: Sequence[Line]) -> None:
    """Refuse a file in which some fields are quoted and others are not: what its quotes mean cannot be known."""
    for place, name in enumerate(header):
        if name in JSON_COLUMNS:
            continue
        quoted = [line for line in records if _IN_QUOTES.fullmatch(line.fields[place])]
        doubled = next((line for line in quoted if '""' in line.fields[place][1:-1]), None)
        if doubled is not None:
            raise RecordError(
                path,
                f"line {doubled.number}",
                f"the field {name!r} is in double quotes, with doubled ones inside, but not every field is",
                _PLAIN,
            )
        if len(quoted) == len(records):
            raise RecordError(
                path,
                f"line {records[0].number}",
                f"the field {name!r} is in double quotes, as in all lines, but not every field is",
                _PLAIN,
            )


def write_tsv(rows: Sequence[Sequence[str]]) -> str:
    """Rows, the header first, as text; every field is in quotes where some would be taken for quoted otherwise."""
    quoted = any(_IN_QUOTES.fullmatch(field) for row in rows for field in row)
    if quoted:
        rows = [['"' + field.replace('"', '""') + '"' for field in row] for row in rows]
    return "".join("\t".join(row) + "\n" for row in rows)
