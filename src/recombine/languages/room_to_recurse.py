"""Room for a third-party parser that calls itself many times for each level of a program.

Python stops at 1,000 nested calls, and sqlglot makes up to 25 for a pair of brackets. The limit is raised
for one program at a time and set back after it; calls from Python to Python take no room on the machine's own stack.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

# All threads share one limit: another must not set it back while this one is deep inside.
_ONE_AT_A_TIME = RLock()


@contextmanager
def room_to_recurse(calls: int) -> Iterator[None]:
    """Allow at least this many more nested calls than there are here."""
    with _ONE_AT_A_TIME:
        before = sys.getrecursionlimit()
        wanted = _calls_here() + calls
        if wanted <= before:
            yield
            return
        sys.setrecursionlimit(wanted)
        try:
            yield
        finally:
            sys.setrecursionlimit(before)


def _calls_here() -> int:
    """How many nested calls there are here."""
    frame: FrameType | None = sys._getframe()
    number = 0
    while frame is not None:
        frame, number = frame.f_back, number + 1
    return number
