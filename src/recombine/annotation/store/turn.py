"""A writer's turn: one transaction, the counts of the store, and the entries of the log that it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update

from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical
from recombine.annotation.store.log_entry import entry_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, CursorResult, Executable

_COUNTED = ("items", "ranks", "batches", "responses", "workers", "controls")
_HEAD = select(schema.head).with_for_update()
_SAVED = update(schema.head).values({name: bindparam(f"new_{name}") for name in ("log", "hash", *_COUNTED)})
_ENTRIES = insert(schema.log)


class Turn:
    """What an operation writes with.

    The head of the log is locked first, so that writers of two processes take turns: the log has one order, and so has
    everything else. No rows are locked besides, and none waits for another the other way round.
    """

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self._connection, self._clock = connection, clock
        row = connection.execute(_HEAD).mappings().one()
        self._counts = {name: int(row[name]) for name in _COUNTED}
        self._log, self._hash = int(row["log"]), str(row["hash"])
        self._entries: list[dict[str, Any]] = []
        self.now = clock()
        self.writes = 0
        """How many statements changed something."""

    def read(self, statement: Executable, values: dict[str, Any] | None = None) -> CursorResult[Any]:
        """Run a statement that changes nothing."""
        return self._connection.execute(statement, values)

    def write(self, statement: Executable, values: Any = None) -> CursorResult[Any]:
        """Run a statement that changes something."""
        self.writes += 1
        return self._connection.execute(statement, values)

    def next(self, name: str) -> int:
        """The next number of one of the counts, from 1."""
        self.writes += 1
        self._counts[name] += 1
        return self._counts[name]

    def note(self, what: str, **data: Any) -> None:
        """Add an entry to the log."""
        self.writes += 1
        self._log += 1
        said = canonical(data)
        self._hash = entry_hash(self._hash, self._log, self.now, what, said)
        self._entries.append({"number": self._log, "at": self.now, "what": what, "data": said, "hash": self._hash})

    def begin(self) -> None:
        """Take the time for the next operation."""
        self.now = self._clock()

    def end(self) -> None:
        """Write the log and the counts."""
        if self.writes:
            if self._entries:
                self._connection.execute(_ENTRIES, self._entries)
            values = {"log": self._log, "hash": self._hash, **self._counts}
            self._connection.execute(_SAVED, {f"new_{name}": value for name, value in values.items()})
