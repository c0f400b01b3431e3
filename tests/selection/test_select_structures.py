"""Selection by structures: by hand, incremental against recomputed, and better covered than at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.easiness.structure_similarity import structure_similarity
from recombine.easiness.symbol_similarity import symbol_similarity
from recombine.errors import OptionError, SizeError, UnknownNameError
from recombine.selection.select_random import select_random
from recombine.selection.select_structures import ShownStructures, select_structures
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree
from small_programs import sample_programs, structures_of, trees


@settings(max_examples=40, deadline=None)
@given(st.lists(trees(), min_size=2, max_size=6), st.sampled_from(["local:2", "local:3"]), st.data())
def test_incremental_is_recomputed(sample: list[Tree], definition: str, draw: st.DataObject) -> None:
    found = local_structures(program_arrays(sample), definition)
    state = ShownStructures(found)
    symbols = symbol_similarity(found, np.ones(found.shape[1], bool))
    rows = draw.draw(st.lists(st.integers(0, len(sample) - 1), max_size=4))
    for row in rows:
        state.add(row)
    shown = np.flatnonzero(found.observed(rows))
    assert np.flatnonzero(state.shown).tolist() == shown.tolist()
    for column in range(found.shape[1]):
        expected = max((structure_similarity(found, symbols, column, int(other)) for other in shown), default=0.0)
        assert state.nearest[column] == pytest.approx(expected)


def test_the_least_similar_structure_comes_first() -> None:
    # Ten programs of one kind, one of another: two examples show both, whatever the seed.
    texts = [f"f ( a{number} )" for number in range(10)] + ["g ( h ( i ) )"]
    found = structures_of(texts)
    for seed in range(20):
        assert 10 in select_structures(found, 3, seed=seed).rows


def test_reasons_say_what_was_missing() -> None:
    selected = select_structures(structures_of(["f ( a )", "g ( b )"]), 2, seed=1)
    assert all(reason.endswith("(0.000)") for reason in selected.reasons)
    assert sorted(selected.rows) == [0, 1]


def test_all_of_the_pool_can_be_selected() -> None:
    found = structures_of(["f ( a )", "f ( a )", "f ( b )"])
    assert sorted(select_structures(found, 3).rows) == [0, 1, 2]
    # Without parents, programs of one symbol have no structures; they come last and without a reason.
    bare = select_structures(structures_of(["a", "f ( a , b )", "b"], "local:2,no-parents"), 3)
    assert bare.rows[0] == 1
    assert bare.reasons[1:] == ("", "")


def test_more_structures_than_at_random() -> None:
    found = structures_of(sample_programs(400), "local:3")
    chosen = [int(found.observed(select_structures(found, 15, seed=seed).rows).sum()) for seed in range(5)]
    random = [int(found.observed(select_random(400, 15, seed=seed).rows).sum()) for seed in range(5)]
    assert min(chosen) > max(random)


def test_same_seed_same_rows() -> None:
    found = structures_of(sample_programs(100))
    assert select_structures(found, 20, seed=4) == select_structures(found, 20, seed=4)
    assert select_structures(found, 20, seed=4) != select_structures(found, 20, seed=5)


def test_bad_numbers_and_names() -> None:
    found = structures_of(["f ( a )"])
    with pytest.raises(OptionError, match="cannot select 0 examples"):
        select_structures(found, 0)
    with pytest.raises(SizeError, match="2 examples are asked for, but there are 1"):
        select_structures(found, 2)
    with pytest.raises(UnknownNameError, match="unknown similarity 'none'"):
        select_structures(found, 1, similarity="none")
