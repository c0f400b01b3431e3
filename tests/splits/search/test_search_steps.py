"""The steps of the search: each foretells what it does, none ends worse, and together they spend what was announced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.splits.search import exchange
from recombine.splits.search import exchange_kernels as kernels
from recombine.splits.search.exchange import ACCEPT_WORSE, BASINS, START_EXPONENT, SplitSearch

TRAIN, TEST = 0, 1


def matrix(rows: list[dict[int, float]]) -> Any:
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.array([column for row in rows for column in sorted(row)], np.int32)
    data = np.array([row[column] for row in rows for column in sorted(row)], np.float64)
    return indptr, indices, data


def random_rows(seed: int, size: int, columns: int) -> list[dict[int, float]]:
    generator = np.random.default_rng(seed)
    return [dict.fromkeys(generator.integers(0, columns, 3).tolist(), 1.0) for _ in range(size)]


def energy(search: SplitSearch, aim: float, price: float) -> float:
    d_c, d_a, _ = search.measure()
    return abs(d_c - aim) + price * d_a


def test_a_power_beyond_the_table_is_computed() -> None:
    table = np.array([0.0, 1.0, 2.0**0.5])
    assert kernels.power(table, 2, 0.5) == 2.0**0.5
    assert kernels.power(table, 3, 0.5) == pytest.approx(3.0**0.5)
    assert kernels.power(table, 9, 0.5) == pytest.approx(3.0)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([(0, 1), (0, 2), (1, 2)]), st.data())
def test_a_trial_foretells_what_the_exchange_gives(seed: int, sides: tuple[int, int], data: st.DataObject) -> None:
    size = 10
    search = SplitSearch(
        matrix(random_rows(seed, size, 5)),
        matrix(random_rows(seed + 1, size, 8)),
        4,
        4,
        atom_cap=0.05,
        pattern=np.random.default_rng(seed).integers(0, 5, size),
        quota=2,
        least_distinct=4,
        least_atoms=2,
        lengths={"words": (np.arange(1, size + 1), 0.9, 1.1)},
        seed=seed,
    )
    search.restart()
    state, atoms, compounds = search.state, search.atoms, search.compounds
    source, target = sides
    x_place = data.draw(st.integers(int(state.bounds[source]), int(state.bounds[source + 1]) - 1))
    y_place = data.draw(st.integers(int(state.bounds[target]), int(state.bounds[target + 1]) - 1))
    x, y = state.order[x_place], state.order[y_place]
    signs = -int(source == TRAIN), int(target == TEST) - int(source == TEST)
    atom_sum, _, faults, _ = kernels.measure(state, atoms)
    faults += kernels.uncovered_change(atoms, state.least_atoms, x, *signs)
    atom_sum += kernels.shift(atoms, x, *signs, True)
    sums, new_sums, values = np.array([kernels.product_sum(compounds, 0)]), np.empty(1), np.empty(1)
    kernels.shift_sums(compounds, x, *signs, True, sums, sums)
    _, d_a, change, excess = kernels.constraint_trial(state, atoms, x, y, *signs, atom_sum, False)
    d_c = kernels.compound_trial(compounds, x, y, *signs, sums, new_sums, values)
    kernels.commit(state, atoms, compounds, x_place, y_place, *signs)
    search.place(state.order.copy())
    assert search.measure()[:2] == pytest.approx((d_c, d_a), abs=1e-9)
    assert kernels.measure(state, atoms)[2] == faults + change
    assert search.measure()[2] == pytest.approx(faults + change + excess, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.4, 1.0]), st.sampled_from([0.0, 1.0]))
def test_no_exchange_ends_worse(seed: int, aim: float, price: float) -> None:
    search = SplitSearch(
        matrix(random_rows(seed, 16, 5)), matrix(random_rows(seed + 1, 16, 12)), 8, 6, atom_cap=1.0, seed=seed
    )
    search.restart()
    for _ in range(60):
        violation, before = search.measure()[2], energy(search, aim, price)
        kernels.exchange(search.state, search.atoms, search.compounds, 1, aim, price)
        search.place(search.state.order.copy())
        assert search.measure()[2] <= violation + 1e-12
        if search.measure()[2] > violation - 1e-12:
            assert energy(search, aim, price) <= before + 1e-9


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("side", [TRAIN, TEST])
def test_an_evicted_example_goes_for_the_best_partner(seed: int, side: int) -> None:
    aim, price = 1.0, 1.0
    compounds = random_rows(seed + 1, 12, 8)
    search = SplitSearch(matrix(random_rows(seed, 12, 3)), matrix(compounds), 6, 6, atom_cap=1.0, seed=seed)
    search.restart()
    order, starts = search.state.order.copy(), search.state.bounds
    x_place = int(starts[side])
    column = next(iter(compounds[order[x_place]]))
    holds = np.array([column in row for row in compounds])
    violation = search.measure()[2]
    wanted = []
    for y_place in range(starts[1 - side], starts[2 - side]):
        exchanged = order.copy()
        exchanged[[x_place, y_place]] = order[[y_place, x_place]]
        search.place(exchanged)
        if not holds[order[y_place]] and search.measure()[2] <= violation:
            wanted.append(energy(search, aim, price))
    search.place(order)
    before = energy(search, aim, price)
    holder = np.array([order[x_place]], np.int32)
    holders = np.append(holder, [n for n in np.flatnonzero(holds) if n not in order[starts[side] : starts[side + 1]]])
    kernels.evict(search.state, search.atoms, search.compounds, holders.astype(np.int32), side, 200, aim, price)
    search.place(search.state.order.copy())
    # 200 draws of 6 others miss none of them; where none will do, the example stays.
    assert energy(search, aim, price) == pytest.approx(min(wanted, default=before), abs=1e-9)


def test_repair_mends_what_is_broken_and_leaves_the_rest_alone() -> None:
    rows = [{n: 1.0} for n in range(12)]
    pattern = np.array([0] * 6 + [1] * 6)
    search = SplitSearch(matrix([{0: 1.0}] * 12), matrix(rows), 6, 6, pattern=pattern, quota=3, seed=1)
    search.place(np.array([6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]))
    assert search.measure()[2] == 3  # six test examples of a pattern that may have three
    search.repair()
    assert search.measure()[2] == 0
    assert np.bincount(pattern[search.state.order[6:]]).tolist() == [3, 3]
    moves, order = search.moves, search.state.order.copy()
    search.repair()
    assert search.moves == moves
    assert np.array_equal(search.state.order, order)


def test_a_search_spends_the_moves_it_announces() -> None:
    announced = []
    search = SplitSearch(
        matrix([{0: 1.0}] * 60),
        matrix(random_rows(0, 60, 20)),
        40,
        20,
        atom_cap=1.0,
        progress=lambda _, total, __: announced.append(total),
    )
    moves = search.run().moves
    # Of 10,000 moves each: 28 starts, and of four basins a reheat of a third and 40 evictions with two tenths.
    assert set(announced) == {int(10_000 * (28 + 4 * (1 / 3 + 40 * 2 / 10)))}
    assert moves == pytest.approx(announced[0], rel=0.02)


@pytest.mark.parametrize(("effort", "starts", "basins"), [(1.0, 28, 4), (0.2, 28, 4), (0.1, 14, 2), (0.02, 7, 1)])
def test_a_small_budget_makes_fewer_starts_with_longer_descents(effort: float, starts: int, basins: int) -> None:
    size = 20_000
    search = SplitSearch(
        *(matrix([{row % 7: 1.0} for row in range(size)]) for _ in range(2)), 9000, 1000, effort=effort
    )
    assert (search.starts, search.basins) == (starts, basins)
    assert search.unit >= 2 * size * 0.95
    moves = max(10_000, effort * 10 * size) * (exchange.STARTS + BASINS * exchange.IMPROVING)
    assert search.unit * (starts + basins * exchange.IMPROVING) == pytest.approx(moves, rel=1e-3)


def test_starts_with_the_same_end_are_improved_once() -> None:
    """All splits of examples without anything in common are alike: one basin."""
    rows = [{n: 1.0} for n in range(8)]
    search = SplitSearch(matrix([{0: 1.0}] * 8), matrix(rows), 4, 4)
    improved = []
    search.improve = lambda score, *_: improved.append(score)  # type: ignore[method-assign]
    search.run()
    assert len(improved) == 1


def test_the_best_basins_are_improved_from_the_best_down_and_the_best_is_kept() -> None:
    search = SplitSearch(matrix([{0: 1.0}] * 60), matrix(random_rows(0, 60, 20)), 40, 20, atom_cap=1.0)
    improved, ends = [], []
    descend, improve = search.descend, search.improve

    def ending(*arguments: Any) -> Any:
        score = descend(*arguments)
        if arguments[1] == START_EXPONENT:
            ends.append(score)
        return score

    def improving(score: Any, order: Any, *rest: Any) -> None:
        search.place(order)
        assert search.measure()[2] == score[0]
        assert 1.0 - search.measure()[0] == pytest.approx(score[1])
        improved.append(score)
        improve(score, order, *rest)

    search.descend, search.improve = ending, improving  # type: ignore[method-assign]
    result = search.run()
    assert improved == sorted(set(ends))[:BASINS]
    assert len(improved) == BASINS
    assert 1.0 - result.d_c <= improved[0][1]


def test_basins_of_a_small_pool_are_all_grown() -> None:
    search = SplitSearch(matrix([{0: 1.0}] * 150), matrix(random_rows(0, 150, 20)), 100, 50, atom_cap=0.5)
    sizes, improve = [], search.improve

    def improving(score: Any, order: Any, *rest: Any) -> None:
        search.place(order)
        if not sizes:
            assert search.best_score == score
            assert search.best_d_c == pytest.approx(search.measure()[0])
        sizes.append(int(search.state.bounds[2]))
        assert score == (search.measure()[2], 1.0 - search.measure()[0])
        improve(score, order, *rest)

    search.improve = improving  # type: ignore[method-assign]
    result = search.run()
    assert sizes == [150] * BASINS
    assert (result.sides == 2).sum() == 50


class Scripted(SplitSearch):
    """A search whose reheats end where they are told to, and whose evictions do nothing; where each begins is kept."""

    ends: list[tuple[list[int], float, float]]
    begun: list[list[int]]

    def descend(self, moves: int, exponent: float, *_: Any) -> tuple[float, float]:  # noqa: ARG002
        if exponent == START_EXPONENT:
            return self.keep_best()
        self.begun.append(self.state.order.tolist())
        order, violation, worse = self.ends[len(self.begun) - 1]
        self.place(np.array(order))
        return violation, self.best_score[1] + worse

    def evict(self, *_: Any) -> None:
        self.begun.append(self.state.order.tolist())

    def exchange(self, *_: Any) -> tuple[float, float]:
        return np.inf, np.inf


@pytest.mark.parametrize("last", [(0.0, ACCEPT_WORSE * 2), (1.0, -0.1)])
def test_a_reheat_goes_on_from_the_last_one_that_was_hardly_worse(
    last: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first was little worse and is taken; the last was more, or breaks a constraint, and is left."""
    monkeypatch.setattr(exchange, "REHEATS", 2)
    search = Scripted(matrix([{0: 1.0}] * 4), matrix([{n: 1.0} for n in range(4)]), 2, 1, seed=2)
    little = ACCEPT_WORSE / 2
    search.begun = []
    search.ends = [([0, 1, 2, 3], 0.0, little), ([1, 2, 3, 0], *last)]
    search.run()
    first, *later = search.begun
    assert first == search.best.tolist()
    assert later[:3] == [[0, 1, 2, 3]] * 3
