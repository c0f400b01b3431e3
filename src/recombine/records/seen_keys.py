"""The keys that a stream has shown so far, in little room: a key of sixteen bytes takes sixteen bytes.

Content ids have sixteen digits, and digests of texts as many bytes. Numbers of eight bytes are sorted, the first halves
of keys and beside them the second ones, and looked for by halving; what came last waits in a set to be sorted in.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

RECENT = 1 << 16
"""The keys that are kept apart until they are sorted in with the others."""
_BYTES = 16


class SeenKeys:
    """A set of keys that only grows.

    >>> seen = SeenKeys()
    >>> [seen.add(key) for key in (b"282937544d9daafb", b"mine", b"282937544d9daafb", b"mine")]
    [True, True, False, False]
    """

    def __init__(self) -> None:
        self._firsts, self._seconds = array("Q"), array("Q")
        self._recent: set[bytes] = set()
        self._others: set[bytes] = set()

    def add(self, key: bytes) -> bool:
        """Add a key; whether it was not there yet."""
        if len(key) != _BYTES:
            size = len(self._others)
            self._others.add(key)
            return len(self._others) > size
        if key in self._recent or self._is_sorted_in(key):
            return False
        self._recent.add(key)
        if len(self._recent) >= RECENT:
            self._sort_in()
        return True

    def _is_sorted_in(self, key: bytes) -> bool:
        first, second = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
        place = bisect_left(self._firsts, first)
        while place < len(self._firsts) and self._firsts[place] == first:
            if self._seconds[place] == second:
                return True
            place += 1
        return False

    def _sort_in(self) -> None:
        import numpy as np

        recent = np.frombuffer(b"".join(self._recent), ">u8").astype(np.uint64).reshape(-1, 2)
        halves = [
            np.concatenate((np.frombuffer(sorted_in, np.uint64), recent[:, half]))
            for half, sorted_in in enumerate((self._firsts, self._seconds))
        ]
        order = np.argsort(halves[0])
        self._firsts, self._seconds = (array("Q", half[order].tobytes()) for half in halves)
        self._recent.clear()
