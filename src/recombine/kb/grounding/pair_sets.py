"""The pairs that a property joins and the entities that have a type, as sorted ids of an embedded index.

Each property and type is evaluated once. What several properties have in common is kept too, while there is room.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.kb.grounding.pair_kernels import pairs_in_both, row_of
from recombine.kb.grounding.property_path import TYPE, constant_term, read_property

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import TypeVar

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.grounding.query_terms import End

    Ids = npt.NDArray[np.int32]
    Value = TypeVar("Value")

MOST_NUMBERS = 1 << 26
"""When what is kept of several properties or clauses has so many numbers, it is forgotten; it is made again at need."""


class Rows(NamedTuple):
    """Pairs by their first end: the first ends, where the others of each begin, and all others end to end."""

    firsts: Ids
    starts: npt.NDArray[np.int64]
    others: Ids


class Pairs(NamedTuple):
    """Pairs by either end."""

    forward: Rows
    backward: Rows

    def __len__(self) -> int:
        return len(self.forward.others)

    def turned(self) -> Pairs:
        """The same pairs the other way round."""
        return Pairs(self.backward, self.forward)


class PairSets:
    """Pairs and entities of the properties and types of an index."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store
        self._properties: dict[str, Pairs] = {}
        self._types: dict[str, Ids] = {}
        self._kept: dict[Hashable, object] = {}
        self._numbers = 0

    @cached_property
    def sums(self) -> npt.NDArray[np.float64]:
        """Room for a number of every term, zero between calls of kernels."""
        return np.zeros(len(self.store.table), np.float64)

    @cached_property
    def ones(self) -> npt.NDArray[np.float64]:
        """The weights of candidates that nothing is known of."""
        return np.ones(len(self.store.table), np.float64)

    def pairs(self, path: str) -> Pairs:
        """The pairs of a property."""
        known = self._properties.get(path)
        if known is None:
            known = self._properties[path] = self._evaluated(path)
        return known

    def of_type(self, name: str) -> Ids:
        """The entities of a type."""
        known = self._types.get(name)
        if known is None:
            number = self.store.id(constant_term(name, self.store.profile))
            known = self._types[name] = self.constant_row(TYPE, number, inverse=True)
        return known

    def linked(self, paths: frozenset[tuple[str, bool]], *, unequal: bool) -> Pairs:
        """The pairs that all of some properties join, some of them turned round; of two different ends if so wanted."""
        if len(paths) == 1 and not unequal:
            ((path, turned),) = paths
            pairs = self.pairs(path)
            return pairs.turned() if turned else pairs
        return self.kept((paths, unequal), lambda: self._linked(paths, unequal=unequal), len)

    def having(self, ends: frozenset[End], loops: frozenset[str]) -> Ids | None:
        """What has all of some ends and leads to itself along some properties; none where nothing is asked."""
        if not ends and not loops:
            return None
        return self.kept((ends, loops), lambda: self._having(ends, loops), len)

    def end(self, end: End) -> Ids:
        """What has an end."""
        if end.path == TYPE and not end.inverse:
            return self.of_type(end.constant)
        number = self.store.id(constant_term(end.constant, self.store.profile))
        return self.constant_row(end.path, number, inverse=not end.inverse)

    def loose_end(self, end: End) -> Ids:
        """What has an end of the same property, whatever the constant, or of the same type."""
        if end.path == TYPE:
            return self.end(end)
        pairs = self.pairs(end.path)
        return pairs.backward.firsts if end.inverse else pairs.forward.firsts

    def constant_row(self, path: str, number: int, *, inverse: bool) -> Ids:
        """What a property leads to from an id, or from what it leads to it (`inverse`)."""
        pairs = self.pairs(path)
        ids: Ids = row_of(*(pairs.backward if inverse else pairs.forward), np.int32(number))
        return ids

    def kept(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """A value that is made once, as long as there is room for all that is made so."""
        if key not in self._kept:
            value = make()
            if self._numbers > MOST_NUMBERS:
                self._kept.clear()
                self._numbers = 0
            self._numbers += size(value)
            self._kept[key] = value
        return self._kept[key]  # type: ignore[return-value]

    def _linked(self, paths: frozenset[tuple[str, bool]], *, unequal: bool) -> Pairs:
        sets = [self.pairs(path).turned() if turned else self.pairs(path) for path, turned in sorted(paths)]
        sets.sort(key=len)
        rows = sets[0].forward
        for other in sets[1:]:
            rows = Rows(*pairs_in_both(*rows, *other.forward))
        ones, others = _columns(rows)
        if unequal:
            apart = ones != others
            ones, others = ones[apart], others[apart]
        return pairs_of(ones, others)

    def _having(self, ends: frozenset[End], loops: frozenset[str]) -> Ids:
        sets = [self.end(end) for end in sorted(ends)]
        for path in sorted(loops):
            ones, others = _columns(self.pairs(path).forward)
            sets.append(ones[ones == others])
        return self.store.intersection(*sets)

    def _evaluated(self, path: str) -> Pairs:
        ones, others = [], []
        for alternative in read_property(path, self.store.profile):
            steps = self.store.steps(alternative)
            if steps is None:
                continue
            first = int(steps[0])
            starts = self.store.along(~first if first < 0 else first, inverse=first < 0)
            begins, reached = self.store.follow_many(starts, steps)
            ones.append(np.repeat(starts, np.diff(begins)))
            others.append(reached)
        empty = np.zeros(0, np.int32)
        return pairs_of(np.concatenate([empty, *ones]), np.concatenate([empty, *others]))


def pairs_of(ones: Ids, others: Ids) -> Pairs:
    """The pairs of two columns, each once."""
    return Pairs(_rows(ones, others), _rows(others, ones))


def _rows(ones: Ids, others: Ids) -> Rows:
    both = np.unique(ones.astype(np.int64) << 32 | others)
    firsts, starts = np.unique(both >> 32, return_index=True)
    return Rows(
        firsts.astype(np.int32), np.append(starts, len(both)).astype(np.int64), (both & 0xFFFFFFFF).astype(np.int32)
    )


def _columns(rows: Rows) -> tuple[Ids, Ids]:
    return np.repeat(rows.firsts, np.diff(rows.starts)), rows.others


def union(sets: Iterable[Ids]) -> Ids:
    """What is in any of some sorted sets."""
    return np.unique(np.concatenate([np.zeros(0, np.int32), *sets]))
