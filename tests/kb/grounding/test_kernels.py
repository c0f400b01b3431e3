"""The kernels of grounding beside slow versions that are plainly right."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from recombine.kb.grounding.pair_kernels import among, draw_joined, has_pair, pairs_in_both, row_of, weigh
from recombine.kb.grounding.pair_sets import pairs_of
from recombine.kb.grounding.search_kernels import search

IDS = 40


def random_pairs(chance: np.random.Generator, number: int):  # type: ignore[no-untyped-def]
    ones, others = (chance.integers(0, IDS, number).astype(np.int32) for _ in range(2))
    return set(zip(ones.tolist(), others.tolist(), strict=True)), pairs_of(ones, others)


def some(chance: np.random.Generator, number: int) -> np.ndarray:
    return np.sort(chance.choice(IDS, number, replace=False)).astype(np.int32)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_both_ways(seed: int) -> None:
    known, pairs = random_pairs(np.random.default_rng(seed), 80)
    assert len(pairs) == len(known)
    for one, other in product(range(IDS), range(IDS)):
        assert has_pair(*pairs.forward, one, other) == ((one, other) in known)
        assert has_pair(*pairs.backward, other, one) == ((one, other) in known)
    for one in range(IDS):
        assert row_of(*pairs.forward, one).tolist() == sorted(other for first, other in known if first == one)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_in_both(seed: int) -> None:
    chance = np.random.default_rng(seed)
    (known, pairs), (others, other_pairs) = random_pairs(chance, 200), random_pairs(chance, 300)
    firsts, starts, ends = pairs_in_both(*pairs.forward, *other_pairs.forward)
    both = list(zip(np.repeat(firsts, np.diff(starts)).tolist(), ends.tolist(), strict=True))
    assert both == sorted(known & others)


@pytest.mark.parametrize(("below", "ids"), [(1, 40), (1, 0), (0, 40), (30, 40), (40, 2), (2, 40)])
@pytest.mark.parametrize("counted", [True, False])
def test_weights_are_sums_over_what_is_joined(below: int, ids: int, counted: bool) -> None:
    chance = np.random.default_rng(below + ids)
    known, pairs = random_pairs(chance, 60 if below > 2 else 20)
    down, up = some(chance, below), some(chance, ids)
    down_weights, up_weights = chance.integers(1, 5, below).astype(float), chance.integers(1, 5, ids).astype(float)
    sums = np.zeros(IDS)
    kept, weights = weigh(*pairs.forward, down, down_weights, up, up_weights, counted, sums)
    expected = {}
    for number, weight in zip(up.tolist(), up_weights.tolist(), strict=True):
        own = [w for d, w in zip(down.tolist(), down_weights.tolist(), strict=True) if (d, number) in known]
        if own:
            expected[number] = weight * (sum(own) if counted else 1)
    assert dict(zip(kept.tolist(), weights.tolist(), strict=True)) == expected
    assert kept.tolist() == sorted(expected)
    assert not sums.any()


def test_a_joined_candidate_is_drawn_by_its_weight() -> None:
    pairs = pairs_of(np.array([1, 1, 1, 2], np.int32), np.array([4, 5, 6, 7], np.int32))
    ids, weights = np.array([4, 6, 7], np.int32), np.array([1.0, 3.0, 9.0])
    drawn = Counter(int(draw_joined(*pairs.forward, 1, ids, weights, (n + 0.5) / 8)) for n in range(8))
    assert drawn == {4: 2, 6: 6}
    assert draw_joined(*pairs.forward, 3, ids, weights, 0.5) == -1


def test_places_among_candidates() -> None:
    pairs = pairs_of(np.array([1, 1, 2, 3], np.int32), np.array([4, 6, 5, 6], np.int32))
    begins, places = among(*pairs.forward, np.array([1, 2, 3], np.int32), np.array([4, 6], np.int32))
    assert (begins.tolist(), places.tolist()) == ([0, 2, 2, 3], [0, 1, 1])


def triangle(edges: set[tuple[int, int]], size: int, unequal: bool, seed: int, budget: int) -> tuple[list[int], int]:
    """Search for three numbers below a size, each two of which are an edge."""
    pairs = pairs_of(*(np.array([edge[end] for edge in sorted(edges)], np.int32) for end in (0, 1)))
    numbers = np.arange(size, dtype=np.int32)
    begins, places = among(*pairs.forward, numbers, numbers)
    rows, items = np.tile(begins, 3), np.tile(places, 3)
    starts = np.arange(3) * len(begins), np.arange(3) * len(places)
    chosen, steps = search(
        np.tile(numbers, 3), np.arange(4) * size, np.array([0, 0, 1, 3]), np.array([0, 0, 1]), *starts, rows, items,
        np.full((3, 3), unequal), np.uint64(seed), budget,
    )  # fmt: skip
    return chosen.tolist(), steps


@pytest.mark.parametrize("seed", range(30))
def test_the_search_finds_what_there_is(seed: int) -> None:
    chance = np.random.default_rng(seed)
    edges = {(int(a), int(b)) for a, b in chance.integers(0, 8, (14, 2))}
    three = [t for t in product(range(8), repeat=3) if {(t[0], t[1]), (t[0], t[2]), (t[1], t[2])} <= edges]
    apart = [each for each in three if len(set(each)) == 3]
    for unequal, there in ((False, three), (True, apart)):
        chosen, _ = triangle(edges, 8, unequal, seed, 10_000)
        assert tuple(chosen) in there if there else chosen[0] == -1


def test_the_search_is_in_random_order_and_reaches_all() -> None:
    edges = {(a, b) for a in range(5) for b in range(5) if a < b}
    drawn = {tuple(triangle(edges, 5, True, seed, 1000)[0]) for seed in range(400)}
    assert len(drawn) == 10


def test_the_search_says_that_it_gave_up() -> None:
    edges = {(a, b) for a in range(20) for b in range(20) if (a + b) % 2}  # no three numbers are pairwise odd and even
    assert triangle(edges, 20, True, 1, 10_000)[0][0] == -1
    chosen, steps = triangle(edges, 20, True, 1, 50)
    assert (chosen[0], steps) == (-2, 50)
