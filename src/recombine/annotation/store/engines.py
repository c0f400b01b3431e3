"""Connections to a store: SQLite as a file in WAL mode with every commit on the disk, or Postgres by its URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Engine

READERS = 40
"""So many threads read at once, each with a connection that stays open; half of that on Postgres, which has few."""
BUSY_SECONDS = 30
"""How long a SQLite writer waits for another process."""


def is_url(place: Path | str) -> bool:
    """Whether a place is a database's address and no path."""
    return isinstance(place, str) and "://" in place


def engines(place: Path | str) -> tuple[Engine, Engine]:
    """The engine to write with and the engine to read with."""
    return _postgres(str(place)) if is_url(place) else _sqlite(Path(place))


def _postgres(url: str) -> tuple[Engine, Engine]:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.split("://", 1)[1]
    if not url.startswith("postgresql+psycopg://"):
        raise StoreError(f"{url.split('://', 1)[0]}:// is no store", "give a path, or a postgresql:// address")
    try:
        writing = create_engine(url, pool_size=1, max_overflow=1, pool_pre_ping=True, isolation_level="READ COMMITTED")
        reading = create_engine(url, pool_size=READERS // 2, max_overflow=0)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreError(f"the address of the store cannot be used ({error})", "check it; psycopg is needed") from None
    return writing, reading


def _sqlite(path: Path) -> tuple[Engine, Engine]:
    from sqlalchemy import URL, create_engine, event

    url = URL.create("sqlite", database=str(path))
    settings: dict[str, Any] = {"connect_args": {"check_same_thread": False, "timeout": BUSY_SECONDS}}
    writing = create_engine(url, pool_size=1, max_overflow=0, **settings)
    reading = create_engine(url, pool_size=READERS, max_overflow=0, **settings)
    for engine, begin in ((writing, "BEGIN IMMEDIATE"), (reading, "BEGIN")):
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", lambda connection, begin=begin: connection.exec_driver_sql(begin))
    return writing, reading


def _prepare(connection: Any, _: Any) -> None:
    """Leave transactions to us; keep a log beside the file, and put every commit on the disk."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
