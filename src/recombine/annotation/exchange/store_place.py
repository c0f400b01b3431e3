"""Where a campaign's store is: a URL of Postgres, a SQLite file, or a folder with one in it."""

from __future__ import annotations

import re
from pathlib import Path

_PASSWORD = re.compile(r"(://[^:@/]*):[^@/]*@")
STORE = "campaign.sqlite"
"""The store in a campaign's folder."""
SUFFIXES = (".sqlite", ".sqlite3", ".db")
"""By these a path is a file and no folder."""


def is_url(place: Path | str) -> bool:
    """Whether a place is an address of a database."""
    return "://" in str(place)


def store_place(place: Path | str) -> Path | str:
    """The URL as a library takes it, or the file of the store.

    >>> store_place("work"), store_place("work.db")
    (PosixPath('work/campaign.sqlite'), PosixPath('work.db'))
    >>> store_place("postgresql://me@db/covr")
    'postgresql+psycopg://me@db/covr'
    """
    if is_url(place):
        scheme, _, rest = str(place).partition("://")
        return f"{'postgresql+psycopg' if scheme in ('postgresql', 'postgres') else scheme}://{rest}"
    path = Path(place)
    return path if path.suffix in SUFFIXES else path / STORE


def shown_place(place: Path | str) -> str:
    """A place as it may be printed: without the password of an address.

    >>> shown_place("postgresql://me:hush@db/covr"), shown_place("work")
    ('postgresql://me:***@db/covr', 'work')
    """
    return _PASSWORD.sub(r"\1:***@", str(place)) if is_url(place) else str(place)


def files_folder(place: Path | str) -> Path | None:
    """The folder that pictures of items lie in; none for an address, which says nothing of folders.

    >>> files_folder("work"), files_folder("work.db"), files_folder("postgresql://me@db/covr")
    (PosixPath('work'), PosixPath('.'), None)
    """
    return None if is_url(place) else Path(store_place(place)).parent
