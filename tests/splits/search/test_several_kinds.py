"""The search over compounds of several kinds: its books, its aim, and what splits come of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from recombine.errors import InfeasibleError, OptionError
from recombine.measures.divergence import joined_divergence
from recombine.splits.search import exchange_kernels as kernels
from recombine.splits.search.exchange import SplitSearch

Row = dict[int, float]
Kinds = list[list[Row]]


def matrix(rows: list[Row]) -> Any:
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.array([column for row in rows for column in sorted(row)], np.int32)
    data = np.array([row[column] for row in rows for column in sorted(row)], np.float64)
    return indptr, indices, data


def slow_divergence(rows: list[Row], order: np.ndarray[Any, Any], bounds: np.ndarray[Any, Any]) -> float:
    """By the formula, from plain dictionaries; 0 where a side holds nothing."""
    sums: list[Row] = []
    for low, high in ((bounds[0], bounds[1]), (bounds[1], bounds[2])):
        total: Row = {}
        for example in order[low:high].tolist():
            for column, value in rows[example].items():
                total[column] = total.get(column, 0) + value
        sums.append(total)
    p, q = (sum(total.values()) for total in sums)
    if not p or not q:
        return 0.0
    return float(1 - sum((sums[0].get(column, 0) / p) ** 0.1 * (value / q) ** 0.9 for column, value in sums[1].items()))


@st.composite
def problems(draw: st.DrawFn, *, least: int = 0) -> tuple[list[Row], Kinds]:
    """Atoms by presence, and compounds of one to three kinds, of which an example may hold none."""
    size = draw(st.integers(6, 14))
    atom_row = st.sets(st.integers(0, 3), min_size=1).map(lambda columns: dict.fromkeys(columns, 1.0))
    row = st.dictionaries(st.integers(0, 6), st.integers(1, 4).map(float), min_size=least, max_size=4)
    kind = st.lists(row, min_size=size, max_size=size)
    return draw(st.lists(atom_row, min_size=size, max_size=size)), draw(st.lists(kind, min_size=1, max_size=3))


def make(problem: tuple[list[Row], Kinds], seed: int, **options: Any) -> SplitSearch:
    """A search with a random state."""
    atoms, kinds = problem
    search = SplitSearch(
        matrix(atoms), [matrix(rows) for rows in kinds], len(atoms) // 2, len(atoms) // 3, seed=seed, **options
    )
    search.restart()
    return search


def check_books(search: SplitSearch, kinds: Kinds) -> None:
    """The sums, totals and divergences are those of a recount."""
    order, bounds = search.state.order.copy(), search.state.bounds
    kept = [array.copy() for array in (*search.atoms[4:6], *search.compounds[4:6])]
    search.place(order)
    for one, other in zip(kept, (*search.atoms[4:6], *search.compounds[4:6]), strict=True):
        assert np.array_equal(one, other)
    mean, values = search.measure_kinds()
    assert values == pytest.approx([slow_divergence(rows, order, bounds) for rows in kinds], abs=1e-9)
    counted = values.tolist() if len(kinds) == 1 else np.maximum(values, kernels.LEAST_DIVERGENCE).tolist()
    assert mean == search.measure()[0] == pytest.approx(joined_divergence(counted), abs=1e-12)
    for kind, rows in enumerate(kinds):
        width = 1 + max((column for row in rows for column in row), default=0)
        first, last = search.compounds.columns[kind : kind + 2]
        assert last - first == width
        for side in (0, 1):
            wanted = np.zeros(width)
            for example in order[bounds[side] : bounds[side + 1]].tolist():
                for column, value in rows[example].items():
                    wanted[column] += value
            assert search.compounds.counts[first:last, side].tolist() == wanted.tolist()
            assert search.compounds.totals[kind, side] == wanted.sum()


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]))
def test_exchanges_keep_the_books(problem: Any, seed: int, aim: float) -> None:
    search = make(problem, seed, atom_cap=1.0)
    for _ in range(3):
        compounds = search.compounds
        before = abs(kernels.measure_kinds(compounds, *np.empty((2, len(problem[1])))) - aim)
        broken = search.measure()[2]
        kernels.exchange(search.state, search.atoms, compounds, 40, aim, 0.0)
        check_books(search, problem[1])
        if not broken:  # what lowers the violation may go away from the aim
            after = abs(kernels.measure_kinds(compounds, *np.empty((2, len(problem[1])))) - aim)
            assert after <= before + 1e-9


@settings(max_examples=40, deadline=None)
@given(problems(), st.integers(0, 1000), st.integers(0, 1))
def test_evictions_keep_the_books(problem: Any, seed: int, side: int) -> None:
    search = make(problem, seed, atom_cap=1.0)
    for rows in problem[1]:
        holders = np.array([n for n, row in enumerate(rows) if 0 in row], np.int32)
        compounds = search.compounds
        kernels.evict(search.state, search.atoms, compounds, holders, side, 8, 1.0, 0.5)
        check_books(search, problem[1])


@settings(deadline=None)
@given(problems())
def test_holders_of_a_column_are_the_examples_that_have_it(problem: Any) -> None:
    search = make(problem, 0)
    for kind, rows in enumerate(problem[1]):
        for column in range(7):
            place = search.compounds.columns[kind] + column
            if place < search.compounds.columns[kind + 1]:
                found = search.holders[search.holders_start[place] : search.holders_start[place + 1]]
                assert found.tolist() == [n for n, row in enumerate(rows) if column in row]


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 1000), st.sampled_from([(0, 1), (0, 2), (1, 2)]), st.data())
def test_a_trial_foretells_what_the_exchange_gives(
    problem: Any, seed: int, move: tuple[int, int], data: st.DataObject
) -> None:
    search = make(problem, seed, atom_cap=1.0)
    state, compounds, number = search.state, search.compounds, len(problem[1])
    places = [data.draw(st.integers(int(state.bounds[side]), int(state.bounds[side + 1]) - 1)) for side in move]
    x, y = (int(state.order[place]) for place in places)
    signs = -int(move[0] == 0), int(move[1] == 1) - int(move[0] == 1)
    sums, values, new_sums = np.empty(number), np.empty(number), np.empty(number)
    kernels.measure_kinds(compounds, sums, values)
    kernels.shift_counts(search.atoms, x, *signs)
    kernels.shift_sums(compounds, x, *signs, True, sums, sums)
    d_c = kernels.compound_trial(compounds, x, y, *signs, sums, new_sums, values)
    kernels.commit(state, search.atoms, compounds, *places, *signs)
    check_books(search, problem[1])
    assert values == pytest.approx(search.measure_kinds()[1], abs=1e-9)
    assert new_sums == pytest.approx([kernels.product_sum(compounds, kind) for kind in range(number)], abs=1e-9)
    assert d_c == pytest.approx(kernels.joined(values))


DIVERGENCES = st.lists(st.floats(0, 1), min_size=1, max_size=4)


@settings(deadline=None)
@given(DIVERGENCES, st.randoms(use_true_random=False))
def test_the_geometric_mean(values: list[float], random: Any) -> None:
    found = kernels.joined(np.array(values))
    assert min(values) - 1e-12 <= found <= np.mean(values) + 2e-6
    assert kernels.joined(np.array(random.sample(values, len(values)))) == pytest.approx(found, abs=1e-12)
    raised = np.array(values)
    raised[0] += 0.1
    assert kernels.joined(raised) >= found


def test_the_geometric_mean_by_hand() -> None:
    assert kernels.joined(np.array([0.9, 0.4])) == pytest.approx(0.6)
    assert kernels.joined(np.array([0.5, 0.25, 0.064])) == pytest.approx(0.2)
    assert kernels.joined(np.array([0.4])) == 0.4
    # A kind without divergence leaves next to nothing of the other, and not nothing: the search has a slope there.
    assert kernels.joined(np.array([1.0, 0.0])) == pytest.approx(0.001)


@settings(deadline=None)
@given(st.lists(st.floats(0.05, 1), min_size=1, max_size=4))
def test_shares_are_how_the_joined_divergence_changes(values: list[float]) -> None:
    shares = np.empty(len(values))
    kernels.find_shares(np.array(values), shares)
    assert shares.sum() == pytest.approx(1.0)
    changes = []
    for kind in range(len(values)):
        high, low = np.array(values), np.array(values)
        high[kind] += 1e-5
        low[kind] -= 1e-5
        changes.append((kernels.joined(high) - kernels.joined(low)) / 2e-5)
    assert shares == pytest.approx(np.array(changes) / sum(changes), rel=1e-4)
    assert shares[int(np.argmin(values))] == max(shares)


@settings(max_examples=40, deadline=None)
@given(problems(least=1), st.integers(0, 1000))
def test_slopes_and_worths_are_added_up_by_shares(problem: Any, seed: int) -> None:
    """Against those of each kind alone, which other tests derive."""
    search = make(problem, seed)
    alone = []
    for rows in problem[1]:
        one = make((problem[0], [rows]), seed)
        one.place(search.state.order.copy())
        alone.append(one)
    compounds = search.compounds
    values, shares = search.measure_kinds()[1], np.empty(len(alone))
    kernels.find_shares(values, shares)
    for smoothing in (0.5, 2.0):
        wanted = sum(share * kernels.slopes(one.compounds, smoothing) for share, one in zip(shares, alone, strict=True))
        assert np.allclose(kernels.slopes(compounds, smoothing), wanted)
    for upwards in (True, False):
        worths, wanted = np.zeros((search.n, 3)), np.zeros((search.n, 3))
        kernels.find_worths(search.state, search.atoms, compounds, shares, upwards, 0.0, 0.0, worths)
        for share, one in zip(shares, alone, strict=True):
            kernels.add_worths(one.state, one.compounds, 0, share if upwards else -share, wanted)
        kernels.add_worths(search.state, search.atoms, 0, -kernels.GUIDE_PRICE, wanted)
        assert np.allclose(worths, wanted)


def test_a_planted_split_is_found() -> None:
    # The first kind parts odd examples from even, the second the first half from the second: a D_C of 1 by both is that
    # of even ones of a half against odd ones of the other.
    odd = [{n % 2: 1.0} for n in range(40)]
    half = [{n // 20: 1.0} for n in range(40)]
    result = SplitSearch(matrix([{0: 1.0}] * 40), [matrix(odd), matrix(half)], 10, 10, seed=3).run()
    assert result.d_c == pytest.approx(1.0)
    train, test = (np.flatnonzero(result.sides == side) for side in (1, 2))
    assert {n % 2 for n in train.tolist()}.isdisjoint(n % 2 for n in test.tolist())
    assert {n // 20 for n in train.tolist()}.isdisjoint(n // 20 for n in test.tolist())


# -- splits

OUTER, TYPES, PLACES = ("largest", "longest", "count"), ("city", "river", "state"), ("loc_2", "next_to_2")
TREE, WORDS = "tree:2-2", "words:3-4,presence"
BOTH = f"symbols;{TREE}&{WORDS}"
SIZES: dict[str, Any] = {"by": "tmcd", "train": 20, "test": 16, "seed": 1, "effort": 0.2}


@pytest.fixture(scope="module")
def data() -> recombine.Dataset:
    pairs = [(f"{o} {t}", f"answer ( {o} ( {t} ) )") for o in OUTER for t in TYPES]
    pairs += [
        (f"{o} {t} {p} {n}", f"answer ( {o} ( intersection ( {t} , {p} ( m{n} ) ) ) )")
        for o in OUTER
        for t in TYPES
        for p in PLACES
        for n in (0, 1)
    ]
    return recombine.load(pairs, language="funql")


def test_the_mean_is_no_lower_than_where_one_kind_is_searched(data: recombine.Dataset) -> None:
    split = recombine.split(data, **SIZES, structures=BOTH)
    found = split.measured["compound_divergences"]
    assert set(found) == {"tree:2-2,counts", "words:3-4,presence"}
    d_c = split.measured["compound_divergence"]
    assert d_c == pytest.approx(joined_divergence(list(found.values())))
    reached = []
    for one in (TREE, WORDS):
        alone = recombine.split(data, **SIZES, structures=f"symbols;{one}")
        assert "compound_divergences" not in alone.measured
        reached.append(recombine.measure(data, alone, structures=BOTH)["compound_divergence"])
    assert max(reached) <= d_c + 1e-12
    assert min(reached) < d_c - 0.01
    assert (len(split.train), len(split.test), split.measured["unseen_atom_examples"]) == (20, 16, 0)
    assert recombine.check(data, split)["problems"] == []


def test_the_same_seed_gives_the_same_bytes(data: recombine.Dataset) -> None:
    one, two, other = (
        recombine.split(data, **{**SIZES, "seed": seed}, structures=BOTH).to_bytes() for seed in (1, 1, 2)
    )
    assert one == two != other


@pytest.mark.parametrize(
    "options", [{"dev": 4, "train": 18, "test": 14}, {"no_duplicates": True}, {"divergence": 0.3}, {"divergence": 0}]
)
def test_options_of_the_search(options: dict[str, Any], data: recombine.Dataset) -> None:
    split = recombine.split(data, **{**SIZES, "effort": 1, **options}, structures=BOTH, best_effort=True)
    assert split.missed is None
    assert {name: len(ids) for name, ids in split.parts.items()} == {
        name: {**SIZES, **options}[name] for name in ("train", "dev", "test") if name in {**SIZES, **options}
    }
    found = list(split.measured["compound_divergences"].values())
    assert split.measured["compound_divergence"] == pytest.approx(joined_divergence(found))
    if options.get("divergence"):
        assert split.measured["compound_divergence"] == pytest.approx(options["divergence"], abs=0.01)
    assert recombine.check(data, split)["problems"] == []


def test_an_example_without_all_of_the_kinds_is_not_tested() -> None:
    # The short programs have pairs of symbols, and no run of five words; the single ones have neither.
    pairs = [(f"{a} {b}", f"f ( {a} ( {b} ) )") for a in "gh" for b in "xyz"] + [(a, f"f ( {a} )") for a in "xy"]
    data = recombine.load([*pairs, *((f"{s} again", t) for s, t in pairs), ("x", "x"), ("y", "y")], language="funql")
    both = "symbols;tree:2-2&words:5-5"
    split = recombine.split(data, by="tmcd", train=8, test=6, effort=0.05, structures=both)
    assert all(recombine.features(data, both).compounds.row(row) for row in split.indices(data)[1])
    with pytest.raises(InfeasibleError, match=r"^2 of 18 examples hold no compound, so 16 can be tested"):
        recombine.split(data, by="tmcd", train=1, test=17, effort=0.05, structures=both)


@pytest.mark.parametrize("by", ["mcd", "tmcd"])
def test_the_published_procedures_take_one_kind(by: str, data: recombine.Dataset) -> None:
    with pytest.raises(
        OptionError,
        match=r"^the published procedure takes compounds of one kind, and tree:2-2,counts&words:3-4,presence are of 2; "
        r"name one of them with --structures, or leave out --published$",
    ):
        recombine.split(data, by=by, train=20, test=16, structures=BOTH, published=True)
