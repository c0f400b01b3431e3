"""The ids that a stream has shown so far, in little room: a content id is a number of eight bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_left

RECENT = 1 << 16
"""The numbers that are kept apart until they are sorted in with the others."""
_DIGITS = 16


class SeenIds:
    """A set of ids that only grows.

    >>> seen = SeenIds()
    >>> [seen.add(key) for key in ("282937544d9daafb", "mine", "282937544d9daafb", "mine")]
    [True, True, False, False]
    """

    def __init__(self) -> None:
        self._sorted = array("Q")
        self._recent: set[int] = set()
        self._texts: set[str] = set()

    def add(self, key: str) -> bool:
        """Add an id; whether it was not there yet."""
        number = _number(key)
        if number is None:
            size = len(self._texts)
            self._texts.add(key)
            return len(self._texts) > size
        place = bisect_left(self._sorted, number)
        if number in self._recent or (place < len(self._sorted) and self._sorted[place] == number):
            return False
        self._recent.add(number)
        if len(self._recent) >= RECENT:
            self._sort_in()
        return True

    def _sort_in(self) -> None:
        import numpy as np

        recent = np.fromiter(self._recent, np.uint64, len(self._recent))
        merged = np.concatenate((np.frombuffer(self._sorted, np.uint64), recent))
        merged.sort()
        self._sorted = array("Q", merged.tobytes())
        self._recent.clear()


def _number(key: str) -> int | None:
    """The number that an id is, where it is written as content ids are."""
    if len(key) != _DIGITS:
        return None
    try:
        number = int(key, 16)
    except ValueError:
        return None
    return number if key == f"{number:016x}" else None
