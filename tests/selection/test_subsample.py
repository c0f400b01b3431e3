"""Sub-sampling by entropy, level by level (CFQ paper, K.3)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_subsample import entropy, greedy_steps

import recombine
from recombine.errors import DerivationError, OptionError, SizeError
from recombine.selection.entropy_kernels import SCALE, spread_table, take_examples
from recombine.selection.level_sizes import level_sizes
from recombine.selection.subsample import grammar_levels, subsample, tag_levels
from recombine.selection.subsample_rows import entropy_of, subsample_rows, whole_weights
from recombine.structures.features import Features

NAMES = [*"abcdefg"]
ROWS = st.lists(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 4).map(float), max_size=5), min_size=1)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.data())
def test_each_step_has_the_highest_entropy_of_all_candidates(rows: list[dict[str, float]], data: st.DataObject) -> None:
    """Bounds leave candidates unseen, and none of those would have been better."""
    number = data.draw(st.integers(1, len(rows)))
    chosen = subsample_rows(Features.from_rows(rows), [1] * len(rows), number, seed=data.draw(st.integers(0, 3)))
    assert len(set(chosen.rows)) == number
    for reached, highest in greedy_steps(rows, chosen.rows, range(len(rows))):
        assert reached == pytest.approx(highest, abs=1e-6)


def test_levels_are_taken_from_the_lowest_up_each_beside_those_before() -> None:
    """By hand: level 1 gives an a; of level 2, one that is no a is taken."""
    rows = [{"a": 1.0}, {"a": 1.0}, {"a": 1.0}, {"b": 1.0}, {"a": 1.0}, {"a": 1.0}]
    levels = [2, 1, 2, 2, 1, 2]
    for seed in range(5):
        chosen = subsample_rows(Features.from_rows(rows), levels, 2, seed=seed)
        assert [levels[row] for row in chosen.rows] == [1, 2]
        assert chosen.rows[1] == 3
        assert (chosen.supply, chosen.sizes) == ({1: 2, 2: 4}, {1: 1, 2: 1})


def drawn_pool(size: int, seed: int) -> tuple[Features, np.ndarray]:
    """A pool in which few structures are frequent and most are rare, in eight levels."""
    generator = np.random.default_rng(seed)
    levels = generator.integers(3, 11, size)
    rows = [dict.fromkeys((f"s{c}" for c in np.minimum(generator.zipf(1.4, n), 300)), 1.0) for n in levels]
    return Features.from_rows(rows), levels


def test_the_entropy_is_above_that_of_random_draws_of_the_same_levels() -> None:
    pool, levels = drawn_pool(3000, 1)
    chosen = subsample_rows(pool, levels, 400, seed=1)
    assert Counter(levels[list(chosen.rows)].tolist()) == dict.fromkeys(range(3, 11), 50)
    generator = np.random.default_rng(2)
    for _ in range(5):
        drawn = [generator.choice(np.flatnonzero(levels == level), 50, replace=False) for level in range(3, 11)]
        assert entropy_of(pool, np.concatenate(drawn)) < entropy_of(pool, chosen.rows) - 0.5
    rare = np.argsort(pool.held(range(3000)), kind="stable")[:30]
    before, after = pool.held(range(3000))[rare].sum() / 3000, pool.held(chosen.rows)[rare].sum() / 400
    assert after > 2 * before


def test_bounds_save_most_of_the_work() -> None:
    pool, levels = drawn_pool(3000, 1)
    chosen = subsample_rows(pool, levels, 400, seed=1)
    of_all = sum((supply + supply - size + 1) * size // 2 for supply, size in zip(
        chosen.supply.values(), chosen.sizes.values(), strict=True))
    assert chosen.looked_at < of_all / 4


def test_sums_kept_up_to_date_equal_sums_made_anew() -> None:
    pool, _ = drawn_pool(500, 3)
    data = whole_weights(pool)
    table = spread_table(int(pool.held(range(500)).max()))
    counts, sums = np.zeros(len(pool.names), np.int64), np.zeros(2, np.int64)
    order = np.arange(500)
    for _ in range(2):
        places, _ = take_examples(pool.indptr, pool.indices, data, table, counts, sums, order, np.int64(50))
        order = np.delete(order, places)
    taken = np.setdiff1d(np.arange(500), order)
    assert counts.tolist() == pool.held(taken).tolist()
    assert sums.tolist() == [counts.sum(), table[counts].sum()]
    assert np.log(sums[0]) - sums[1] / sums[0] / SCALE == pytest.approx(entropy_of(pool, taken), abs=1e-6)


def test_the_steps_of_the_table_never_fall() -> None:
    """What an example adds may only grow as others are taken: the bounds rest on it."""
    table = spread_table(1_000_000)
    steps = np.diff(table)
    assert (np.diff(steps) >= 0).all()
    assert table[-1] / SCALE == pytest.approx(1e6 * np.log(1e6), abs=0.1)


def test_weights_that_are_not_whole_count_as_they_are() -> None:
    """Twice a half weighs as much as once a whole."""
    pool = Features.from_rows([{"a": 0.5, "b": 0.25}, {"a": 0.5}])
    assert whole_weights(pool)[0] == 2 * whole_weights(pool)[1]
    assert entropy_of(pool, [0]) == pytest.approx(entropy([{"a": 2, "b": 1}]))


def test_the_same_seed_takes_the_same_and_another_seed_others() -> None:
    pool, levels = drawn_pool(600, 4)
    first = subsample_rows(pool, levels, 100, seed=5)
    assert subsample_rows(pool, levels, 100, seed=5) == first
    assert subsample_rows(pool, levels, 100, seed=6).rows != first.rows


@given(st.dictionaries(st.integers(1, 60), st.integers(1, 50), min_size=1), st.data())
def test_levels_are_of_one_size_up_to_their_supply(supply: dict[int, int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, sum(supply.values())))
    sizes = level_sizes(supply, number)
    assert sum(sizes.values()) == number
    short = [size for level, size in sizes.items() if size < supply[level]]
    assert list(sizes) == sorted(supply)
    assert short == sorted(short, reverse=True)  # what is left over goes to the lowest
    if short:
        assert max(sizes.values()) - min(short) <= 1


def test_a_level_is_the_number_of_grammar_rules() -> None:
    scan = recombine.load("scan")
    levels = grammar_levels(scan)
    first = scan[0].derivation
    assert first is not None
    assert levels[0] == sum(not rule.startswith("[[") for rule in first.rules)


def test_more_than_there_are_is_refused_and_so_is_what_has_no_derivation() -> None:
    pool = Features.from_rows([{"a": 1.0}, {"a": 1.0}])
    with pytest.raises(SizeError, match="3 examples are asked for, but there are 2"):
        subsample_rows(pool, [1, 2], 3)
    with pytest.raises(SizeError, match="2 examples are asked for, but there are 1"):
        subsample_rows(pool, [1, 2], 2, max_level=1)
    with pytest.raises(OptionError, match="1 levels and 2 examples"):
        subsample_rows(pool, [1], 1)
    with pytest.raises(DerivationError, match="has no derivation"):
        grammar_levels(recombine.load([("a", "b")]))
