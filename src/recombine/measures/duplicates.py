"""Test entries whose text occurs verbatim in train."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.example import Example


def duplicates(train: Sequence[Example], test: Sequence[Example]) -> dict[str, int]:
    """How many test entries share their id, source, target or both texts with a train entry; repeats count.

    >>> from recombine.records.example import Example
    >>> duplicates([Example.of("jump", "I_JUMP")], [Example.of("hop", "I_JUMP")])
    {'ids': 0, 'pairs': 0, 'sources': 0, 'targets': 1}
    """
    ids = {e.id for e in train}
    pairs = {(e.source, e.target) for e in train}
    sources = {e.source for e in train}
    targets = {e.target for e in train}
    return {
        "ids": sum(e.id in ids for e in test),
        "pairs": sum((e.source, e.target) in pairs for e in test),
        "sources": sum(e.source in sources for e in test),
        "targets": sum(e.target in targets for e in test),
    }
