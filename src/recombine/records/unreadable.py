"""Records that could not be read and were left out, with the reason of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.errors import OutputFileError, reasons_text
from recombine.files import read_bytes, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_BEGINNING = b'{"file":'
"""How every line of a list begins, so that a file that is none is not written over."""


class UnreadableRecord(NamedTuple):
    """A record that was left out."""

    file: str
    place: str
    reason: str
    problem: str
    record: Any = None
    """What was read of it; none where it is no record at all."""


@dataclass(frozen=True)
class Unreadable:
    """What was left out of a data set.

    >>> left = Unreadable("mine.jsonl", 300, (UnreadableRecord("mine.jsonl", "line 7", "missing_field", "no target"),))
    >>> left.counts, str(left)
    ({'missing_field': 1}, 'mine.jsonl: 1 of 300 records left out (1 missing field)')
    """

    data: str
    read: int
    """The records that there were, with those that were left out."""
    records: tuple[UnreadableRecord, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many were left out, by reason."""
        return dict(sorted(Counter(record.reason for record in self.records).items()))

    def to_dict(self) -> dict[str, Any]:
        """How many were left out of how many, and why."""
        return {"data": self.data, "records": self.read, "left_out": len(self.records), "reasons": self.counts}

    def __str__(self) -> str:
        why = f" ({reasons_text(self.counts)})" if self.records else ""
        return f"{self.data}: {len(self.records):,} of {self.read:,} records left out{why}"


def write_list(path: Path, found: Iterable[Unreadable]) -> None:
    """Write what was left out as JSON lines, whole or not at all."""
    records = (record._asdict() for each in found for record in each.records)
    write_whole(path, b"".join(orjson.dumps(record, default=str) + b"\n" for record in records))


def check_list_writable(path: Path) -> None:
    """Refuse to write a list over a file that is none."""
    if path.is_file() and path.stat().st_size and not read_bytes(path).startswith(_BEGINNING):
        raise OutputFileError(
            f"{path}: is there and is no list of unreadable records", "name another file with --unreadable"
        )
