"""Test entries whose text occurs verbatim in train."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.records.chosen_examples import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.records.example import Example


def duplicates(train: Sequence[Example], test: Sequence[Example]) -> dict[str, int]:
    """How many test entries share their id, source, target or both texts with a train entry; repeats count.

    >>> from recombine.records.example import Example
    >>> duplicates([Example.of("jump", "I_JUMP")], [Example.of("hop", "I_JUMP")])
    {'ids': 0, 'pairs': 0, 'sources': 0, 'targets': 1}
    """
    seen, tested = ([texts_of(part, side) for side in ("id", "source", "target")] for part in (train, test))
    counts = [_shared(known, asked) for known, asked in zip(seen, tested, strict=True)]
    pairs = _shared(zip(*seen[1:], strict=True), zip(*tested[1:], strict=True))
    return {"ids": counts[0], "pairs": pairs, "sources": counts[1], "targets": counts[2]}


def _shared(known: Iterable[object], asked: Iterable[object]) -> int:
    """How many of those asked are known; of the known ones none is kept that is not asked."""
    listed = list(asked)
    both = set(listed).intersection(known)
    return sum(each in both for each in listed)
