"""A folder that one process at a time is at work in; the claim goes with the process, however it ends."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recombine.files import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOCK = "lock"
LOOK = 2.0
"""Seconds between two looks at a folder that another process is at work in."""


@contextmanager
def claimed(folder: Path, goes_on: Callable[[], bool] = lambda: True) -> Iterator[bool]:
    """A folder for the block alone, once who is at work there has ended; false where waiting does not go on."""
    try:
        import fcntl
    except ImportError:  # not a Unix: nothing guards against a second one
        yield True
        return
    make_folder(folder.parent)
    with (make_folder(folder) / LOCK).open("wb") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if not goes_on():
                    yield False
                    return
                time.sleep(LOOK)
        yield True
