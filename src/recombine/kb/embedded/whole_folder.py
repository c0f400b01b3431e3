"""A folder that is there whole or not at all: written beside its place under another name, then renamed.

A folder in its place is exchanged with the new one in one step where the system can (Linux), so that a process killed
at any moment leaves one of the two whole; elsewhere there is a moment between two renamings.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from contextlib import contextmanager, nullcontext, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import OutputFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOCK = ".building"
"""The file by which others see that a process still writes."""
_AT_FDCWD, _EXCHANGE = -100, 2


@contextmanager
def writing_folder(path: Path, check: Callable[[Path], None]) -> Iterator[Path]:
    """A folder to write into, which has its name after the block; nothing of it is left where the block fails.

    `check` raises where what is at the path now may not be replaced; it is asked before and after the block.
    """
    check(path)
    if not path.parent.is_dir():
        raise OutputFileError(f"{path}: the directory {path.parent} does not exist", "make it first")
    try:
        _remove_abandoned(path)
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.building-"))
    except OSError as error:
        raise _cannot(path, error) from error
    try:
        with _locked(folder):
            yield folder
            folder.chmod(0o777 & ~_umask())
            check(path)
            _put(folder, path)
            (path / LOCK).unlink()
    except OSError as error:
        raise _cannot(path, error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _cannot(path: Path, error: OSError) -> OutputFileError:
    return OutputFileError(f"{path}: cannot be written ({error.strerror or error})", "choose another place")


def _put(folder: Path, path: Path) -> None:
    """Give a folder its name; what had the name has the folder's, and is removed after."""
    if not path.exists() or not _exchange(folder, path):
        old = folder.with_name(f"{folder.name}-old")
        if path.exists():
            path.rename(old)
        folder.rename(path)
        shutil.rmtree(old, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Whether two folders could be exchanged in one step."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return int(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE)) == 0


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """A lock that lasts as long as the process at most, by which others see that it still writes."""
    with (folder / LOCK).open("wb") as lock:
        _try_lock(lock.fileno())
        yield


def _try_lock(number: int) -> bool:
    try:
        import fcntl
    except ImportError:  # no such locks here: then nothing counts as abandoned
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_abandoned(path: Path) -> None:
    """Remove what a killed process left of a folder of this name; without a lock it is one that was replaced."""
    for folder in path.parent.glob(f".{escape(path.name)}.building-*"):
        with suppress(OSError), (folder / LOCK).open("rb") if (folder / LOCK).exists() else nullcontext() as lock:
            if any(folder.iterdir()) if lock is None else _try_lock(lock.fileno()):
                shutil.rmtree(folder, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
