"""The store of one campaign: made anew or opened, written by one thread, read by any.

A store has the version of its tables. One of another version, one that is damaged, and what is no store at all are
`StoreError`s.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from recombine.annotation.store.engines import engines, is_url
from recombine.annotation.store.log_entry import FIRST
from recombine.errors import OutputFileError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sqlalchemy import Connection

    from recombine.annotation.store.turn import Turn

T = TypeVar("T")


class Store:
    """Tables at a place; `first` is done at the start of every writer's turn."""

    def __init__(self, place: Path | str, *, clock: Callable[[], float], first: Callable[[Turn], None]) -> None:
        from recombine.annotation.store.writer import Writer

        self.place = place
        self._writing, self._reading = engines(place)
        try:
            self.meta = self._read_meta()
        except StoreError:
            self._dispose()
            raise
        self._quick = self._whole = self._reading
        if not self.is_file:
            self._quick = self._reading.execution_options(isolation_level="AUTOCOMMIT")
            self._whole = self._reading.execution_options(isolation_level="REPEATABLE READ")
        self._writer = Writer(self._writing, clock, first)

    @property
    def shown(self) -> str:
        """The place without a password."""
        return self._reading.url.render_as_string(hide_password=True) if is_url(self.place) else str(self.place)

    @property
    def is_file(self) -> bool:
        """Whether it is a SQLite file."""
        return not is_url(self.place)

    def write(self, operation: Callable[[Turn], T]) -> T:
        """Do an operation in the writer's thread; what it returns, once it is committed."""
        return self._writer.write(operation)

    @contextmanager
    def read(self, *, whole: bool = True) -> Iterator[Connection]:
        """A connection that does not wait for the writer, and sees the store as it is at one moment.

        Where one statement is enough (`whole` is false), Postgres is spared a transaction.
        """
        from sqlalchemy.exc import DBAPIError

        try:
            with (self._whole if whole else self._quick).connect() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreError(
                f"{self.shown}: cannot be read ({error.orig})", "see that it is there and whole"
            ) from error

    def close(self) -> None:
        """Write what waits, and end."""
        self._writer.close()
        self._dispose()

    def backup(self, path: Path | str) -> None:
        """Write a copy of a SQLite file as it is at one moment, whole or not at all."""
        if not self.is_file:
            raise StoreError(f"{self.shown}: is no file", "use pg_dump, which copies it as it is at one moment")
        copy_sqlite(Path(self.place), Path(path))

    def _dispose(self) -> None:
        self._writing.dispose()
        self._reading.dispose()

    def _read_meta(self) -> dict[str, str]:
        """The campaign's own values; checked that this is a store that can be used."""
        from sqlalchemy import select, text
        from sqlalchemy.exc import DBAPIError

        from recombine.annotation.store import schema

        if self.is_file and not Path(self.place).is_file():
            raise StoreError(f"{self.place}: there is no campaign", "make one with `recombine annotate new`")
        try:
            with self._reading.connect() as connection:
                if self.is_file and (said := connection.execute(text("PRAGMA quick_check")).scalar()) != "ok":
                    raise StoreError(f"{self.shown}: the store is damaged ({said})", "restore a backup")
                values = {str(row.key): str(row.value) for row in connection.execute(select(schema.meta))}
        except DBAPIError as error:
            raise StoreError(
                f"{self.shown}: no campaign can be read there ({error.orig})", "check the place, or restore a backup"
            ) from error
        version = values.get("version")
        if version != str(schema.VERSION):
            problem = f"{self.shown}: the store has version {version}, and this program reads version {schema.VERSION}"
            raise StoreError(problem, "open it with the version of recombine that made it")
        return values


def create_store(place: Path | str, values: Mapping[str, str]) -> None:
    """Make the tables at a place where there are none, whole or not at all."""
    from sqlalchemy import insert, inspect
    from sqlalchemy.exc import DBAPIError

    from recombine.annotation.store import schema

    if not is_url(place) and Path(place).exists():
        raise StoreError(f"{place}: is there already", "give another path, or remove it first")
    if not is_url(place) and not Path(place).parent.is_dir():
        raise OutputFileError(f"{place}: the directory {Path(place).parent} does not exist", "make it first")
    writing, reading = engines(place)
    made = False
    try:
        with writing.begin() as connection:
            if inspect(connection).has_table("meta"):
                raise StoreError("there is a campaign in this database already", "give another database")
            schema.metadata.create_all(connection)
            rows: list[dict[str, Any]] = [{"key": key, "value": value} for key, value in values.items()]
            connection.execute(insert(schema.meta), [*rows, {"key": "version", "value": str(schema.VERSION)}])
            zero = dict.fromkeys(("items", "ranks", "batches", "responses", "workers", "controls", "log"), 0)
            connection.execute(insert(schema.head).values(id=1, hash=FIRST, **zero))
        made = True
    except DBAPIError as error:
        raise StoreError(f"the store cannot be made ({error.orig})", "check the place and its rights") from error
    finally:
        writing.dispose()
        reading.dispose()
        if not made and not is_url(place):
            for suffix in ("", "-wal", "-shm"):
                Path(f"{place}{suffix}").unlink(missing_ok=True)


def copy_sqlite(path: Path, target: Path) -> None:
    """Copy a SQLite file while it is written; the copy is there whole or not at all."""
    import sqlite3

    from recombine.files import check_writable

    check_writable(target)
    if target.exists():
        raise OutputFileError(f"{target}: is there already", "give another path")
    temporary = target.with_name(f".{target.name}.part")
    temporary.unlink(missing_ok=True)
    try:
        source, copy = sqlite3.connect(path), sqlite3.connect(temporary)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        finally:
            source.close()
            copy.close()
        temporary.replace(target)
    except sqlite3.Error as error:
        raise StoreError(f"{path}: cannot be copied ({error})", "see that it is whole") from error
    finally:
        temporary.unlink(missing_ok=True)
