"""A search for one assignment of ids to terms, when counts along a tree do not find one or cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.grounding.pair_kernels import among, weigh
from recombine.kb.grounding.search_kernels import search

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import numpy.typing as npt

    from recombine.kb.grounding.pair_sets import Pairs, PairSets

    Ids = npt.NDArray[np.int32]

_PASSES = 4
"""Candidates are pruned in so many passes at most; what pruning leaves, the search sees."""
_ENDED = -2


def searched(
    sets: PairSets,
    domains: Mapping[str, Ids],
    links: Mapping[str, Mapping[str, Pairs]],
    apart: Collection[tuple[str, str]],
    *,
    rng: np.random.Generator | None,
    budget: int,
) -> dict[str, int] | None:
    """An assignment that all links and differences allow; empty where there is none, none where the budget ended.

    Links that lead out of the domains are not looked at. With a generator candidates are tried in random order.
    """
    pruned = _pruned(sets, dict(domains), links)
    if pruned is None:
        return {}
    order = _order(pruned, links)
    places = {term: place for place, term in enumerate(order)}
    link_begins, link_terms, row_begins, item_begins = [0], [], [], []
    rows, items = [], []
    row_count = item_count = 0
    for term in order:
        for other in sorted(links[term]):
            if places.get(other, len(order)) < places[term]:
                begins, own = among(*links[other][term].forward, pruned[other], pruned[term])
                link_terms.append(places[other])
                row_begins.append(row_count)
                item_begins.append(item_count)
                rows.append(begins)
                items.append(own)
                row_count += len(begins)
                item_count += len(own)
        link_begins.append(len(link_terms))
    unequal = np.zeros((len(order), len(order)), np.bool_)
    for one, other in apart:
        if one in places and other in places:
            unequal[places[one], places[other]] = unequal[places[other], places[one]] = True
    ids = np.concatenate([pruned[term] for term in order])
    id_begins = np.cumsum([0, *(len(pruned[term]) for term in order)], dtype=np.int64)
    chosen, _ = search(
        ids,
        id_begins,
        np.array(link_begins, np.int64),
        np.array(link_terms, np.int64),
        np.array(row_begins, np.int64),
        np.array(item_begins, np.int64),
        np.concatenate([np.zeros(0, np.int64), *rows]),
        np.concatenate([np.zeros(0, np.int32), *items]),
        unequal,
        np.uint64(0 if rng is None else rng.integers(1 << 63)),
        budget,
    )
    if chosen[0] < 0:
        return None if chosen[0] == _ENDED else {}
    return {term: int(pruned[term][chosen[place]]) for term, place in places.items()}


def _pruned(sets: PairSets, domains: dict[str, Ids], links: Mapping[str, Mapping[str, Pairs]]) -> dict[str, Ids] | None:
    """The candidates that every link leaves; none where a term has none left."""
    for _ in range(_PASSES):
        before = sum(map(len, domains.values()))
        for term in domains:
            for other in sorted(links[term]):
                if other not in domains:
                    continue
                own, below = domains[term], domains[other]
                ones = sets.ones
                rows = links[other][term].forward
                domains[term], _ = weigh(*rows, below, ones[: len(below)], own, ones[: len(own)], False, sets.sums)
            if not len(domains[term]):
                return None
        if sum(map(len, domains.values())) == before:
            break
    return domains


def _order(domains: Mapping[str, Ids], links: Mapping[str, Mapping[str, Pairs]]) -> list[str]:
    """Terms, the one with the fewest candidates first, then always one with the most links to those before it."""
    order: list[str] = []
    left = sorted(domains)
    while left:
        best = min(left, key=lambda term: (-sum(other in order for other in links[term]), len(domains[term]), term))
        order.append(best)
        left.remove(best)
    return order
