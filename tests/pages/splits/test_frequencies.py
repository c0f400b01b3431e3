"""Frequencies, their order and the contributions, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.measures.divergence import chernoff, divergence
from recombine.pages.splits.frequencies import contributions, frequencies
from recombine.pages.splits.frequency_figure import columns
from recombine.structures.dataset_features import DatasetFeatures
from recombine.structures.features import Features


def test_atoms_of_the_tiny_split(tiny_features: DatasetFeatures) -> None:
    # Train: once walk, once jump, twice walk. Test: twice jump, once walk.
    found = frequencies(tiny_features.atoms, [0, 1, 2], [3, 4], alpha=0.5)
    assert found.names == ("once", "walk", "jump", "twice")
    assert found.train.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1 / 3])
    assert found.test.tolist() == [0.5] * 4


def test_contributions_of_the_tiny_split(tiny_features: DatasetFeatures) -> None:
    found = frequencies(tiny_features.compounds, [0, 1, 2], [3, 4], alpha=0.1)
    # In train each of three compounds has the share 1/3, in test each of two has 1/2.
    assert dict(zip(found.names, found.contributions.tolist(), strict=True)) == pytest.approx(
        {
            "once(1:walk)": 1 / 2 - (1 / 3) ** 0.1 * (1 / 2) ** 0.9,
            "once(1:jump)": 0.0,
            "twice(1:walk)": 0.0,
            "twice(1:jump)": 1 / 2,
        }
    )
    # Equal in train, so ordered by test: what test has comes first, what train lacks last.
    assert found.names[0] == "once(1:walk)"
    assert found.names[-1] == "twice(1:jump)"
    assert (found.in_both, found.only_in_train, found.only_in_test, found.in_test) == (1, 2, 1, 2)
    assert found.divergence == pytest.approx(divergence(tiny_features.compounds, [0, 1, 2], [3, 4], alpha=0.1))


def test_repeats_count_and_what_is_in_neither_part_is_left_out() -> None:
    features = Features.from_rows([{"a": 3, "b": 1}, {"a": 1}, {"c": 1}])
    found = frequencies(features, [0, 0, 1], [1], alpha=0.5)
    assert found.names == ("a", "b")
    assert found.train_counts.tolist() == [3, 2]
    assert found.train.tolist() == pytest.approx([1, 2 / 3])


sums = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8).filter(
    lambda rows: sum(p for p, _ in rows) > 0 and sum(q for _, q in rows) > 0
)


@given(sums, st.sampled_from([0.1, 0.5, 0.9]))
def test_contributions_sum_to_the_divergence(rows: list[tuple[int, int]], alpha: float) -> None:
    train, test = [p for p, _ in rows], [q for _, q in rows]
    assert contributions(train, test, alpha).sum() == pytest.approx(1 - chernoff(train, test, alpha), abs=1e-12)


def test_columns_hold_every_structure_once() -> None:
    rng = np.random.default_rng(0)
    features = Features.from_rows([{f"{n:03}": 1 for n in range(100) if rng.random() < 0.5} for _ in range(9)])
    found = frequencies(features, [0, 1, 2, 3, 4], [5, 6, 7, 8], alpha=0.5)
    made = columns(found, 7)
    assert len(made) == 7
    assert max(column.greatest for column in made) == found.test.max()
    assert min(column.least for column in made if column.greatest) == found.test[found.test > 0].min()
    single = columns(found, 1000)
    assert [column.train or 0 for column in single] == found.train.tolist()
    assert [column.lacking for column in single] == (found.test == 0).astype(float).tolist()
