"""Records that cannot be used: all are counted, and then refused together, or left out where that was asked for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecordError, UnreadableError, reasons_text
from recombine.records.skipping import left_out, skips
from recombine.records.unreadable import Unreadable, UnreadableRecord

if TYPE_CHECKING:
    from pathlib import Path


class Faults:
    """The faults of one reading of a file.

    >>> faults = Faults("mine.jsonl")
    >>> for line in (3, 7):
    ...     faults.add(RecordError("mine.jsonl", f"line {line}", "no field 'target'", reason="missing_field"))
    >>> faults.finish(10)
    Traceback (most recent call last):
    recombine.errors.UnreadableError: mine.jsonl: 2 of 12 records cannot be read (2 missing field): line 3: no field
    'target'; line 7: no field 'target'; mend them, or leave them out with --skip-unreadable
    """

    def __init__(self, data: Path | str) -> None:
        self.skip = skips()
        self.counts: Counter[str] = Counter()
        self._data = str(data)
        self._first: list[RecordError] = []
        self._left_out: list[UnreadableRecord] = []

    def add(self, error: RecordError, record: Any = None) -> None:
        """Count a record that cannot be used."""
        self.counts[error.reason] += 1
        if len(self._first) < UnreadableError.NAMED:
            self._first.append(error)
        if self.skip:
            self._left_out.append(UnreadableRecord(error.path, error.record, error.reason, error.fault, record))

    def finish(self, read: int) -> Unreadable | None:
        """Refuse the data where it has faults, or say what was left out; `read` is the number of good records."""
        records = read + self.counts.total()
        if self.skip and not read and records:
            raise InputFileError(
                f"{self._data}: none of its {records:,} records can be read ({reasons_text(self.counts)}), such as "
                f"{self._first[0].record}: {self._first[0].fault}",
                "name its fields with --source and --target, and the language of its targets with --language",
            )
        if self.skip:
            found = Unreadable(self._data, records, tuple(self._left_out))
            left_out(found)
            return found
        if len(self._first) == 1:
            raise self._first[0]
        if not read and len({error.fault for error in self._first}) == len(self.counts) == 1:
            raise self._first[0].in_all(records)  # it is not the records that are wrong, but what was asked of them
        if self._first:
            raise UnreadableError(self._data, self._first, self.counts, records)
        return None
