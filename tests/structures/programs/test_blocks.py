"""What is found some programs or rows at a time is what is found in all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from recombine.datasets.covr_generated import generate
from recombine.structures import features as features_room
from recombine.structures.features import Features
from recombine.structures.programs import quick_programs, tree_parts
from recombine.structures.programs.distinct_programs import DistinctPrograms, dataset_programs
from recombine.structures.programs.tree_parts import paths, subtrees, symbols, symbols_with_arity

DATA = generate(60, seed=4)
TWICE = DATA.with_examples([*DATA, *(example.__class__(f"{example.id}#2", "", example.target) for example in DATA)])
FOUND: dict[str, Callable[[DistinctPrograms], Features]] = {
    "symbols": lambda programs: symbols(programs, "counts"),
    "symbols with arity": lambda programs: symbols_with_arity(programs, "presence"),
    "paths": lambda programs: paths(programs, 1, 3, "counts"),
    "subtrees": lambda programs: subtrees(programs, 1, 2, "counts"),
}


def equal(one: Features, two: Features) -> None:
    assert tuple(one.names) == tuple(two.names)
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
        assert getattr(one, name).dtype == getattr(two, name).dtype


@pytest.mark.parametrize("kind", FOUND)
def test_parts_of_programs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (DATA, TWICE):
        whole = FOUND[kind](dataset_programs(data))
        monkeypatch.setattr(tree_parts, "BLOCK", 7)
        monkeypatch.setattr(quick_programs, "_TEXTS", 5)
        equal(FOUND[kind](dataset_programs(data)), whole)
        monkeypatch.undo()


def test_sums_and_counts_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = paths(dataset_programs(DATA), 1, 2, "counts")
    rows = [3, 1, 1, *range(40), 59]
    sums, held = found.sums(rows), found.held(rows)
    assert held.tolist() == np.bincount(found.indices[found.entries(rows)], minlength=len(found.names)).tolist()
    monkeypatch.setattr(features_room, "BLOCK", 4)
    assert np.array_equal(found.sums(rows), sums)
    assert np.array_equal(found.held(rows), held)


def test_rows_in_their_own_order_are_not_copied() -> None:
    found = symbols(dataset_programs(DATA), "presence")
    assert found.taken(range(len(DATA))) is found
    assert found.taken([1, 0]).row(0) == found.row(1)
