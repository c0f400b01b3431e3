"""The facts of a made-up world while it is made: terms by number, facts as columns of numbers, then batches of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt
    import pyarrow as pa

    Ids = npt.NDArray[np.int64]

DIGITS, WIDTH = b"0123456789bcdfghjklmnpqrstvwxyz_", 5
"""The key of a thing is a stem and its number by these digits, as many or more."""
_ROWS = 1 << 17


class FactColumns:
    """Facts by the numbers of their terms: those that a world names come first, then its things.

    Literals have numbers below 0. No key that is named begins with the stem of things.

    >>> facts = FactColumns("=m.0w")
    >>> relation = facts.number("=knows")
    >>> facts.seal()
    >>> facts.add(facts.new(1), relation, facts.literals(["\\"Ann\\0@en"]))
    >>> [batch.to_pylist()[0]["subject"] for batch in facts.iter_batches()]
    [b'=m.0w00000']
    """

    def __init__(self, stem: str) -> None:
        self._stem = stem.encode()
        self._named: dict[str, int] = {}
        self._literals: dict[str, int] = {}
        self._columns: list[tuple[Ids, int | Ids, Ids]] = []
        self.first = self.end = 0
        self.count = 0
        """Facts so far."""

    def number(self, key: str) -> int:
        """The number of a term that the world names; before `seal` it gets one where it has none."""
        if key not in self._named and self.end:
            raise KeyError(key)
        return self._named.setdefault(key, len(self._named))

    def seal(self) -> None:
        """All terms are named, and things come next."""
        self.first = self.end = len(self._named)

    def new(self, number: int) -> Ids:
        """The numbers of new things."""
        ids = np.arange(self.end, self.end + number, dtype=np.int64)
        self.end += number
        return ids

    def literals(self, keys: Iterable[str]) -> Ids:
        """The numbers of literals by their keys."""
        known = self._literals
        return np.array([-1 - known.setdefault(key, len(known)) for key in keys], np.int64)

    def add(self, subjects: Ids, relation: int | Ids, targets: Ids) -> None:
        """Facts of one relation, or of one for each."""
        if len(subjects):
            self._columns.append((subjects, relation, targets))
            self.count += len(subjects)

    def iter_batches(self) -> Iterator[pa.RecordBatch]:
        """All facts as batches of keys."""
        import pyarrow as pa

        keys = self._keys()
        for subjects, relation, targets in self._columns:
            relations = np.broadcast_to(relation, len(subjects))
            for start in range(0, len(subjects), _ROWS):
                part = slice(start, start + _ROWS)
                # Literals stand behind all things, the first of them first.
                columns = [np.where(ids < 0, self.end - 1 - ids, ids) for ids in (subjects[part], targets[part])]
                taken = [keys.take(pa.array(ids)) for ids in (columns[0], relations[part], columns[1])]
                yield pa.RecordBatch.from_arrays(taken, ["subject", "relation", "target"])

    def _keys(self) -> pa.Array:
        """The keys of all terms by their numbers."""
        import pyarrow as pa

        numbers = np.arange(self.end - self.first)
        width = WIDTH
        while len(DIGITS) ** width < len(numbers):
            width += 1
        places = len(DIGITS) ** np.arange(width - 1, -1, -1)
        digits = np.frombuffer(DIGITS, np.uint8)[numbers[:, None] // places % len(DIGITS)]
        stems = np.broadcast_to(np.frombuffer(self._stem, np.uint8), (len(numbers), len(self._stem)))
        things = np.concatenate((stems, digits), axis=1)
        before, after = ([key.encode() for key in keys] for keys in (self._named, self._literals))
        lengths = [*map(len, before), *([things.shape[1]] * len(things)), *map(len, after)]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        data = b"".join((*before, things.tobytes(), *after))
        buffers = [None, pa.py_buffer(starts), pa.py_buffer(data)]
        return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(lengths), buffers)
