"""Starts dealt out in batches: what they keep, where they end, and how they come within bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from recombine.splits.search import batches
from recombine.splits.search.exchange import CAP_PRICE, SplitSearch


def matrix(columns: list[list[int]]) -> Any:
    """One of each column in an example."""
    indptr = np.cumsum([0, *map(len, columns)])
    return indptr, np.array([c for row in columns for c in sorted(row)], np.int32), np.ones(int(indptr[-1]))


def blocks(number: int, **options: Any) -> SplitSearch:
    """Examples of ten kinds of content; each kind of compounds has two of its own for each of the ten."""
    content = [n % 10 for n in range(number)]
    atoms = matrix([[0, 1 + n % 3] for n in range(number)])
    one = matrix([[2 * c, 2 * c + n // 10 % 2] if n // 10 % 2 else [2 * c] for n, c in enumerate(content)])
    two = matrix([[3 * c, 3 * c + 1 + n // 10 % 2] for n, c in enumerate(content)])
    search = SplitSearch(atoms, [one, two], number * 6 // 10, number * 2 // 10, **{"atom_cap": 1.0, **options})
    search.restart()
    return search


def in_test(search: SplitSearch) -> list[int]:
    return sorted(search.state.order[search.state.bounds[1] : search.state.bounds[2]].tolist())


def test_a_batch_ends_in_whole_blocks() -> None:
    search = blocks(100, seed=1)
    before = search.measure()[0]
    batches.deal(search)
    assert search.measure()[0] == pytest.approx(1.0)
    assert before < 0.5
    assert sorted(search.state.order.tolist()) == list(range(100))
    assert search.state.bounds.tolist() == [0, 60, 80, 100]
    assert len({n % 10 for n in in_test(search)}) == 2
    again = blocks(100, seed=1)
    batches.deal(again)
    assert in_test(again) == in_test(search)
    counts, totals = search.compounds.counts.copy(), search.compounds.totals.copy()
    search.place(search.state.order.copy())
    assert np.array_equal(counts, search.compounds.counts)
    assert np.array_equal(totals, search.compounds.totals)


def test_barred_examples_are_not_dealt_to_test() -> None:
    barred = np.array([n % 10 < 5 for n in range(100)])
    search = blocks(100, seed=2, barred=barred)
    batches.deal(search)
    assert not barred[in_test(search)].any()


def test_what_a_start_is_worth() -> None:
    lengths = np.array([10] * 50 + [20] * 50)
    search = blocks(100, seed=3, lengths={"source": (lengths, 0.8, 1.25)}, atom_cap=0.001)
    # 40 short and 20 long in train, 20 long in test: means of 40 / 3 and 20.
    search.place(
        np.concatenate((np.arange(40), np.arange(50, 70), np.arange(70, 90), np.arange(40, 50), np.arange(90, 100)))
    )
    d_c, d_a, _ = search.measure()
    excess = np.log(0.8 * batches.MARGIN) - np.log(40 / 3 / 20)
    prices = batches.EXCESS_PRICE * max(0.0, d_a - 0.001) + batches.LENGTH_PRICE * excess
    assert batches.worth(search) == pytest.approx(d_c - prices)
    assert batches.worth(search) < d_c - 0.01
    free = blocks(100, seed=3)
    assert batches.worth(free) == free.measure()[0]


def test_lengths_come_within_their_bounds() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 30, 200)
    one, two = (matrix([sorted(set(rng.integers(0, 40, 4).tolist())) for _ in range(200)]) for _ in range(2))
    bounds = {"target": (lengths, 0.95, 1.05)}
    search = SplitSearch(matrix([[0]] * 200), [one, two], 120, 40, atom_cap=1.0, lengths=bounds, seed=4)
    search.restart()
    longest = np.argsort(lengths, kind="stable")
    search.place(np.concatenate((longest[:120], longest[160:], longest[120:160])))
    state = search.state
    ratio = lambda: state.length_total[0, 0] / 120 / (state.length_total[0, 1] / 40)  # noqa: E731
    assert ratio() < 0.7
    batches.keep_within(search)
    assert 0.95 <= ratio() <= 1.05
    order = state.order.copy()
    state.length_bounds[:] = [[0.5, 2.0]]
    batches.keep_within(search)
    assert np.array_equal(state.order, order), "a split within its bounds is left as it is"


def test_the_atom_divergence_comes_under_its_cap() -> None:
    rng = np.random.default_rng(1)
    atoms = matrix([sorted({0, 1 + n % 6, 1 + int(rng.integers(6))}) for n in range(200)])
    one, two = (matrix([[n % 6 * 5 + int(rng.integers(5))] for n in range(200)]) for _ in range(2))
    search = SplitSearch(atoms, [one, two], 100, 60, atom_cap=0.01, seed=5)
    search.restart()
    parted = np.argsort([n % 6 for n in range(200)], kind="stable")
    search.place(parted)
    assert search.measure()[1] > 0.05
    search.come_under_cap()
    assert search.measure()[1] <= 0.01
    assert search.state.cap == 0.01
    assert CAP_PRICE > 0
