"""The folder below the data directory where originals come in and files are made, before they get their names.

One process at a time works there. What is left of a download that broke off stays, so that the next one goes on.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from recombine.errors import DownloadError, OutputFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

NAME = ".recombine-download"
LOCK = "lock"


@contextmanager
def work_folder(directory: Path) -> Iterator[Path]:
    """The folder, locked for a while; it is removed where nothing is left in it."""
    folder = directory / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("wb")
    except OSError as error:
        remedy = "set RECOMBINE_DATA to a directory that can be written"
        raise OutputFileError(f"{directory}: cannot be written ({error.strerror})", remedy) from error
    with lock:
        if not _is_free(lock):
            raise DownloadError(f"another process downloads into {directory}", "wait until it is done")
        try:
            yield folder
        finally:
            with suppress(OSError):
                (folder / LOCK).unlink()
                folder.rmdir()


def _is_free(lock: IO[bytes]) -> bool:
    """Whether the lock could be taken; where files cannot be locked, it is."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
