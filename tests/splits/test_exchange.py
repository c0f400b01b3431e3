"""The search on matrices: what it keeps up to date is what a recount gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.splits import exchange_kernels as kernels
from recombine.splits.exchange import Search, fixed_point

ALPHA = {"atoms": 0.5, "compounds": 0.1}


def matrix(rows: list[dict[int, float]]) -> Any:
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.array([column for row in rows for column in sorted(row)], np.int32)
    data = np.array([row[column] for row in rows for column in sorted(row)], np.float64)
    return indptr, indices, data


def slow_divergence(rows: list[dict[int, float]], sides: np.ndarray[Any, Any], alpha: float) -> float:
    """By the formula, from plain dictionaries."""
    sums: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for row, side in zip(rows, sides.tolist(), strict=True):
        for column, value in row.items() if side else ():
            sums[side - 1][column] = sums[side - 1].get(column, 0) + value
    p, q = sum(sums[0].values()), sum(sums[1].values())
    return 1 - sum((sums[0].get(c, 0) / p) ** alpha * (v / q) ** (1 - alpha) for c, v in sums[1].items())


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[dict[int, float]], list[dict[int, float]]]:
    """Atoms by presence, compounds with repeats."""
    size = draw(st.integers(6, 14))
    row = st.dictionaries(st.integers(0, 7), st.integers(1, 4).map(float), min_size=1, max_size=5)
    atom_row = st.sets(st.integers(0, 3), min_size=1).map(lambda columns: dict.fromkeys(columns, 1.0))
    return (
        draw(st.lists(atom_row, min_size=size, max_size=size)),
        draw(st.lists(row, min_size=size, max_size=size)),
    )


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0.0, 1.0]))
def test_incremental_is_recomputed(problem: Any, seed: int, aim: float, price: float) -> None:
    atoms, compounds = problem
    lengths = np.arange(1, len(atoms) + 1)
    pattern = np.arange(len(atoms)) % 3
    search = Search(
        matrix(atoms),
        matrix(compounds),
        len(atoms) // 2,
        len(atoms) // 3,
        atom_cap=0.1,
        pattern=pattern,
        quota=3,
        least_distinct=3,
        least_atoms=2,
        lengths={"words": (lengths, 0.3, 3.0)},
        seed=seed,
    )
    search.restart()
    violation = search.measure()[2]
    for _ in range(3):
        kernels.exchange(search.state, search.atoms, search.compounds, 40, aim, price)
        distinct = int(search.state.distinct[0])
        assert distinct == (search.state.pattern_count > 0).sum()
        assert search.measure()[2] <= violation + 1e-12
        violation = search.measure()[2]
        kept = [array.copy() for array in (search.atoms.counts, search.atoms.totals, search.compounds.counts)]
        rest = [search.compounds.totals.copy(), search.state.pattern_count.copy(), search.state.length_total.copy()]
        search.place(search.state.order.copy())
        again = [search.atoms.counts, search.atoms.totals, search.compounds.counts, search.compounds.totals]
        for one, other in zip(
            [*kept, *rest], [*again, search.state.pattern_count, search.state.length_total], strict=True
        ):
            assert np.array_equal(one, other)
        sides = np.zeros(len(atoms), np.int8)
        train, test = search.state.bounds[1:3]
        sides[search.state.order[:train]], sides[search.state.order[train:test]] = 1, 2
        assert search.state.distinct[0] == distinct
        sums = [sum(1 for row, side in zip(atoms, sides, strict=True) if side == 1 and c in row) for c in range(4)]
        held = {c for row, side in zip(atoms, sides, strict=True) if side == 2 for c in row}
        faults = sum(max(0, 2 - sums[c]) for c in held) + max(0, 3 - distinct)
        d_c, d_a, found = search.measure()
        assert found >= faults
        assert found < faults + len(atoms)
        assert d_c == pytest.approx(slow_divergence(compounds, sides, 0.1), abs=1e-9)
        assert d_a == pytest.approx(slow_divergence(atoms, sides, 0.5), abs=1e-9)
        assert sorted(search.state.order.tolist()) == list(range(len(atoms)))


@settings(max_examples=30, deadline=None)
@given(problems(), st.integers(0, 1000), st.integers(0, 1))
def test_evictions_keep_the_books(problem: Any, seed: int, side: int) -> None:
    atoms, compounds = problem
    search = Search(matrix(atoms), matrix(compounds), len(atoms) // 2, len(atoms) // 3, atom_cap=1.0, seed=seed)
    search.restart()
    holders = np.array([n for n, row in enumerate(compounds) if 0 in row], np.int32)
    kernels.evict(search.state, search.atoms, search.compounds, holders, side, 8, 1.0, 0.5)
    counts, totals = search.compounds.counts.copy(), search.compounds.totals.copy()
    search.place(search.state.order.copy())
    assert np.array_equal(counts, search.compounds.counts)
    assert np.array_equal(totals, search.compounds.totals)


def test_a_planted_split_is_found() -> None:
    # Two families of compounds that share no column: the best split parts them, and then D_C is 1.
    rows = [{(n % 4) + 4 * (n % 2): 1.0, 8 + 4 * (n % 2): 2.0} for n in range(40)]
    atoms = [{0: 1.0} for _ in rows]
    result = Search(matrix(atoms), matrix(rows), 15, 15, seed=3).run()
    assert result.d_c == pytest.approx(1.0)
    assert result.problems == []
    assert {n % 2 for n in np.flatnonzero(result.sides == 1)} != {n % 2 for n in np.flatnonzero(result.sides == 2)}


@settings(max_examples=30, deadline=None)
@given(problems(), st.integers(0, 1000))
def test_slopes_are_derivatives(problem: Any, seed: int) -> None:
    """The slope of an example is what the log of the coefficient changes by when a little of it joins a side."""
    atoms, compounds = problem
    search = Search(matrix(atoms), matrix(compounds), len(atoms) // 2, len(atoms) // 3, seed=seed)
    search.restart()
    found = kernels.slopes(search.compounds, 1.0)
    totals = search.compounds.totals.astype(float)
    counts = search.compounds.counts + np.array([1.0, totals[1] / totals[0]])

    def log_coefficient(shift: np.ndarray[Any, Any], side: int) -> float:
        moved, sums = counts.copy(), totals.copy()
        moved[:, side] += shift
        sums[side] += shift.sum()
        return float(
            np.log(np.sum(moved[:, 0] ** 0.1 * moved[:, 1] ** 0.9)) - 0.1 * np.log(sums[0]) - 0.9 * np.log(sums[1])
        )

    for example, row in enumerate(compounds):
        step = np.zeros(len(counts))
        step[list(row)] = np.array(list(row.values())) * 1e-6
        for side in (0, 1):
            change = log_coefficient(step, side) - log_coefficient(0 * step, side)
            assert found[example, side] * 1e-6 == pytest.approx(change, rel=1e-3, abs=1e-11)


def test_a_batch_start_keeps_the_sizes_and_the_quota_and_helps() -> None:
    generator = np.random.default_rng(0)
    family = generator.integers(0, 2, 400)
    rows = [{int(column) + 30 * int(side): 1.0 for column in generator.integers(0, 40, 6)} for side in family]
    atoms = [{0: 1.0} for _ in rows]
    pattern = np.arange(400) % 40
    search = Search(matrix(atoms), matrix(rows), 200, 80, pattern=pattern, quota=3, seed=1)
    search.restart()
    before = search.measure()[0]
    search.assign()
    after, _, violation = search.measure()
    assert after > before + 0.1
    assert violation == 0
    assert np.bincount(pattern[search.state.order[200:280]]).max() <= 3
    assert sorted(search.state.order.tolist()) == list(range(400))


def test_whole_numbers_stay_and_weights_become_fixed_point() -> None:
    whole = matrix([{0: 3.0, 1: 1.0}])
    assert fixed_point(whole).tolist() == [3, 1]
    weights = matrix([{0: 0.25, 1: 1.0, 2: 1e-12}])
    scaled = fixed_point(weights)
    assert scaled[0] * 4 == scaled[1]
    assert scaled[2] == 1  # what is there stays there


def test_without_unused_examples() -> None:
    rows = [{n % 5: 1.0} for n in range(20)]
    result = Search(matrix([{0: 1.0}] * 20), matrix(rows), 12, 8, seed=1).run()
    assert (result.sides == 1).sum() == 12
    assert (result.sides == 2).sum() == 8


def test_sizes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="30 \\+ 1"):
        Search(matrix([{0: 1.0}] * 20), matrix([{0: 1.0}] * 20), 30, 1)
