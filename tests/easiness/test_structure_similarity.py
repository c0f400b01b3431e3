"""Similarity of structures, and the groups that find it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.easiness.structure_similarity import Neighbours, structure_similarity
from recombine.easiness.symbol_similarity import symbol_similarity
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree
from small_programs import column, structures_of, trees


def test_one_symbol_may_differ() -> None:
    found = structures_of(["f ( a )", "g ( a )", "g ( b )"], "local:3")
    symbols = symbol_similarity(found, np.ones(found.shape[1], bool))

    def of(one: str, other: str) -> float:
        return structure_similarity(found, symbols, column(found, one), column(found, other))

    assert of("f > a", "f > a") == 1.0
    assert of("f > a", "g > a") == symbols.of("f", "g") == pytest.approx(3 / 4)
    assert of("f > a", "g > b") == 0.0  # two differ
    assert of("<s> > f > a", "<s> > g > a") == pytest.approx(3 / 4)
    assert of("<s> > f", "<s> > f > a") == 0.0  # another shape


def test_parents_and_siblings_are_other_shapes() -> None:
    found = structures_of(["f ( a )", "p ( f , a )"])
    symbols = symbol_similarity(found, np.ones(found.shape[1], bool))
    assert structure_similarity(found, symbols, column(found, "f > a"), column(found, "f ~ a")) == 0.0


@settings(max_examples=40, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=4), st.sampled_from(["local:2", "local:4", "connected:3", "ngram:3"]))
def test_neighbours_are_all_that_differ_in_one_symbol(sample: list[Tree], definition: str) -> None:
    found = local_structures(program_arrays(sample), definition)
    near = Neighbours.of(found)
    for one in range(found.shape[1]):
        same = found.shapes == found.shapes[one]
        differ = (found.labels != found.labels[one]).sum(axis=1)
        assert near.near(one).tolist() == np.flatnonzero(same & (differ == 1)).tolist()
