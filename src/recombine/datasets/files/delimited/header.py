"""The columns of a file of separated values: the names of its first line, numbers, or the two defaults.

The first line is the header where it has the columns that are asked for. Columns may be asked for by number, the first
being 1, and then there is no header. Where nothing is asked for and no columns are named `source` and `target`, a file
of two columns has no header, which is said in a warning; a first line that looks like one is refused.
"""

from __future__ import annotations

import re
import shlex
import warnings
from typing import TYPE_CHECKING, NamedTuple, Protocol

from recombine.datasets.files.field_path import nearest
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
_WORD = re.compile(r"[^\W\d][\w.-]*")


class Line(NamedTuple):
    """The fields of a record, and the line that it begins on."""

    number: int
    fields: list[str]


class Lines(Protocol):
    """The lines of a file, each made when it is asked for; they can be gone through again and again."""

    @property
    def first(self) -> Line:
        """The first line; there is one."""

    def after_header(self) -> Lines:
        """All lines but the first."""

    def __iter__(self) -> Iterator[Line]: ...


class Header(NamedTuple):
    """The names of the columns, and whether they stand in the first line."""

    names: list[str]
    named: bool

    def records(self, path: Path, lines: Lines) -> Lines:
        """The lines that are records; there must be one."""
        records = lines.after_header() if self.named else lines
        if next(iter(records), None) is None:
            raise InputFileError(f"{path}: has a header and no records", "give a file with at least one")
        return records

    def say_if_guessed(self, path: Path, first: Sequence[str]) -> None:
        """Say that the first line is taken as an example, where nobody said so."""
        if self.named or self.names != list(DEFAULT) or len(first) != len(DEFAULT):
            return
        one, two = (_short(field) for field in first)
        warn(
            f"{path}: no header with the columns 'source' and 'target', so line 1 is taken as an example "
            f"({one} → {two}); if it is a header, name its columns with --source and --target"
        )


def find_header(path: Path, lines: Lines, source: str, target: str) -> Header:
    """The columns of a file of which these are wanted."""
    names = _header(path, lines, source, target)
    return Header(names, names == lines.first.fields)


def warn(message: str) -> None:
    """Say what was taken for granted."""
    warnings.warn(message, InputWarning, stacklevel=3)


def _by_number(source: str, target: str) -> bool:
    return all(name.isascii() and name.isdigit() and name[0] != "0" for name in (source, target))


def _header(path: Path, lines: Lines, source: str, target: str) -> list[str]:
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
            f"{nearest(missing, first)}the first line has: {', '.join(first)}; without a header, number the columns: "
            "--source 1 --target 2",
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


def _looks_like_names(lines: Lines) -> bool:
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
