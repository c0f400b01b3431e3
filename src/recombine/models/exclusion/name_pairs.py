"""Labelled pairs of names: whether what is seen rules out what is asked (COVR, App. A), as CSV files hold them.

A file has the columns `kind` (noun, attribute or relation), `asked`, `seen` and `excludes` (1 or 0). A pair of nouns or
of attributes is the same both ways and stands there once; of relations the order matters.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text, write_whole
from recombine.scenes.related.table_exclusion import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

KINDS = TYPES
RELATION = "relation"
COLUMNS = ("kind", "asked", "seen", "excludes")
_FORM = f"write the columns {', '.join(COLUMNS)}: a kind of {', '.join(KINDS)}, two names, and 1 or 0"


class NamePair(NamedTuple):
    """Two names of one kind, and whether the one that is seen excludes the one that is asked."""

    kind: str
    asked: str
    seen: str
    excludes: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """What two pairs of the same names have in common, in either order."""
        return self.kind, min(self.asked, self.seen), max(self.asked, self.seen)


def read_name_pairs(path: Path | str) -> list[NamePair]:
    """The pairs of a file, each once; one that is said twice in two ways is refused."""
    text = read_text(path)
    reader = csv.DictReader(io.StringIO(text), strict=True)
    said: dict[tuple[str, str, str], NamePair] = {}
    try:
        if reader.fieldnames is None or not set(COLUMNS) <= set(reader.fieldnames):
            raise InputFileError(f"{path}: holds no pairs of names", _FORM)
        for row in reader:
            pair = _pair(path, reader.line_num, row)
            key = (pair.kind, pair.asked, pair.seen) if pair.kind == RELATION else pair.key
            if said.setdefault(key, pair).excludes != pair.excludes:
                names = f"{pair.asked!r} and {pair.seen!r}"
                raise RecordError(path, f"line {reader.line_num}", f"{names} stand there with 1 and with 0", "keep one")
    except csv.Error as error:
        raise RecordError(path, f"line {reader.line_num}", f"is no CSV ({error})", _FORM) from None
    if not said:
        raise InputFileError(f"{path}: holds no pairs of names", _FORM)
    return list(said.values())


def _pair(path: Path | str, line: int, row: dict[str, str | None]) -> NamePair:
    kind, asked, seen, excludes = ((row.get(name) or "").strip() for name in COLUMNS)
    if kind not in KINDS or not asked or not seen or excludes not in ("0", "1") or None in row:
        raise RecordError(path, f"line {line}", "is no labelled pair of names", _FORM)
    if asked == seen:
        raise RecordError(
            path, f"line {line}", f"pairs {asked!r} with itself", "leave it out: it never excludes itself"
        )
    return NamePair(kind, asked, seen, excludes == "1")


def name_pairs_csv(pairs: Iterable[NamePair]) -> str:
    """The text of a file of pairs."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((pair.kind, pair.asked, pair.seen, int(pair.excludes)) for pair in pairs)
    return stream.getvalue()


def write_name_pairs(path: Path | str, pairs: Sequence[NamePair]) -> None:
    """Write a file of pairs, whole or not at all."""
    write_whole(path, name_pairs_csv(pairs).encode())
