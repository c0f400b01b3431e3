"""Text of which some bytes may not be UTF-8: the records that hold none of them can be read all the same."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_ESCAPED = re.compile("[\udc80-\udcff]")


class BadByte(NamedTuple):
    """The first byte of a line that is not UTF-8."""

    line: int
    offset: int
    byte: int


class LossyText(NamedTuple):
    """The text of a file, in which bytes that are not UTF-8 are escaped, and where they are."""

    text: str
    bad: list[BadByte]

    def fault(self, path: Path, number: int, record: Mapping[str, str]) -> RecordError | None:
        """What is wrong with a record that begins on a line and holds such bytes; nothing where it holds none."""
        if not self.bad or not any(_ESCAPED.search(value) for value in record.values()):
            return None
        _, offset, byte = next(each for each in self.bad if each.line >= number)
        problem = f"is not UTF-8 (byte {byte:#04x} at offset {offset})"
        return RecordError(path, f"line {number}", problem, "convert it to UTF-8", reason="encoding")


def read_lossy(path: Path) -> LossyText:
    """The text of a file; the first line, which says what the columns are, must be UTF-8."""
    data = read_text_bytes(path)
    try:
        return LossyText(data.removeprefix(BOM_UTF8).decode(), [])
    except UnicodeDecodeError:
        bad = _bad_bytes(data)
    if bad[0].line == 1:
        _, offset, byte = bad[0]
        raise InputFileError(
            f"{path}: is not UTF-8 text (byte {byte:#04x} at offset {offset}, in line 1)", "convert it to UTF-8"
        )
    return LossyText(data.removeprefix(BOM_UTF8).decode(errors="surrogateescape"), bad)


def _bad_bytes(data: bytes) -> list[BadByte]:
    found = []
    start = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            found.append(BadByte(number, start + error.start, line[error.start]))
        start += len(line) + 1
    return found
