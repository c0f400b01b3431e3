"""The files that a conversion reads, by the part that each plays in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Originals:
    """Files on this machine by role; a file that is all there is to a conversion has the role `""`."""

    paths: Mapping[str, Path]
    called: Mapping[str, str] = field(default_factory=dict)
    """How errors call a file, where that is not its path."""
    members: tuple[str, ...] = ()
    """The members of an archive that are wanted."""
    sample: str = ""
    """The name of the packaged list of those records that are wanted, in order; all are where it is empty."""

    def name(self, role: str = "") -> str:
        """How errors call a file."""
        return self.called.get(role, str(self.paths[role]))

    def text(self, role: str = "") -> str:
        """The text of a file."""
        return read_text(self.paths[role])

    def lines(self, role: str = "") -> list[str]:
        """The lines of a file, without their ends; other separators that Unicode has are text."""
        text = self.text(role).replace("\r\n", "\n")
        return text.removesuffix("\n").split("\n") if text else []

    def json(self, role: str = "") -> Any:
        """The value of a JSON file."""
        try:
            return orjson.loads(self.text(role))
        except orjson.JSONDecodeError as error:
            raise InputFileError(f"{self.name(role)}: is no JSON ({error})", "use the published file") from None

    def rows(self, role: str, columns: int, *, header: bool = False) -> Iterator[list[str]]:
        """The fields of every line, parted by tabs or blanks; a line with another number of them is an error."""
        for number, line in enumerate(self.lines(role), start=1):
            if header and number == 1:
                continue
            row = line.split("\t") if "\t" in line else line.split()
            if len(row) != columns:
                raise self.fault(role, number, f"has {len(row)} columns where {columns} belong")
            yield row

    def fault(self, role: str, line: int, problem: str) -> RecordError:
        """What to raise for a line that is not as its form has it."""
        return RecordError(self.name(role), f"line {line}", problem, "use the published file")
