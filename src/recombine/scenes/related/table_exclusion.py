"""Exclusion by a file of lines: `noun`, `attribute` or `relation`, what is asked, what is seen, and how sure it is.

Fields are separated by tabs; the last is a number from 0 to 1, and may be left out where it is 1. A line of two nouns
or two attributes says it both ways, a line of relations one way. Pairs that are not there do not exclude each other, or
are asked of another exclusion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.scenes.related.exclusion import Exclusion

TYPES = ("noun", "attribute", "relation")
SURE = 0.5
_FORM = "write TYPE, ASKED, SEEN and perhaps a number from 0 to 1, with tabs between them"


@dataclass(frozen=True)
class TableExclusion:
    """What a table says, and for other pairs what another exclusion does."""

    sure: Mapping[tuple[str, str, str], float]
    otherwise: Exclusion | None = None

    def noun(self, asked: str, seen: str) -> bool:
        """Whether no object is both."""
        said = self.sure.get(("noun", asked, seen))
        if said is None:
            return self.otherwise is not None and self.otherwise.noun(asked, seen)
        return said > SURE

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether no object has both."""
        said = self.sure.get(("attribute", asked, seen))
        if said is None:
            return self.otherwise is not None and self.otherwise.attribute(asked, seen)
        return said > SURE

    def relation(self, asked: str, seen: str) -> bool:
        """Whether what is seen rules out what is asked."""
        said = self.sure.get(("relation", asked, seen))
        if said is None:
            return self.otherwise is not None and self.otherwise.relation(asked, seen)
        return said > SURE


def read_table_exclusion(path: Path | str, *, otherwise: Exclusion | None = None) -> TableExclusion:
    """The exclusion of a file of lines; empty lines and those after # are passed over."""
    sure: dict[tuple[str, str, str], float] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        kind, asked, seen, value = _fields(path, number, line)
        ways = [(asked, seen)] if kind == "relation" else [(asked, seen), (seen, asked)]
        for first, second in ways:
            if sure.setdefault((kind, first, second), value) != value:
                pair = f"{first!r} and {second!r}"
                raise RecordError(path, f"line {number}", f"{pair} stand there with two numbers", "keep one of them")
    if not sure:
        raise InputFileError(f"{path}: holds no pair of names", _FORM)
    return TableExclusion(sure, otherwise)


def _fields(path: Path | str, number: int, line: str) -> tuple[str, str, str, float]:
    kind, *rest = line.split("\t")
    if kind not in TYPES or len(rest) not in (2, 3) or not all(each.strip() for each in rest):
        raise RecordError(path, f"line {number}", "is no pair of names", _FORM)
    try:
        value = float(rest[2]) if len(rest) == 3 else 1.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise RecordError(path, f"line {number}", f"{rest[2]!r} is no number from 0 to 1", _FORM)
    return kind, rest[0].strip(), rest[1].strip(), value
