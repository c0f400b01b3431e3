"""Accuracy with unseen atoms and with atoms of one train example."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.evaluation.errors.rare_atoms import rare_atoms
from recombine.structures.features import Features

ROWS = [{"walk", "twice"}, {"walk"}, {"run"}, {"jump"}, {"jump", "run"}, {"walk", "twice"}, {"walk"}]
ATOMS = Features.from_rows([dict.fromkeys(row, 1.0) for row in ROWS])


def test_by_hand() -> None:
    # Train: walk twice, twice and run once, jump never. Test rows 3 to 6.
    found = rare_atoms(ATOMS, [0, 1, 2], [3, 4, 5, 6], [True, False, False, True])
    assert (found.unseen.n, found.unseen.right, found.unseen.accuracy) == (2, 1, 0.5)  # rows 3 and 4
    assert (found.no_unseen.n, found.no_unseen.accuracy) == (2, 0.5)
    assert (found.once.n, found.once.right, found.once.wrong) == (2, 0, 2)  # rows 4 and 5
    assert (found.no_once.n, found.no_once.accuracy) == (2, 1.0)
    assert (found.errors_with_unseen, found.errors_with_once) == (0.5, 1.0)
    assert found.unseen_atoms == ("jump",)
    assert found.to_record()["once"] == {"n": 2, "right": 0, "accuracy": 0.0}


def test_a_train_example_that_is_listed_twice_counts_twice() -> None:
    found = rare_atoms(ATOMS, [0, 1, 2, 2], [4], [False])
    assert (found.once.n, found.errors_with_once) == (0, 0.0)


def test_without_errors_or_entries_there_is_no_share() -> None:
    found = rare_atoms(ATOMS, [0, 1, 2], [6], [True])
    assert (found.unseen.accuracy, found.errors_with_unseen, found.errors_with_once) == (None, None, None)


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="2 entries beside 1 verdicts"):
        rare_atoms(ATOMS, [0], [1, 2], [True])
    with pytest.raises(OptionError, match="by counts"):
        rare_atoms(Features.from_rows([{"walk": 2.0}, {"walk": 1.0}]), [0], [1], [True])
