"""Which domains to hold out for dev and for test, so that the examples of each are as many as are wanted and few more.

An example of a held-out domain is not for training, whatever other domains it has; one that has domains of both dev and
test is for neither. So each example that is more than wanted stays unused: the search looks for sets of domains that
leave few. It begins with domains at random and exchanges one or two at a time; it counts moves, not seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STARTS, MOVES = 12, 500
"""How often a search begins anew, and how many exchanges it tries each time."""
FREE, DEV, TEST = range(3)
"""Whose a domain is: train's, or held out for dev or test."""


class HeldOutDomains(NamedTuple):
    """Whose each domain is, and how many examples that misses and leaves over."""

    owners: NDArray[np.int8]
    missing: int
    """How many examples less than wanted dev, test and what is left for train have together."""
    left_over: int


@dataclass(frozen=True)
class DomainSets:
    """The sets of domains that examples have, each once with the number of its examples."""

    holds: NDArray[np.bool_]
    """Whether each set has each domain."""
    counts: NDArray[np.int64]
    of_row: NDArray[np.int64]
    """The set of each example."""

    @classmethod
    def of(cls, rows: Sequence[frozenset[int]], domains: int, usable: NDArray[np.bool_]) -> DomainSets:
        """The sets of some examples; those that are not usable are not counted."""
        places = {each: place for place, each in enumerate(sorted(set(rows), key=sorted))}
        of_row = np.array([places[row] for row in rows], np.int64)
        holds = np.zeros((len(places), domains), np.bool_)
        for each, place in places.items():
            holds[place, sorted(each)] = True
        return cls(holds, np.bincount(of_row[usable], minlength=len(places)), of_row)

    def sides(self, owners: NDArray[np.int8]) -> NDArray[np.int8]:
        """Whose each set is: train's, dev's, test's, or nobody's (-1)."""
        dev, test = (self.holds[:, owners == owner].any(axis=1) for owner in (DEV, TEST))
        sides = np.full(len(self.holds), FREE, np.int8)
        sides[dev], sides[test], sides[dev & test] = DEV, TEST, -1
        return sides

    def judge(self, owners: NDArray[np.int8], wanted: tuple[int, int, int]) -> tuple[int, int]:
        """How many examples are missing and left over; `wanted` are those of train's pool, dev and test."""
        sides = self.sides(owners)
        sizes = [int(self.counts[sides == owner].sum()) for owner in (FREE, DEV, TEST)]
        missing = sum(max(0, want - size) for want, size in zip(wanted, sizes, strict=True))
        over = sum(max(0, size - want) for want, size in zip(wanted[1:], sizes[1:], strict=True))
        return missing, over + int(self.counts[sides == -1].sum())


def find_held_out_domains(
    sets: DomainSets, numbers: tuple[int, int], wanted: tuple[int, int, int], generator: np.random.Generator
) -> list[HeldOutDomains]:
    """Ways to hold out so many domains for dev and for test, the best first; one for each start of the search."""
    ways = [_searched(sets, numbers, wanted, generator) for _ in range(STARTS)]
    return sorted(ways, key=lambda way: (way.missing, way.left_over))


def _searched(
    sets: DomainSets, numbers: tuple[int, int], wanted: tuple[int, int, int], generator: np.random.Generator
) -> HeldOutDomains:
    domains = sets.holds.shape[1]
    owners = np.zeros(domains, np.int8)
    order = generator.permutation(domains)
    owners[order[: numbers[0]]] = DEV
    owners[order[numbers[0] : sum(numbers)]] = TEST
    best = sets.judge(owners, wanted)
    for _ in range(MOVES):
        if best == (0, 0):
            break
        tried = owners.copy()
        for _ in range(int(generator.integers(1, 3))):
            one, other = generator.integers(domains, size=2)
            tried[one], tried[other] = tried[other], tried[one]
        if np.array_equal(tried, owners):
            continue
        judged = sets.judge(tried, wanted)
        if judged <= best:
            best, owners = judged, tried
    return HeldOutDomains(owners, *best)
