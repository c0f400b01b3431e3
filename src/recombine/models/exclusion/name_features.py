"""Features of names: their words, runs of three and four characters, and the name itself.

A name that was not there when the list was made has those of its words and characters that were. How far two names
overlap is said apart, so that `dark blue` and `blue`, or `table` and `tables`, are told without having been seen.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scipy.sparse import csr_matrix

RUNS = (3, 4)
OVERLAPS = 6
"""How many numbers say how far two names overlap."""


@lru_cache(maxsize=8192)
def parts_of(name: str) -> frozenset[str]:
    """The features of a name by their texts.

    >>> sorted(parts_of("ox"))
    ['#<ox', '#<ox>', '#ox>', '=ox', 'ox']
    """
    words = name.lower().split()
    runs = {
        f"#{text[at : at + size]}"
        for word in words
        for text in [f"<{word}>"]
        for size in RUNS
        for at in range(len(text) - size + 1)
    }
    return frozenset({*words, *runs, f"={name}"})


def list_parts(names: Iterable[str]) -> list[str]:
    """The features of some names, sorted: the names themselves, and what at least two of them have."""
    counts = Counter(part for name in names for part in parts_of(name))
    return sorted(part for part, count in counts.items() if count > 1 or part.startswith("="))


def name_vectors(names: Sequence[str], parts: Sequence[str]) -> csr_matrix:
    """The features of names, a row each; words and characters weigh as much together as the name itself."""
    from scipy.sparse import csr_matrix

    place = {part: at for at, part in enumerate(parts)}
    values, columns, ends = [], [], [0]
    for name in names:
        known = [place[part] for part in sorted(parts_of(name)) if part in place and not part.startswith("=")]
        columns += known
        values += [1 / sqrt(max(1, len(known)))] * len(known)
        if f"={name}" in place:
            columns.append(place[f"={name}"])
            values.append(1.0)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(names), len(parts)), dtype=np.float64)


@lru_cache(maxsize=1 << 18)
def overlaps(asked: str, seen: str) -> tuple[float, ...]:
    """How far names overlap: common words, words of one that the other has both ways, last words, common characters."""
    first, second = asked.lower().split(), seen.lower().split()
    common = len({*first} & {*second})
    runs, others = ({part for part in parts_of(name) if part.startswith("#")} for name in (asked, seen))
    shared = len(runs & others) / max(1, len(runs | others))
    return (
        float(common > 0),
        float({*first} <= {*second}),
        float({*second} <= {*first}),
        float(first[-1:] == second[-1:]),
        float(first[:1] == second[:1]),
        shared,
    )
