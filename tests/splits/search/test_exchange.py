"""The search on matrices: what it keeps up to date is what a recount gives."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.splits.search import exchange_kernels as kernels
from recombine.splits.search.exchange import SplitSearch, fixed_point

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
    search = SplitSearch(
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
    search = SplitSearch(matrix(atoms), matrix(compounds), len(atoms) // 2, len(atoms) // 3, atom_cap=1.0, seed=seed)
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
    result = SplitSearch(matrix(atoms), matrix(rows), 15, 15, seed=3).run()
    assert result.d_c == pytest.approx(1.0)
    assert result.problems == []
    assert {n % 2 for n in np.flatnonzero(result.sides == 1)} != {n % 2 for n in np.flatnonzero(result.sides == 2)}


@settings(max_examples=30, deadline=None)
@given(problems(), st.integers(0, 1000))
def test_slopes_are_derivatives(problem: Any, seed: int) -> None:
    """The slope of an example is what the log of the coefficient changes by when a little of it joins a side."""
    atoms, compounds = problem
    search = SplitSearch(matrix(atoms), matrix(compounds), len(atoms) // 2, len(atoms) // 3, seed=seed)
    search.restart()
    found = kernels.slopes(search.compounds, 1.0)
    totals = search.compounds.totals[0].astype(float)
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


@settings(max_examples=30, deadline=None)
@given(problems(), st.integers(0, 1000), st.sampled_from([0.3, 1.0]))
def test_worths_are_what_one_more_or_one_less_would_change(problem: Any, seed: int, weight: float) -> None:
    """Column by column, a step up where the example would join and down where it would leave; totals by their slope."""
    atoms, compounds = problem
    search = SplitSearch(matrix(atoms), matrix(compounds), len(atoms) // 2, len(atoms) // 3, seed=seed)
    search.restart()
    worths = np.zeros((len(atoms), 3))
    kernels.add_worths(search.state, search.compounds, 0, weight, worths)
    counts, totals = search.compounds.counts.astype(float), search.compounds.totals[0].astype(float)
    powers, whole = (0.1, 0.9), totals[0] ** 0.1 * totals[1] ** 0.9
    share = (counts[:, 0] ** 0.1 * counts[:, 1] ** 0.9).sum() / whole
    for place, example in enumerate(search.state.order.tolist()):
        row = compounds[example]
        for side, held in enumerate((place < len(atoms) // 2, len(atoms) // 2 <= place < search.state.bounds[2])):
            rise = weight * share * powers[side] * sum(row.values()) / totals[side]
            for column, value in row.items():
                here, there = counts[column, side], counts[column, 1 - side] ** powers[1 - side]
                step = here ** powers[side] - (here - 1) ** powers[side] if held else 0.0
                step = step if held else (here + 1) ** powers[side] - here ** powers[side]
                rise -= weight * value * step * there / whole
            assert worths[example, side] == pytest.approx(rise, abs=1e-9)
    assert not worths[:, 2].any()


def test_the_best_of_some_is_drawn() -> None:
    count = 1000 * kernels.FEW
    search = SplitSearch(matrix([{0: 1.0}] * count), matrix([{0: 1.0}] * count), count // 2, count // 4, seed=1)
    rank = np.empty(count)
    for side in (0, 1):  # the worth of an example on the other side is its rank on its own, from 0 to 1
        place = slice(*search.state.bounds[side : side + 2])
        rank[search.state.order[place]] = np.random.default_rng(1).permutation(place.stop - place.start)
        rank[search.state.order[place]] /= place.stop - place.start

    def mean_rank(side: int, size: int) -> float:
        worths = np.zeros((count, 3))
        worths[:, 1 - side] = rank
        drawn = [kernels.draw_place(search.state, worths, side, 1 - side, size) for _ in range(300)]
        assert all(search.state.bounds[side] <= each < search.state.bounds[side + 1] for each in drawn)
        return float(rank[search.state.order[drawn]].mean())

    for side in (0, 1):
        assert mean_rank(side, 1) == pytest.approx(0.5, abs=0.06)
        assert mean_rank(side, 9) == pytest.approx(0.9, abs=0.02)  # the mean of the best of n is n / (n + 1)


def test_few_are_drawn_of_a_small_side() -> None:
    search = SplitSearch(matrix([{0: 1.0}] * 40), matrix([{0: 1.0}] * 40), 20, 10, seed=1)
    worths = np.zeros((40, 3))
    worths[7, 1] = 1.0
    drawn = {int(search.state.order[kernels.draw_place(search.state, worths, 0, 1, 400)]) for _ in range(60)}
    assert len(drawn) > 10


def test_a_batch_start_keeps_the_sizes_and_the_quota_and_helps() -> None:
    generator = np.random.default_rng(0)
    family = generator.integers(0, 2, 400)
    rows = [{int(column) + 30 * int(side): 1.0 for column in generator.integers(0, 40, 6)} for side in family]
    atoms = [{0: 1.0} for _ in rows]
    pattern = np.arange(400) % 40
    search = SplitSearch(matrix(atoms), matrix(rows), 200, 80, pattern=pattern, quota=3, seed=1)
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
    result = SplitSearch(matrix([{0: 1.0}] * 20), matrix(rows), 12, 8, seed=1).run()
    assert (result.sides == 1).sum() == 12
    assert (result.sides == 2).sum() == 8


def test_sizes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="30 \\+ 1"):
        SplitSearch(matrix([{0: 1.0}] * 20), matrix([{0: 1.0}] * 20), 30, 1)


@st.composite
def constraints(draw: st.DrawFn) -> dict[str, Any]:
    """Constraints that are met at times and broken at others."""
    low, high = sorted(draw(st.lists(st.sampled_from([0.3, 0.7, 1.0, 1.4, 3.0]), min_size=2, max_size=2)))
    return {
        "atom_cap": draw(st.sampled_from([0.001, 0.03, 0.1, 1.0])),
        "quota": draw(st.integers(1, 3)),
        "least_distinct": draw(st.integers(0, 4)),
        "least_atoms": draw(st.integers(1, 4)),
        "length": (low, high),
    }


class Recount:
    """What a state breaks, counted from plain rows."""

    def __init__(self, atoms: list[dict[int, float]], compounds: list[dict[int, float]], given: dict[str, Any]) -> None:
        self.atoms, self.compounds, self.given = atoms, compounds, given
        self.pattern = [number % 4 for number in range(len(atoms))]
        self.length = [1 + number * number % 7 for number in range(len(atoms))]

    def search(self, seed: int) -> SplitSearch:
        """A search with a random state."""
        low, high = self.given["length"]
        search = SplitSearch(
            matrix(self.atoms),
            matrix(self.compounds),
            len(self.atoms) // 2,
            len(self.atoms) // 3,
            pattern=np.array(self.pattern),
            lengths={"words": (np.array(self.length), low, high)},
            seed=seed,
            **{name: value for name, value in self.given.items() if name != "length"},
        )
        generator = np.random.default_rng(seed)
        search.place(generator.permutation(len(self.atoms)))  # restart would respect the quota
        return search

    def sides(self, search: SplitSearch) -> Any:
        """The side of every example."""
        sides = np.zeros(len(self.atoms), np.int8)
        train, test = search.state.bounds[1:3]
        sides[search.state.order[:train]], sides[search.state.order[train:test]] = 1, 2
        return sides

    def faults(self, search: SplitSearch) -> int:
        """Occurrences of atoms that train lacks, patterns that test lacks, and examples above the quota."""
        sides, given = self.sides(search), self.given
        train, test = ([n for n in range(len(self.atoms)) if sides[n] == side] for side in (1, 2))
        times = [sum(column in self.atoms[n] for n in train) for column in range(4)]
        held = {column for n in test for column in self.atoms[n]}
        counts = [sum(self.pattern[n] == label for n in test) for label in range(4)]
        return (
            sum(max(0, given["least_atoms"] - times[column]) for column in held)
            + max(0, given["least_distinct"] - sum(count > 0 for count in counts))
            + sum(max(0, count - given["quota"]) for count in counts)
        )

    def violation(self, search: SplitSearch) -> float:
        """The faults, how far D_A is above the cap, and how far the ratio of mean lengths is outside its bounds."""
        sides, (low, high) = self.sides(search), self.given["length"]
        means = [np.mean([n for n, own in zip(self.length, sides, strict=True) if own == side]) for side in (1, 2)]
        outside = max(0.0, low - means[0] / means[1], means[0] / means[1] - high)
        above = max(0.0, slow_divergence(self.atoms, sides, 0.5) - self.given["atom_cap"])
        return float(self.faults(search) + above + outside)

    def distance(self, search: SplitSearch, aim: float) -> float:
        """How far D_C is from an aim."""
        return abs(slow_divergence(self.compounds, self.sides(search), 0.1) - aim)


MOVES = [(0, 1), (0, 2), (1, 2), (1, 0)]
"""From and to: train, test and unused."""


@settings(max_examples=150, deadline=None)
@given(problems(), constraints(), st.sampled_from(MOVES), st.integers(0, 2**16))
def test_a_trial_tells_what_the_exchange_then_gives(
    problem: Any, given_: dict[str, Any], move: tuple[int, int], seed: int
) -> None:
    recount = Recount(*problem, given_)
    search = recount.search(seed)
    state, atoms, compounds = search.state, search.atoms, search.compounds
    (source, target), generator = move, np.random.default_rng(seed)
    x_place, y_place = (int(generator.integers(state.bounds[side], state.bounds[side + 1])) for side in move)
    x, y = int(state.order[x_place]), int(state.order[y_place])
    train_sign = int(target == kernels.TRAIN) - int(source == kernels.TRAIN)
    test_sign = int(target == kernels.TEST) - int(source == kernels.TEST)

    before, _, faults, violation = kernels.measure(state, atoms)
    assert faults == recount.faults(search)
    assert violation == pytest.approx(recount.violation(search), abs=1e-7)
    sums, new_sums, values = np.array([kernels.product_sum(compounds, 0)]), np.empty(1), np.empty(1)

    faults += kernels.uncovered_change(atoms, state.least_atoms, x, train_sign, test_sign)
    before += kernels.shift(atoms, x, train_sign, test_sign, True)
    kernels.shift_sums(compounds, x, train_sign, test_sign, True, sums, sums)
    product, d_a, change, excess = kernels.constraint_trial(state, atoms, x, y, train_sign, test_sign, before, False)
    d_c = kernels.compound_trial(compounds, x, y, train_sign, test_sign, sums, new_sums, values)
    kernels.commit(state, atoms, compounds, x_place, y_place, train_sign, test_sign)

    assert faults + change == recount.faults(search)
    assert faults + change + excess == pytest.approx(recount.violation(search), abs=1e-7)
    assert d_a == pytest.approx(slow_divergence(recount.atoms, recount.sides(search), 0.5), abs=1e-9)
    assert d_c == pytest.approx(recount.distance(search, 0.0), abs=1e-9)
    assert values[0] == d_c
    assert product == pytest.approx(kernels.product_sum(atoms, 0))
    assert new_sums[0] == pytest.approx(kernels.product_sum(compounds, 0))


@settings(max_examples=60, deadline=None)
@hypothesis.example(
    problem=([{0: 1.0}] * 8, [{0: 1.0}] * 4 + [{0: 1.0, 1: 1.0}] + [{0: 1.0}] * 3),
    given_={"atom_cap": 0.001, "quota": 1, "least_distinct": 0, "least_atoms": 1, "length": (0.3, 3.0)},
    seed=75,
    aim=0.0,
)
@given(problems(), constraints(), st.integers(0, 2**16), st.sampled_from([0.0, 0.4, 1.0]))
def test_exchanges_break_nothing_and_come_nearer(problem: Any, given_: dict[str, Any], seed: int, aim: float) -> None:
    recount = Recount(*problem, given_)
    search = recount.search(seed)
    before = recount.violation(search), recount.distance(search, aim)
    for _ in range(4):
        # The search keeps a little inside of the bounds, so that a ratio of lengths on a bound is a violation to it.
        seen = kernels.measure(search.state, search.atoms)[3]
        assert seen == pytest.approx(before[0], abs=1e-8)
        kernels.exchange(search.state, search.atoms, search.compounds, 12, aim, 0.0)
        after = recount.violation(search), recount.distance(search, aim)
        assert after[0] <= before[0] + 1e-7
        if seen == 0:
            assert after[1] <= before[1] + 1e-7
        before = after


@settings(max_examples=120, deadline=None)
@given(problems(), constraints(), st.integers(0, 2**16), st.integers(0, 1))
def test_evictions_break_nothing(problem: Any, given_: dict[str, Any], seed: int, side: int) -> None:
    recount = Recount(*problem, given_)
    search = recount.search(seed)
    before = recount.violation(search)
    for column in range(3):
        holders = np.array([n for n, row in enumerate(recount.compounds) if column in row], np.int32)
        kernels.evict(search.state, search.atoms, search.compounds, holders, side, 8, 1.0, 0.0)
        assert recount.violation(search) <= before + 1e-7


@pytest.mark.parametrize("seed", range(8))
def test_evictions_one_after_another_keep_a_tight_cap(seed: int) -> None:
    generator = np.random.default_rng(seed)
    atoms = [dict.fromkeys((generator.random(4) < 0.4).nonzero()[0].tolist() or [0], 1.0) for _ in range(40)]
    compounds = [dict.fromkeys(generator.integers(0, 12, 4).tolist(), 1.0) for _ in range(40)]
    free = {"quota": 40, "least_distinct": 0, "least_atoms": 1, "length": (0.01, 100.0)}
    recount = Recount(atoms, compounds, {"atom_cap": 0.01, **free})
    search = recount.search(seed)
    kernels.exchange(search.state, search.atoms, search.compounds, 400, 1.0, 0.0)
    assert recount.violation(search) == 0
    for column in range(12):
        holders = np.array([n for n, row in enumerate(compounds) if column in row], np.int32)
        kernels.evict(search.state, search.atoms, search.compounds, holders, column % 2, 4, 1.0, 0.0)
        assert recount.violation(search) < 1e-9


def test_an_eviction_counts_what_the_one_before_mended() -> None:
    # Test has pattern 1 twice where once is allowed. The first holder out mends that; the second then brings a second
    # example of pattern 0, which is no more than was broken at the start.
    rows = [{1: 1.0}] * 4 + [{0: 1.0, 1: 1.0}, {1: 1.0}, {0: 1.0, 1: 1.0}]
    pattern = np.array([0, 0, 0, 0, 1, 1, 2])
    search = SplitSearch(matrix([{0: 1.0}] * 7), matrix(rows), 4, 3, pattern=pattern, quota=1, seed=1)
    search.place(np.arange(7))
    assert search.measure()[2] == 1
    kernels.evict(search.state, search.atoms, search.compounds, np.array([4, 6], np.int32), 1, 8, 1.0, 0.0)
    assert {4, 6} <= set(search.state.order[:4].tolist())
    assert search.measure()[2] == 1


def small(atoms: list[int], *, train: int, test: int, **options: Any) -> SplitSearch:
    """A search over examples of one atom each."""
    rows = [{atom: 1.0} for atom in atoms]
    return SplitSearch(matrix(rows), matrix(rows), train, test, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        # Two patterns at a quota of 1: room for two.
        ({"train": 2, "test": 2, "pattern": [0, 0, 0, 0, 1, 1], "quota": 1}, ""),
        (
            {"train": 2, "test": 3, "pattern": [0, 0, 0, 0, 1, 1], "quota": 1},
            "a quota of 1 per pattern leaves room for 2 of 3 test examples",
        ),
        ({"train": 2, "test": 3, "pattern": [0, 0, 0, 0, 1, 1], "least_distinct": 2}, ""),
        (
            {"train": 2, "test": 3, "pattern": [0, 0, 0, 0, 1, 1], "least_distinct": 3},
            "3 test patterns are wanted of 2 that can be had",
        ),
        (
            {"train": 2, "test": 1, "pattern": [0, 0, 0, 0, 1, 1], "least_distinct": 2},
            "2 test patterns are wanted of 1 that can be had",
        ),
        # Lengths 1 to 6: two of them over three others is 1.5/5 at least and 5.5/2 at most.
        ({"train": 2, "test": 3, "lengths": (2.74, 9.0)}, ""),
        ({"train": 2, "test": 3, "lengths": (0.1, 0.31)}, ""),
        ({"train": 2, "test": 3, "lengths": (0.31, 2.7)}, ""),
        ({"train": 2, "test": 3, "lengths": (2.76, 9.0)}, "the words length ratio lies between 0.3000 and 2.7500"),
        ({"train": 2, "test": 3, "lengths": (0.1, 0.29)}, "the words length ratio lies between 0.3000 and 2.7500"),
    ],
)
def test_what_no_split_can_meet(options: dict[str, Any], message: str) -> None:
    options = dict(options)
    if "lengths" in options:
        options["lengths"] = {"words": (np.arange(1, 7), *options["lengths"])}
    if "pattern" in options:
        options["pattern"] = np.array(options["pattern"])
    found = small([0] * 6, **options).impossible()
    assert len(found) == bool(message)
    assert "".join(found).startswith(message)


@pytest.mark.parametrize(
    ("atoms", "least", "test", "message"),
    [
        ([0, 0, 1, 1], 1, 3, ""),
        ([0, 0, 1, 2], 1, 2, ""),
        ([0, 0, 1, 2], 1, 3, "2 examples hold an atom that no other has, so they cannot be tested, and 3 must be"),
        ([0, 0, 0, 1, 1], 2, 3, ""),
        ([0, 0, 0, 1, 1], 2, 4, "2 examples hold an atom that others lack"),
    ],
)
def test_atoms_that_cannot_be_tested(atoms: list[int], least: int, test: int, message: str) -> None:
    found = small(atoms, train=1, test=test, least_atoms=least).impossible()
    assert len(found) == bool(message)
    assert "".join(found).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        # Atoms 0 1 in train and 0 0 in test: D_A = 1 − √(1/2 · 1) = 0.293.
        ({"atom_cap": 0.3}, ""),
        ({"atom_cap": 0.29}, "atom divergence: 0.293 is the lowest found, above the cap of 0.29"),
        ({"least_atoms": 1}, ""),
        ({"least_atoms": 2}, "atoms: 1 of the test pool do not occur often enough in train"),
        ({"quota": 2}, ""),
        ({"quota": 1}, "quota: a pattern has 2 test examples, more than 1"),
        ({"least_distinct": 1}, ""),
        ({"least_distinct": 2}, "distinct: test has 1 patterns, fewer than 2"),
        # Lengths 1 2 in train and 3 4 in test: 3/7.
        ({"lengths": (0.42, 0.43)}, ""),
        ({"lengths": (0.43, 1.0)}, "the words length ratio is 0.4286, outside 0.4300 to 1.0000"),
        ({"lengths": (0.1, 0.42)}, "the words length ratio is 0.4286, outside 0.1000 to 0.4200"),
        ({"lengths": (2.3, 2.4)}, "the words length ratio is 0.4286, outside 2.3000 to 2.4000"),
    ],
)
def test_what_a_state_breaks_in_words(options: dict[str, Any], message: str) -> None:
    options = {"atom_cap": 1.0, **options}
    if "lengths" in options:
        options["lengths"] = {"words": (np.arange(1, 5), *options["lengths"])}
    search = small([0, 1, 0, 0], train=2, test=2, pattern=np.array([0, 1, 0, 0]), **options)
    search.place(np.arange(4))
    assert search.broken() == ([message] if message else [])
    assert (search.measure()[2] > 0) == bool(message)


def test_starts_and_growth_keep_a_tight_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    # Five patterns four times each, and each once in test: there is no room for a second of any.
    grown = 0
    for seed in range(20):
        search = small([0] * 20, train=8, test=5, pattern=np.arange(20) % 5, quota=1, seed=seed)
        search.restart()
        assert search.state.pattern_count.tolist() == [1] * 5
        search.assign()
        assert search.state.pattern_count.tolist() == [1] * 5
        # A core of two of different patterns, grown to five.
        search.state.bounds[2] = 10
        search.restart()
        search.best = search.state.order.copy()
        assert search.state.pattern_count.max() == 1
        monkeypatch.setattr(search, "repair", lambda: None)  # it would mend what growth does wrong
        left = set((search.best[10:] % 5).tolist()) - set((search.best[8:10] % 5).tolist())
        search.grow()
        assert search.state.bounds[2] == 13
        if len(left) == 3:
            assert search.state.pattern_count.tolist() == [1] * 5
            grown += 1
    assert grown > 5


def test_the_exponents_are_those_of_the_paper() -> None:
    # Compounds 0 0 1 in train and 0 1 in test: shares 2/3 and 1/3 against 1/2 and 1/2; train has the exponent 0.1.
    search = small([0, 0, 1, 0, 1], train=3, test=2)
    search.place(np.arange(5))
    d_c, d_a, _ = search.measure()
    assert d_c == pytest.approx(1 - 0.5**0.9 * ((2 / 3) ** 0.1 + (1 / 3) ** 0.1))
    assert d_a == pytest.approx(1 - 0.5**0.5 * ((2 / 3) ** 0.5 + (1 / 3) ** 0.5))
